/** Loaded first by processes that a program of `girona run` starts: `import "girona"` finds this package everywhere. */
import { hook } from "./hook.js";

hook({ modules: [] });
