/** Who is measured: how each is started, which cases it has, and with which sizes. */
import type { CaseName, SubjectName } from "./figures.ts";

/** What a case is told about how much to do. `counts` has a number for each figure it shall report. */
export type Sizes = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

interface FullAndQuick {
  readonly full: Sizes;
  readonly quick: Sizes;
}

const doubles = 10_000_000;

const sizes: Readonly<Record<CaseName, FullAndQuick>> = {
  tasks: {
    full: { counts: { "tasks.10000": 10_000, "tasks.100000": 100_000 } },
    quick: { counts: { "tasks.10000": 10_000, "tasks.100000": 50_000 } },
  },
  map: { full: { count: 2_000_000 }, quick: { count: 200_000 } },
  roundtrip: { full: { calls: 2_000 }, quick: { calls: 300 } },
  actors: { full: { counts: { "actors.100000": 100_000 } }, quick: { counts: { "actors.100000": 20_000 } } },
  arrays: { full: { doubles, repeats: 7 }, quick: { doubles, repeats: 3 } },
  memory: { full: {}, quick: {} },
  import: { full: { repeats: 15 }, quick: { repeats: 5 } },
  start: { full: { repeats: 7 }, quick: { repeats: 3 } },
  mpi: {
    full: { many: 300, few: 10, repeats: 200, idleMs: 1500 },
    quick: { many: 300, few: 10, repeats: 40, idleMs: 1500 },
  },
  hdf5: { full: { rows: 100_000, repeats: 5 }, quick: { rows: 20_000, repeats: 3 } },
  "hdf5-mpio": { full: { rows: 25_000, repeats: 5 }, quick: { rows: 5_000, repeats: 3 } },
  queue: {
    full: { counts: { "queue.10000": 10_000, "queue.100000": 100_000, "queue.1000000": 1_000_000 } },
    quick: { counts: { "queue.10000": 10_000, "queue.100000": 50_000, "queue.1000000": 100_000 } },
  },
  watched: { full: { count: 100_000, pairs: 15 }, quick: { count: 50_000, pairs: 5 } },
};

/** Whose cases are started by hdf5-launch.ts. */
const ofHdf5: readonly CaseName[] = ["hdf5", "hdf5-mpio"];

const cases = Object.keys(sizes) as readonly CaseName[];

export interface Subject {
  readonly title: string;
  readonly command: (caseName: CaseName | "version") => readonly string[];
  readonly cases: readonly CaseName[];
  /** Cases run in the first round alone: nearly a minute each, for a figure that needs no repeats. */
  readonly once?: readonly CaseName[];
  /** Sizes of its own, where the common ones would take minutes, or a start takes seconds. */
  readonly slower?: Readonly<Partial<Record<CaseName, FullAndQuick>>>;
}

const node = (...parts: string[]) => [process.execPath, "--import", "tsx", ...parts];
const hdf5 = (...parts: string[]) => node("bench/hdf5-launch.ts", ...parts);
const mpi = (...parts: string[]) => node("bench/mpi-launch.ts", ...parts);
const python = (...parts: string[]) => [".venv/bin/python", ...parts];

/** Of peers that would take minutes for 100,000. */
const tenThousandCalls = {
  tasks: { full: { counts: { "tasks.10000": 10_000 } }, quick: { counts: { "tasks.10000": 1_000 } } },
  actors: { full: { counts: { "actors.10000": 10_000 } }, quick: { counts: { "actors.10000": 1_000 } } },
};

export const subjects: Readonly<Record<SubjectName, Subject>> = {
  girona: {
    title: "girona",
    command: (name) => {
      if (name === "mpi") return mpi("girona", name);
      return ofHdf5.some((one) => one === name) ? hdf5("girona", name) : node(`bench/cases/${name}.ts`);
    },
    cases,
  },
  piscina: {
    title: "piscina",
    command: (name) => node("bench/peers/piscina.ts", name),
    cases: ["tasks", "roundtrip", "arrays", "import", "start", "queue"],
    once: ["queue"],
  },
  processpool: {
    title: "ProcessPool",
    command: (name) => python("bench/peers/processpool_peer.py", name),
    cases: ["tasks", "map", "roundtrip", "memory", "start"],
  },
  ray: {
    title: "Ray",
    command: (name) => python("bench/peers/ray_peer.py", name),
    cases: ["tasks", "map", "roundtrip", "actors", "arrays", "memory", "import", "start"],
    slower: {
      ...tenThousandCalls,
      import: { full: { repeats: 5 }, quick: { repeats: 2 } },
    },
  },
  dask: {
    title: "Dask",
    command: (name) => python("bench/peers/dask_peer.py", name),
    cases: ["tasks", "map", "roundtrip", "actors", "arrays", "memory", "import", "start"],
    slower: {
      ...tenThousandCalls,
      roundtrip: { full: { calls: 500 }, quick: { calls: 100 } },
      import: { full: { repeats: 5 }, quick: { repeats: 2 } },
    },
  },
  c: { title: "C", command: (name) => mpi("c", name), cases: ["mpi"] },
  mpi4py: { title: "mpi4py", command: (name) => mpi("mpi4py", name), cases: ["mpi"] },
  h5py: {
    title: "h5py",
    command: (name) => hdf5("h5py", name),
    cases: ofHdf5,
  },
};

/** The sizes one subject is given for one case. */
export function sizesFor(subject: SubjectName, caseName: CaseName, quick: boolean): Sizes {
  const { full, quick: less } = subjects[subject].slower?.[caseName] ?? sizes[caseName];
  return quick ? less : full;
}
