import { hostname } from "node:os";
import { MPI } from "../../../src/mpi/index.ts";
import { failsWith, groupOf, holds, same } from "./behaviour.ts";

const behaviour = groupOf("environment and info");

behaviour("the version of MPI is 3.0 or later, in two numbers", (_comm) => {
  const [major, minor] = MPI.version;
  holds(major >= 3 && minor >= 0 && Number.isInteger(major) && Number.isInteger(minor));
});

behaviour("the library tells its name", (comm) => {
  holds(/^(Open MPI|MPICH)/.test(MPI.library), MPI.library);
  same(new Set(comm.allgather(MPI.library)).size, 1);
});

behaviour("the processor's name is this machine's", (_comm) => {
  holds(MPI.processorName.length > 0);
  same(MPI.processorName.split(".")[0], hostname().split(".")[0]);
});

behaviour("Wtime is in seconds and never runs back", (_comm) => {
  let last = MPI.Wtime();
  const [start, clock] = [last, performance.now()];
  while (performance.now() - clock < 5) {
    const now = MPI.Wtime();
    holds(now >= last);
    last = now;
  }
  const passed = MPI.Wtime() - start;
  holds(passed > 0.003 && passed < 60, `${passed} s`);
});

behaviour("Wtick is a small positive number of seconds", (_comm) => {
  holds(MPI.Wtick() > 0 && MPI.Wtick() < 1);
});

behaviour("TAG_UB, ANY_SOURCE, ANY_TAG and PROC_NULL are numbers that differ", (_comm) => {
  holds(MPI.TAG_UB >= 32767);
  for (const value of [MPI.ANY_SOURCE, MPI.ANY_TAG, MPI.PROC_NULL]) holds(Number.isInteger(value) && value < 0);
  holds(MPI.ANY_SOURCE !== MPI.PROC_NULL);
});

behaviour("operations tell their names and that they are commutative", (_comm) => {
  for (const name of [
    "SUM",
    "PROD",
    "MAX",
    "MIN",
    "LAND",
    "LOR",
    "LXOR",
    "BAND",
    "BOR",
    "BXOR",
    "MAXLOC",
    "MINLOC",
  ] as const)
    same([MPI[name].name.replace("MPI_", ""), MPI[name].commutative], [name, true]);
  same(MPI.op((a: number, b: number) => a - b, { commutative: false }).commutative, false);
  same(MPI.op((a: number, b: number) => a + b, { commutative: true }).commutative, true);
});

behaviour("an operation of one's own can be called itself", (_comm) => {
  same(MPI.op((a: string, b: string) => a + b).apply("a", "b"), "ab");
});

behaviour("more operations of one's own may be made than mpi4py allows", (comm) => {
  for (let i = 0; i < 200; i++) {
    const op = MPI.op((a: number, b: number) => a + b + i - i);
    if (i % 50 === 0) {
      const result = new Float64Array(1);
      comm.Allreduce(Float64Array.of(1), result, { op });
      same(result[0], comm.size);
    }
  }
});

behaviour("new info is empty", (_comm) => {
  using info = MPI.info();
  same([info.size, info.keys(), info.get("key"), info.has("key")], [0, [], undefined, false]);
});

behaviour("info keeps what is set, and the last of a key", (_comm) => {
  using info = MPI.info({ a: "1" });
  info.set("b", "2").set("a", "3");
  same([info.size, info.get("a"), info.get("b"), info.has("b")], [2, "3", "2", true]);
  same(info.entries().sort(), [
    ["a", "3"],
    ["b", "2"],
  ]);
});

behaviour("info lists its keys", (_comm) => {
  using info = MPI.info({ one: "1", two: "2", three: "3" });
  same(info.keys().sort(), ["one", "three", "two"]);
});

behaviour("delete takes a key out of info, and a key that is not there is MPI_ERR_INFO_NOKEY", (_comm) => {
  using info = MPI.info({ a: "1", b: "2" });
  info.delete("a");
  same([info.size, info.has("a"), info.get("b")], [1, false, "2"]);
  failsWith("INFO_NOKEY", () => info.delete("a"));
});

behaviour("dup of info is a copy of its own", (_comm) => {
  using info = MPI.info({ a: "1" });
  using copy = info.dup();
  copy.set("a", "2").set("b", "3");
  same([info.get("a"), info.size, copy.get("a"), copy.size], ["1", 1, "2", 2]);
});

behaviour("info keeps values of a hundred characters, and of other languages", (_comm) => {
  const long = "v".repeat(100);
  using info = MPI.info({ long, words: "größer 世界" });
  same([info.get("long"), info.get("words")], [long, "größer 世界"]);
});

behaviour("an empty key is an MpiError, and a value that is no string is not taken", (_comm) => {
  using info = MPI.info();
  let said = 0;
  for (const wrong of [() => info.set("", "x"), () => info.set("a", 5 as never), () => MPI.info({ b: null as never })])
    try {
      wrong();
    } catch {
      said++;
    }
  same(said, 3);
});

behaviour("info after free is MPI_ERR_INFO", (_comm) => {
  const info = MPI.info({ a: "1" });
  info.free();
  failsWith(["INFO", "ARG"], () => info.get("a"));
  failsWith(["INFO", "ARG"], () => info.set("a", "2"));
  failsWith(["INFO", "ARG"], () => info.dup());
});
