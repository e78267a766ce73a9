/** The program of each rank: `main.mjs FOLDER [PART OF A NAME]`. */
import { runAll } from "./run-all.ts";

// Asked for at run time, since package.json says that no file has side effects, and a bundler then leaves out bare imports.
await import("./point-to-point.ts");
await import("./values.ts");
await import("./probe.ts");
await import("./requests.ts");
await import("./collectives.ts");
await import("./vector.ts");
await import("./in-place.ts");
await import("./reductions.ts");
await import("./collective-values.ts");
await import("./communicators.ts");
await import("./groups.ts");
await import("./cart.ts");
await import("./windows.ts");
await import("./datatypes.ts");
await import("./errors.ts");
await import("./environment.ts");

await runAll(process.argv[2]!, process.argv[3]);
