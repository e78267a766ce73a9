/** The tables on h5wasm: what it cannot, it refuses in words. */
import { loadEnvironment } from "./support.ts";

await loadEnvironment("wasm");
const { describeTables } = await import("./describe.ts");
describeTables("wasm");
