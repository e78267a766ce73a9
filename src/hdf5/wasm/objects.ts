/** Files, groups and links of h5wasm, which knows objects by file and path: handles stand for those. */
import type { Handle, RawFileOptions } from "../raw.js";
import type { Link } from "../types.js";
import { type Remote, rawError, wasmVersion } from "./remote.js";
import { cannot } from "./types.js";

/** What a handle stands for. */
interface Place {
  readonly file: bigint;
  readonly path: string;
  readonly attribute?: string | undefined;
}

export const kinds = { group: 0, dataset: 1, type: 2, soft: 3, external: 4 };

export const join = (at: string, path: string): string => {
  const whole = path.startsWith("/") ? path : `${at}/${path}`;
  return `/${whole
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")}`;
};

export class WasmObjects {
  protected readonly remote: Remote;
  readonly #places: (Place | undefined)[] = [];

  constructor(remote: Remote) {
    this.remote = remote;
    // What h5wasm has no call for is refused by name, so that nothing does less than it says.
    const refused = {
      linkMove: "moves or renames",
      linkDelete: "deletes",
      copy: "copies",
      typeCommit: "stores types",
      atomicity: "has atomic files",
      userBlock: "knows of user blocks",
      datasetFlush: "flushes one dataset",
      address: "refers to objects",
    };
    for (const [name, what] of Object.entries(refused)) {
      Object.defineProperty(this, name, {
        value: () => {
          throw rawError("usage", `h5wasm: it never ${what}; the native HDF5 does: npx girona build hdf5`);
        },
      });
    }
  }

  protected add(place: Place): Handle {
    return this.#places.push(place) - 1;
  }

  protected at(handle: Handle): Place {
    const place = this.#places[handle];
    if (!place) throw rawError("file", "it is closed");
    return place;
  }

  info = () => ({ version: `2.0, ${wasmVersion()}`, parallel: false, gzip: true });
  useReferenceClass = (): void => {};

  isHdf5(path: string): boolean {
    try {
      this.remote.call("close_file", this.#open(path, "H5F_ACC_RDONLY", false));
      return true;
    } catch {
      return false;
    }
  }

  #open(path: string, flag: string, trackOrder: boolean): bigint {
    const id = this.remote.call<bigint>("open", path, this.remote.ask("constant", flag), trackOrder, -1, -1);
    if (id < 0n) throw rawError("hdf5", "H5Fopen: unable to open file");
    return id;
  }

