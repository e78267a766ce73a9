// @ts-nocheck
import { typescript } from "./typescript.ts";

import(process.env.CAPTURE_HARNESS as string).then(async (harness) => {
  await typescript(harness);
  harness.finish();
});
