/** The tables on the machine's HDF5, each behaviour a test. */
import { loadEnvironment } from "./support.ts";

await loadEnvironment("native");
const { describeTables } = await import("./describe.ts");
describeTables("native");
