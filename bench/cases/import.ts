/** What `import "girona"` costs above bare Node. */
import { report, sizesFromArguments } from "../case.ts";
import { importCost } from "../import-cost.ts";

const { repeats } = sizesFromArguments<{ repeats: number }>();
report({ import: importCost("girona", repeats) });
