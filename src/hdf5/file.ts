/** Files: opened with a mode and a driver, closed with all that is open in them. */
import { nativeComm } from "../mpi/index.js";
import { checkNames, checkPath, checkWhole, show, usage } from "./check.js";
import { GroupNode } from "./group.js";
import { agree } from "./guard.js";
import { libraryFor } from "./library.js";
import type { Inside } from "./node.js";
import type { RawFileOptions } from "./raw.js";
import { attempt, FileState, type Parallel } from "./state.js";
import type { FileOptions, FormatVersion, Mode, OpenFile } from "./types.js";

/** What the constructor takes, once the drivers' own options need no telling apart. */
type Given = { [N in FileOptions extends infer O ? (O extends unknown ? keyof O : never) : never]?: unknown };

const common = ["driver", "comm", "locking", "format", "alignment", "chunkCache", "trackOrder", "userBlock"];
const ofDriver = {
  sec2: ["swmr"],
  core: ["backingStore", "increment"],
  mpio: ["collective", "collectiveMetadata", "hints"],
} as const;
const modes: readonly string[] = ["r", "r+", "w", "w-", "x", "a"];
const formats: readonly string[] = ["earliest", "v108", "v110", "v112", "v114", "latest"];

/**
 * An HDF5 file; `using file = new File(...)` closes it, and an open `mpio` file is closed before MPI ends.
 *
 * @param path where it is; created when the mode says so
 * @param mode default `"r"`
 * @example
 * using file = new File("example.h5", "w", { driver: "core", backingStore: false });
 * file.createDataset("t", { shape: [2, 3], dtype: "f8" }).write(Float64Array.of(1, 2, 3, 4, 5, 6));
 * file.dataset("t").read([null, 0]).data; // 1, 4
 * @throws Hdf5Error when it is not there, no HDF5 file, damaged, or locked; UsageError for options that are wrong
 */
export class File extends GroupNode implements OpenFile {
  readonly path: string;
  readonly mode: "r" | "r+";
  readonly driver: "sec2" | "core" | "mpio";
  #swmr: boolean;

  constructor(path: string, mode: Mode = "r", options: FileOptions = {}) {
    const opened = openFile(path, mode, options);
    super(opened.root, opened.raw.trackOrder);
    opened.root.file.current = this;
    this.path = path;
    this.mode = mode === "r" ? "r" : "r+";
    this.driver = opened.raw.driver;
    this.#swmr = opened.raw.swmr;
  }

  get library(): string {
    return this.inside.state.library.description;
  }

  get isOpen(): boolean {
    return this.inside.state.isOpen;
  }

  get userBlock(): number {
    return this.#callFile("read the user block's size", "local", (raw, file) => raw.userBlock(file));
  }

  get swmr(): boolean {
    return this.#swmr;
  }

  startSwmr(): void {
    this.#callFile("start swmr", "change", (raw, file) => raw.startSwmr(file));
    this.#swmr = true;
  }

  get atomic(): boolean {
    return this.driver === "mpio" && this.#callFile("read atomicity", "local", (raw, file) => raw.atomicity(file));
  }

  set atomic(atomic: boolean) {
    if (this.driver !== "mpio")
      throw usage("atomic", `${this.path} is open by one process; only files of the driver mpio are atomic or not`);
    this.#callFile("set atomicity", "change", (raw, file) => raw.atomicity(file, atomic === true));
  }