  fileOpen(path: string, mode: string, options: RawFileOptions): Handle {
    const { driver, alignment, cache, locking, userBlock, low, swmr, trackOrder } = options;
    if (driver !== "sec2") throw cannot(`files of the driver ${driver}`);
    if (alignment || cache || locking || userBlock || low)
      throw cannot("files with alignment, chunkCache, locking, userBlock or format");
    const flags: Record<string, string> = {
      r: swmr ? "H5F_ACC_SWMR_READ" : "H5F_ACC_RDONLY",
      "r+": "H5F_ACC_RDWR",
      w: "H5F_ACC_TRUNC",
      "w-": "H5F_ACC_EXCL",
    };
    const flag = flags[mode] ?? (this.isHdf5(path) ? "H5F_ACC_RDWR" : "H5F_ACC_EXCL");
    return this.add({ file: this.#open(path, flag, trackOrder), path: "/" });
  }

  fileClose(handle: Handle): void {
    const { file } = this.at(handle);
    for (const [i, place] of this.#places.entries()) if (place?.file === file) this.#places[i] = undefined;
    this.remote.call("close_file", file);
  }

  flush(handle: Handle): void {
    this.remote.call("flush", this.at(handle).file);
  }

  startSwmr(handle: Handle): void {
    this.remote.call("H5Fstart_swmr_write", this.at(handle).file);
  }

  close(handle: Handle): void {
    this.#places[handle] = undefined;
  }

  /** One of `kinds`; -1 when there is nothing. */
  protected kind(file: bigint, path: string): number {
    if (path === "/") return kinds.group;
    try {
      const kind = this.remote.call<number>("get_type", file, path);
      return kind === kinds.external ? this.#behindExternal(file, path) : kind;
    } catch {
      return -1;
    }
  }

  #behindExternal(file: bigint, path: string): number {
    try {
      this.remote.call("get_dataset_metadata", file, path);
      return kinds.dataset;
    } catch {
      return kinds.external;
    }
  }

  objectOpen(at: Handle, path: string | bigint): [Handle, "group" | "dataset" | "type"] {
    const place = this.at(at);
    if (typeof path === "bigint") throw cannot("references, nor does it follow them");
    const whole = join(place.path, path);
    const kind = (["group", "dataset", "type"] as const)[this.kind(place.file, whole)];
    if (!kind) throw rawError("hdf5", `H5Oopen: object '${path}' doesn't exist`);
    return [this.add({ file: place.file, path: whole }), kind];
  }

  objectName = (handle: Handle): string => this.at(handle).path;

  sameObject(a: Handle, b: Handle): boolean {
    const [one, other] = [this.at(a), this.at(b)];
    return one.file === other.file && one.path === other.path;
  }

  keys(group: Handle): string[] {
    const { file, path } = this.at(group);
    return this.remote.call("get_names", file, path, false);
  }

  visit(group: Handle): string[] {
    const { file, path } = this.at(group);
    const below = this.remote.call<string[]>("get_names", file, path, true);
    return below.filter((name) => name !== "." && [0, 1, 2].includes(this.kind(file, join(path, name))));
  }

  exists(at: Handle, path: string): boolean {
    const place = this.at(at);
    return [0, 1, 2].includes(this.kind(place.file, join(place.path, path)));
  }

  linkInfo(at: Handle, path: string): Link | undefined {
    const place = this.at(at);
    const whole = join(place.path, path);
    const ask = <T>(name: string): T | undefined => {
      try {
        return this.remote.call<T>(name, place.file, whole);
      } catch {
        return undefined;
      }
    };
    const kind = ask<number>("get_type") ?? -1;
    if (kind < 0) return undefined;
    const external = ask<{ filename?: string; obj_path?: string }>("get_external_link");
    if (kind === kinds.external)
      return { kind: "external", file: external?.filename ?? "", target: external?.obj_path ?? "" };
    const soft = ask<string>("get_symbolic_link");
    return soft ? { kind: "soft", target: soft } : { kind: "hard" };
  }

  linkSoft(at: Handle, path: string, target: string): void {
    const place = this.at(at);
    this.parents(place, path);
    this.done(this.remote.call("create_soft_link", place.file, target, join(place.path, path)), "H5Lcreate_soft");
  }

  linkExternal(at: Handle, path: string, file: string, target: string): void {
    const place = this.at(at);
    this.parents(place, path);
    this.done(
      this.remote.call("create_external_link", place.file, file, target, join(place.path, path)),
      "H5Lcreate_external",
    );
  }

  linkHard(at: Handle, path: string, targetAt: Handle, target: string): void {
    const place = this.at(at);
    this.parents(place, path);
    const whole = join(this.at(targetAt).path, target);
    this.done(this.remote.call("create_hard_link", place.file, whole, join(place.path, path)), "H5Lcreate_hard");
  }

  protected done(status: number, call: string): void {
    if (status < 0) throw rawError("hdf5", `${call}: it failed without a reason`);
  }

  protected parents({ file, path: at }: Place, path: string): void {
    const parts = join(at, path).split("/").slice(1, -1);
    for (let i = 1; i <= parts.length; i++) {
      const above = `/${parts.slice(0, i).join("/")}`;
      if (this.kind(file, above) < 0) this.done(this.remote.call("create_group", file, above, false), "H5Gcreate2");
    }
  }

  protected mustBeNew(place: Place, path: string): void {
    if (this.kind(place.file, join(place.path, path)) >= 0) throw rawError("hdf5", "H5Lcreate: name already exists");
  }

  groupCreate(at: Handle, path: string, trackOrder: boolean): Handle {
    const place = this.at(at);
    this.mustBeNew(place, path);
    this.parents(place, path);
    const whole = join(place.path, path);
    this.done(this.remote.call("create_group", place.file, whole, trackOrder), "H5Gcreate2");
    return this.add({ file: place.file, path: whole });
  }
}
