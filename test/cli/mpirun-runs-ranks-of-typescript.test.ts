import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Rig } from "../native/support.ts";
import { waitFor } from "../support/index.ts";
import { type MpiName, mpiNames, needsMpi } from "../support/ranks.ts";

const rig = new Rig();
/** TypeScript that Node 20 cannot read by itself. */
const program = rig.program(
  "program.ts",
  `enum Sort { Line }
   interface Mpi { start(): number; rank(): number; barrier(): void; finish(): void; library(): string }
   const mpi = load("mpi") as Mpi;
   const size: number = mpi.start();
   const args = process.argv.slice(2);
   const library = mpi.library().split("\\n")[0];
   console.log(JSON.stringify({ rank: mpi.rank(), size, args, set: process.env["OF_THE_TEST"], library, object: Sort.Line }));
   console.log({ terminal: process.stdout.isTTY === true });
   mpi.finish();
`,
);
/** JavaScript, which starts sooner. */
const prints = rig.program(
  "prints.mjs",
  `const mpi = load("mpi");
   mpi.start();
   const rank = mpi.rank();
   const [what] = process.argv.slice(2);
   const { stdout, stderr } = process;
   const lines = (length) => { for (let line = 0; line < 200; line++) stdout.write(rank + ":" + line + ":" + "x".repeat(length) + ":" + rank + "\\n"); };
   if (what === "lines") { lines(200); lines(3000); stderr.write(rank + "y".repeat(20_000) + rank + "\\n"); stdout.write("no end of " + rank); }
   if (what === "exit" && rank === 1) process.exit(7);
   if (what === "wait") { console.log("pid " + process.pid); setInterval(() => {}, 1000); }
   else mpi.finish();
`,
);
const call = (args: readonly string[], mpi: MpiName, env: Record<string, string> = {}) =>
  rig.girona(["mpirun", ...args], mpi, { env });

beforeAll(() => {
  for (const name of mpiNames) needsMpi(name);
});

describe.each(mpiNames)("%s", (name) => {
  test("the first call builds the addon and says so in one line; ranks see their arguments and each other", async () => {
    const first = await call(["-n", "3", program, "-n", "--x", "a b"], name);
    expect(first.stderr).toMatch(new RegExp(`^girona: built mpi for ${name} [\\d.]+ in [\\d.]+ s\\n$`));
    const lines = first.stdout.trimEnd().split("\n");
    const told = lines.filter((line) => line.startsWith('{"')).map((line) => JSON.parse(line));
    const rest = {
      size: 3,
      args: ["-n", "--x", "a b"],
      object: 0,
      library: expect.stringMatching(name === "MPICH" ? /^MPICH/ : /^Open MPI/),
    };
    expect(told.sort((a, b) => a.rank - b.rank)).toEqual([0, 1, 2].map((rank) => ({ rank, ...rest })));
    // No colours, though Open MPI gives ranks a terminal.
    expect(lines.filter((line) => !line.startsWith('{"'))).toEqual(Array(3).fill("{ terminal: false }"));
    expect(first.exitCode).toBe(0);

    const again = await call(["-n", "1", prints], name);
    expect(again).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("more ranks than cores run, and their lines come whole", async () => {
    const { exitCode, stdout, stderr } = await call(["-n", "5", prints, "lines"], name);
    expect(exitCode).toBe(0);
    // The last ones have no end, and so come at the end.
    const lines = stdout
      .replaceAll(/no end of \d/g, "")
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(2000);
    for (const line of lines) expect(line).toMatch(/^(\d):\d+:(?:x{200}|x{3000}):\1$/);
    for (let rank = 0; rank < 5; rank++) expect(stdout).toContain(`no end of ${rank}`);
    expect(stderr.trimEnd().split("\n").sort()).toEqual(
      [0, 1, 2, 3, 4].map((rank) => `${rank}${"y".repeat(20_000)}${rank}`),
    );
  });

  test("the exit code of a rank is passed on", async () => {
    expect((await call(["-n", "2", prints, "exit"], name)).exitCode).toBe(7);
  });

  test("options in --mpi reach MPI's own mpirun", async () => {
    const own = name === "MPICH" ? "-env OF_THE_TEST 'a b'" : "-x OF_THE_TEST='a b'";
    const { stdout } = await call(["-n", "1", "--mpi", own, program], name);
    expect(JSON.parse(stdout.split("\n")[0]!)).toMatchObject({ set: "a b" });
  });

  // One each: both go the same way.
  const signal = name === "MPICH" ? "SIGTERM" : "SIGINT";
  test(`${signal} ends the ranks`, async () => {
    const running = rig.start(["mpirun", "-n", "2", prints, "wait"], name);
    const pids = await waitFor("two ranks", () => {
      const found = Array.from(running.output().matchAll(/pid (\d+)/g), ([, pid]) => Number(pid));
      return found.length === 2 && found;
    });
    running.kill(signal);
    const { exitCode, signal: by } = await running.finished;
    expect(exitCode ?? by).not.toBe(0);
    await waitFor("the ranks to end", () => !pids.some(isRunning));
  });
});

test("a wrong call says what was meant", async () => {
  const wrong = async (...args: string[]) => {
    const { exitCode, stderr } = await call(args, "Open MPI");
    expect(exitCode).toBe(2);
    return stderr;
  };
  expect(await wrong()).toContain("missing required argument 'file'");
  expect(await wrong("-n", "0", program)).toContain("It must be a whole number, 1 or more.");
  expect(await wrong("-n", "two", program)).toContain("It must be a whole number, 1 or more.");
  expect(await wrong("-n", "2", join(rig.folder, "progran.ts"))).toMatch(
    /there is no \S+progran\.ts\n\(Did you mean \S+program\.ts\?\)/,
  );
  expect(await wrong("--hostfile", "hosts", program)).toContain("unknown option '--hostfile'");
});

test("without an MPI it says how to get one, and starts nothing", async () => {
  const env = { GIRONA_MPICXX: undefined, PATH: rig.folder };
  const { exitCode, stdout, stderr } = await rig.girona(["mpirun", "-n", "2", program], undefined, { env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(/^girona\/mpi: there is no MPI here: no mpicxx on the PATH\. Install one: .*\n$/);
});

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
