/** Writes more than the process may (`ulimit -f`), in the way its argument says, and prints the code of what is thrown. */
import { File } from "../../../src/hdf5/index.ts";

const [path = "", how = ""] = process.argv.slice(2);
const file = new File(path, "w");
try {
  if (how === "chunks") file.put("x", new Float64Array(100_000), { chunks: [1000] });
  if (how === "contiguous") file.put("x", new Float64Array(100_000));
  if (how === "groups") for (let i = 0; i < 20_000; i++) file.createGroup(`g${i}`);
  // The end of the program closes it.
  if (how === "left open") file.put("x", new Float64Array(100_000), { chunks: [100_000] });
  else file.close();
  console.log("written");
} catch (error) {
  console.log((error as { code?: string }).code, (error as Error).message.split("\n")[0]);
}
