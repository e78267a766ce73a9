/** What is measured, in which unit, and the target it must meet: the one table that the judge, the tables and the README's figures read. */

export type SubjectName = "girona" | "piscina" | "processpool" | "ray" | "dask" | "h5py" | "c" | "mpi4py";
export type PeerName = Exclude<SubjectName, "girona">;
export type CaseName =
  | "tasks"
  | "map"
  | "roundtrip"
  | "actors"
  | "arrays"
  | "memory"
  | "import"
  | "start"
  | "queue"
  | "watched"
  | "hdf5"
  | "hdf5-mpio"
  | "mpi";

/** `perSecond` and `MB/s` are better when larger, all others when smaller. */
export type Unit = "perSecond" | "MB/s" | "us" | "ms" | "MB" | "times" | "%";

export interface Figure {
  readonly case: CaseName;
  readonly what: string;
  readonly unit: Unit;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Also met when it is at most `factor` times girona's own figure `of`, measured in the same process. */
  readonly orTimes?: { readonly factor: number; readonly of: string };
  /** How many times better than a peer it must be. */
  readonly timesPeer?: Readonly<Partial<Record<PeerName, number>>>;
  /** A measure of the machine or of a subject against itself: how many times better than a peer says nothing. */
  readonly incomparable?: true;
  /** The figure shown, marked, for a peer that is too slow for this one. */
  readonly standIn?: string;
}

/** At least what h5py does with the same library, in the same run. */
const hdf5Target = { unit: "MB/s", timesPeer: { h5py: 1 } } as const;

const tasksTarget = { unit: "perSecond", atLeast: 250_000, timesPeer: { piscina: 5, ray: 100 } } as const;

export const figures: Readonly<Record<string, Figure>> = {
  "tasks.100000": {
    case: "tasks",
    what: "100,000 tasks x*x submitted one by one, then get all",
    standIn: "tasks.10000",
    ...tasksTarget,
  },
  "tasks.10000": { case: "tasks", what: "10,000 tasks x*x submitted one by one, then get all", ...tasksTarget },
  map: { case: "map", what: ".map over 2,000,000 numbers, items", unit: "perSecond", atLeast: 2_000_000 },
  "roundtrip.p50": { case: "roundtrip", what: "one call at a time, p50", unit: "us", atMost: 60 },
  "roundtrip.p99": { case: "roundtrip", what: "one call at a time, p99", unit: "us" },
  "actors.100000": {
    case: "actors",
    what: "100,000 calls to one actor, then get all",
    unit: "perSecond",
    atLeast: 100_000,
    standIn: "actors.10000",
  },
  "arrays.copy": { case: "arrays", what: "80 MB of doubles: plain copy in memory", unit: "ms", incomparable: true },
  "arrays.put": {
    case: "arrays",
    what: "80 MB of doubles: put",
    unit: "ms",
    atMost: 40,
    orTimes: { factor: 1.3, of: "arrays.copy" },
  },
  "arrays.read": { case: "arrays", what: "80 MB of doubles: two tasks read it", unit: "ms", atMost: 10 },
  "arrays.result": { case: "arrays", what: "80 MB of doubles: result back", unit: "ms", atMost: 70 },
  "memory.rss": { case: "memory", what: "idle worker, RSS", unit: "MB", atMost: 60 },
  "memory.pss": { case: "memory", what: "idle worker, PSS", unit: "MB" },
  import: { case: "import", what: "import, above the bare interpreter", unit: "ms", atMost: 60 },
  start: { case: "start", what: "first result after starting two workers", unit: "ms", atMost: 300 },
  "queue.rss": { case: "queue", what: "1,000,000 queued tasks: driver RSS, all queued", unit: "MB", atMost: 1000 },
  "queue.peak": {
    case: "queue",
    what: "1,000,000 queued tasks: driver RSS, peak to the end",
    unit: "MB",
    atMost: 1000,
  },
  "queue.10000": { case: "queue", what: "time per task, 10,000 queued", unit: "us" },
  "queue.100000": { case: "queue", what: "time per task, 100,000 queued", unit: "us" },
  "queue.1000000": { case: "queue", what: "time per task, 1,000,000 queued", unit: "us" },
  "queue.growth": {
    case: "queue",
    what: "time per task, 1,000,000 queued over 10,000 queued",
    unit: "times",
    atMost: 1.25,
    incomparable: true,
  },
  "watched.cost": {
    case: "watched",
    what: "100,000 tasks: time with profile and events on, over the same without",
    unit: "times",
    // A tenth less throughput.
    atMost: 1 / 0.9,
    incomparable: true,
  },
  "mpi.pingpong": { case: "mpi", what: "MPI, a message of 8 bytes", unit: "us", timesPeer: { c: 0.667, mpi4py: 1 } },
  "mpi.message": { case: "mpi", what: "MPI, a message of 1 MB", unit: "us", timesPeer: { c: 0.95 } },
  "mpi.allreduce8": { case: "mpi", what: "MPI, Allreduce of 8 bytes", unit: "us", timesPeer: { c: 0.714 } },
  "mpi.allreduce1m": { case: "mpi", what: "MPI, Allreduce of 1 MB", unit: "us", timesPeer: { c: 0.909 } },
  "mpi.int": { case: "mpi", what: "MPI, an int as a value", unit: "us", timesPeer: { mpi4py: 1 } },
  "mpi.object": { case: "mpi", what: "MPI, a small object as a value", unit: "us", timesPeer: { mpi4py: 1 } },
  "mpi.records": { case: "mpi", what: "MPI, an array of 1,000 objects", unit: "us" },
  "mpi.await": { case: "mpi", what: "MPI, a message of 8 bytes awaited: what that adds", unit: "us", atMost: 1 },
  "mpi.idle": { case: "mpi", what: "MPI, an await that takes 1.5 s: of a core", unit: "%", atMost: 2 },
  "hdf5.contiguous.write": { case: "hdf5", what: "HDF5, contiguous: write", ...hdf5Target },
  "hdf5.contiguous.read": { case: "hdf5", what: "HDF5, contiguous: read", ...hdf5Target },
  "hdf5.chunked.write": { case: "hdf5", what: "HDF5, in chunks of 8 MB: write", ...hdf5Target },
  "hdf5.chunked.read": { case: "hdf5", what: "HDF5, in chunks of 8 MB: read", ...hdf5Target },
  "hdf5.gzip.write": { case: "hdf5", what: "HDF5, gzip 1 and shuffle: write", ...hdf5Target },
  "hdf5.gzip.read": { case: "hdf5", what: "HDF5, gzip 1 and shuffle: read", ...hdf5Target },
  "hdf5.collective.write": { case: "hdf5-mpio", what: "HDF5, 4 ranks, collective: write", ...hdf5Target },
  "hdf5.collective.read": { case: "hdf5-mpio", what: "HDF5, 4 ranks, collective: read", ...hdf5Target },
  "hdf5.independent.write": { case: "hdf5-mpio", what: "HDF5, 4 ranks, each alone: write", ...hdf5Target },
  "hdf5.independent.read": { case: "hdf5-mpio", what: "HDF5, 4 ranks, each alone: read", ...hdf5Target },
};
