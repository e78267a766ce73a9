// @ts-nocheck
import { decorators } from "./decorators.ts";

import(process.env.CAPTURE_HARNESS as string).then(async (harness) => {
  await decorators(harness);
  harness.finish();
});