  #callFile<T>(operation: string, scope: "local" | "change", work: (raw: FileState["raw"], file: number) => T): T {
    const { state } = this.inside;
    return state.call(operation, undefined, scope, "", (raw) => work(raw, state.handle));
  }

  flush(): void {
    this.#callFile("flush", "change", (raw, file) => raw.flush(file));
  }

  close(): void {
    this.inside.state.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Is there an HDF5 file at the path? `false` also when there is nothing. */
export function isHdf5(path: string): boolean {
  checkPath("path", path);
  return libraryFor("sec2").raw.isHdf5(path);
}

function openFile(path: string, mode: Mode, options: FileOptions): { root: Inside; raw: RawFileOptions } {
  checkPath("path", path);
  if (!modes.includes(mode))
    throw usage(
      "mode",
      `${show(mode)} was given; it takes r (read), r+ (read and write), w (create or truncate), w- or x (create, fail if there), a (either)`,
    );
  const raw = rawOptions(options as Given, mode);
  const library = libraryFor(raw.driver);
  const parallel = parallelOf(options, raw);
  if (parallel) agree(library.raw, parallel, path, undefined, "open", mode);
  const handle = attempt("open", path, undefined, () => library.raw.fileOpen(path, mode === "x" ? "w-" : mode, raw));
  const state = new FileState(library, handle, path, parallel);
  const [root] = state.call("open", "/", "local", "", (lib) => lib.objectOpen(handle, "/"));
  return { root: { state, handle: root, file: { current: undefined }, path: "/" }, raw };
}

function parallelOf(options: FileOptions, raw: RawFileOptions): Parallel | undefined {
  if (options.driver !== "mpio") return undefined;
  const { rank, size } = options.comm;
  return {
    comm: raw.comm!,
    rank,
    size,
    collective: options.collective !== false,
    collectiveMetadata: raw.collectiveMetadata,
  };
}

/** @throws UsageError for options that are none, belong to another driver or mode, or have wrong values */
function rawOptions(given: Given, mode: Mode): RawFileOptions {
  const { driver = "sec2" } = given as FileOptions;
  if (!Object.hasOwn(ofDriver, driver))
    throw usage("driver", `${show(driver)} was given; there are sec2, core and mpio`);
  checkNames(`the driver ${driver}`, given, [...common, ...ofDriver[driver]]);
  if (driver === "mpio" ? typeof given.comm !== "object" || given.comm === null : given.comm !== undefined)
    throw usage(
      "comm",
      driver === "mpio"
        ? 'the driver mpio needs a communicator: { driver: "mpio", comm: MPI.COMM_WORLD }'
        : 'a communicator goes with driver: "mpio"',
    );
  if (given.swmr === true && mode !== "r")
    throw usage("swmr", "it is for reading (mode r); a writer calls startSwmr()");
  if (given.userBlock !== undefined && (mode === "r" || mode === "r+"))
    throw usage("userBlock", "it is for new files; file.userBlock has the size of one that is there");
  const [low, high] = formatOf(given.format);
  return {
    driver,
    swmr: given.swmr === true,
    backingStore: given.backingStore !== false,
    increment: wholeOf(given, "increment") ?? 64 * 1024,
    comm: driver === "mpio" ? nativeComm(given.comm as never) : undefined,
    collectiveMetadata: given.collectiveMetadata !== false,
    hints: hintsOf(given.hints),
    low,
    high,
    alignment: alignmentOf(given.alignment),
    cache: cacheOf(given.chunkCache),
    locking: lockingOf(given.locking),
    trackOrder: given.trackOrder === true,
    userBlock: userBlockOf(given.userBlock),
  };
}

function wholeOf(given: Given, name: keyof Given): number | undefined {
  const value = given[name];
  if (value !== undefined) checkWhole(name, value);
  return value as number | undefined;
}

function userBlockOf(bytes: unknown): number | undefined {
  const isSize =
    bytes === 0 || (Number.isSafeInteger(bytes) && (bytes as number) >= 512 && Math.log2(bytes as number) % 1 === 0);
  if (bytes !== undefined && !isSize)
    throw usage("userBlock", `${show(bytes)} was given; it takes 0, or a power of two from 512`);
  return bytes as number | undefined;
}

function hintsOf(given: unknown): [name: string, value: string][] {
  if (given === undefined) return [];
  const isValue = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
  if (typeof given !== "object" || given === null || Array.isArray(given) || !Object.values(given).every(isValue))
    throw usage(
      "hints",
      `${show(given)} was given; it takes an object such as { cb_nodes: 2 }, its values texts, numbers or booleans`,
    );
  return Object.entries(given).map(([name, value]) => [name, String(value)]);
}

function formatOf(given: unknown): [low: string | undefined, high: string | undefined] {
  if (given === undefined) return [undefined, undefined];
  const [low, high = "latest"] = (Array.isArray(given) ? given : [given]) as FormatVersion[];
  if (
    !formats.includes(low!) ||
    !formats.includes(high) ||
    high === "earliest" ||
    formats.indexOf(low!) > formats.indexOf(high)
  )
    throw usage("format", `${show(given)} was given; it takes ${formats.join(", ")}, or [oldest, newest] of them`);
  return [low, high];
}

function alignmentOf(given: unknown): [threshold: number, bytes: number] | undefined {
  if (given === undefined) return undefined;
  checkNames("alignment", given, ["bytes", "threshold"]);
  const { bytes, threshold = 1 } = given as { bytes: number; threshold?: number };
  checkWhole("alignment", bytes, 1);
  checkWhole("alignment", threshold);
  return [threshold, bytes];
}

function cacheOf(given: unknown): [slots: number, bytes: number] | undefined {
  if (given === undefined) return undefined;
  checkNames("chunkCache", given, ["bytes", "slots"]);
  const { bytes, slots = 521 } = given as { bytes: number; slots?: number };
  checkWhole("chunkCache", bytes);
  checkWhole("chunkCache", slots, 1);
  return [slots, bytes];
}

function lockingOf(given: unknown): RawFileOptions["locking"] {
  if (given === undefined || given === "best-effort") return given;
  if (typeof given !== "boolean")
    throw usage("locking", `${show(given)} was given; it takes true, false or "best-effort"`);
  return given ? "on" : "off";
}
