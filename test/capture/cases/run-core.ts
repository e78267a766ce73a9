// @ts-nocheck
import { core } from "./core.ts";

import(process.env.CAPTURE_HARNESS as string).then(async (harness) => {
  await core(harness);
  harness.finish();
});
