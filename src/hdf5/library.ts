/** Which HDF5 serves a file: the serial build, the one for MPI, or h5wasm where neither is there. */
import { UsageError } from "../common/index.js";
import { findBuild, loadAddon } from "../native/index.js";
import { usage } from "./check.js";
import type { RawLibrary, RawType } from "./raw.js";
import { Reference } from "./reference.js";
import { rawType } from "./type-mapping.js";
import type { ElementType } from "./types.js";
import { startWasm, wasmVersion } from "./wasm/index.js";

/** A loaded HDF5. */
export class Library {
  readonly raw: RawLibrary;
  readonly kind: "native" | "wasm";
  /** `"HDF5 1.10.8 (serial)"`. */
  readonly description: string;
  readonly gzip: boolean;
  /** Types in memory are made once: few are in use at a time, and they belong to no file. */
  readonly #types = new Map<string, number>();

  constructor(raw: RawLibrary, kind: "native" | "wasm") {
    this.raw = raw;
    this.kind = kind;
    const { version, parallel, gzip } = raw.info();
    this.description = `HDF5 ${version} (${kind === "wasm" ? "h5wasm" : parallel ? "MPI" : "serial"})`;
    this.gzip = gzip;
    raw.useReferenceClass(Reference);
  }

  /** @throws UsageError with HDF5's reason, when there is no such type */
  #make(type: RawType): number {
    try {
      return this.raw.typeMake(type);
    } catch (cause) {
      if ((cause as { origin?: string }).origin === undefined) throw cause;
      const reason = (cause as Error).message
        .split("\n")
        .at(-1)!
        .replace(/^\w+: /, "");
      throw new UsageError(`dtype: HDF5 has no such type: ${reason}.`, { parameter: "dtype", cause });
    }
  }

  /** The handle of a type. */
  type(type: RawType): number {
    const key = JSON.stringify(type);
    const known = this.#types.get(key);
    if (known !== undefined) return known;
    const made = this.#make(type);
    this.#types.set(key, made);
    return made;
  }

  memoryType(type: ElementType): number {
    return this.type(rawType(type));
  }
}

const loaded = new Map<string, Library>();

function native(kind: "hdf5" | "hdf5-mpi"): Library {
  const known = loaded.get(kind);
  if (known) return known;
  const library = new Library(loadAddon(kind) as RawLibrary, "native");
  loaded.set(kind, library);
  return library;
}

const wanted = process.env["GIRONA_HDF5"] || undefined;

function hasNative(): boolean {
  if (wanted === "wasm") return false;
  return wanted === "native" || findBuild("hdf5") !== undefined || findBuild("hdf5-mpi") !== undefined;
}

/** Is it the HDF5 of this machine, or h5wasm? `GIRONA_HDF5=native` or `wasm` decides it. */
export const backend: "native" | "wasm" = hasNative() ? "native" : "wasm";

function startedWasm(): Library {
  const known = loaded.get("wasm");
  if (known) return known;
  const raw = startWasm();
  // Without it the error of the native one says what is missing and how it is built.
  if (!raw) return native("hdf5");
  if (wanted !== "wasm")
    process.stderr.write(
      "girona/hdf5: there is no build for the HDF5 of this machine, so h5wasm serves: slower, one process, 2 GiB per call. For the native one: npx girona build hdf5\n",
    );
  const started = new Library(raw, "wasm");
  loaded.set("wasm", started);
  return started;
}

/**
 * The library for a driver.
 *
 * @throws EngineError when there is no build, naming the command; UsageError when h5wasm is asked for what it cannot
 */
export function libraryFor(driver: "sec2" | "core" | "mpio"): Library {
  if (wanted !== undefined && wanted !== "wasm" && wanted !== "native")
    throw usage("GIRONA_HDF5", `"${wanted}" is set; it takes native or wasm`);
  if (driver === "mpio") {
    if (wanted === "wasm") throw usage("driver", "h5wasm (GIRONA_HDF5=wasm) has no mpio; it needs the native HDF5");
    return native("hdf5-mpi");
  }
  if (backend === "wasm") return startedWasm();
  // The build for MPI serves one process as well; the serial one is the better tested there.
  return native(findBuild("hdf5") === undefined && findBuild("hdf5-mpi") ? "hdf5-mpi" : "hdf5");
}

/** The HDF5 that serves files of one process: `"HDF5 1.10.8 (serial)"`. A file's `library` says which has it open. */
export const library: string = describe();

function describe(): string {
  if (backend === "wasm") return wasmVersion() ?? "none: neither a build for HDF5 nor the package h5wasm is there";
  try {
    return libraryFor("sec2").description;
  } catch (error) {
    // Importing must not fail for programs that open no file; opening one throws this again.
    return `none: ${(error as Error).message}`;
  }
}
