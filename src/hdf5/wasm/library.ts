/** The library's functions (raw.ts) over those of h5wasm: what it cannot is refused in words. */
import type { TypedArray } from "../../common/index.js";
import type {
  Handle,
  RawDatasetInfo,
  RawDatasetOptions,
  RawFileOptions,
  RawLibrary,
  RawSelection,
  RawType,
} from "../raw.js";
import type { AnyElement, AnyElements, Link } from "../types.js";
import { Remote, rawError, wasmVersion } from "./remote.js";
import { blocksOf, checkSize, eachRow, readBlocks, type Target, writeBlocks } from "./transfer.js";
import { cannot, decode, type Metadata, metadataOf, rawOf, typedArray } from "./types.js";

/** What a handle stands for: h5wasm knows objects by file and path. */
interface Place {
  readonly file: bigint;
  readonly path: string;
  readonly attribute?: string | undefined;
}

const kinds = { group: 0, dataset: 1, type: 2, soft: 3, external: 4 };

/** `undefined` when the package is not installed. */
export function startWasm(): RawLibrary | undefined {
  return wasmVersion() === undefined ? undefined : (new WasmLibrary(new Remote()) as unknown as RawLibrary);
}

const join = (at: string, path: string): string => {
  const whole = path.startsWith("/") ? path : `${at}/${path}`;
  return `/${whole
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")}`;
};

class WasmLibrary {
  readonly #remote: Remote;
  readonly #places: (Place | undefined)[] = [];
  readonly #types: RawType[] = [];

  constructor(remote: Remote) {
    this.#remote = remote;
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

  #add(place: Place): Handle {
    return this.#places.push(place) - 1;
  }

  #at(handle: Handle): Place {
    const place = this.#places[handle];
    if (!place) throw rawError("file", "it is closed");
    return place;
  }

  info = () => ({ version: `2.0, ${wasmVersion()}`, parallel: false, gzip: true });
  useReferenceClass = (): void => {};

  isHdf5(path: string): boolean {
    try {
      this.#remote.call("close_file", this.#open(path, "H5F_ACC_RDONLY", false));
      return true;
    } catch {
      return false;
    }
  }

  #open(path: string, flag: string, trackOrder: boolean): bigint {
    const id = this.#remote.call<bigint>("open", path, this.#remote.ask("constant", flag), trackOrder, -1, -1);
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
    return this.#add({ file: this.#open(path, flag, trackOrder), path: "/" });
  }

  fileClose(handle: Handle): void {
    const { file } = this.#at(handle);
    for (const [i, place] of this.#places.entries()) if (place?.file === file) this.#places[i] = undefined;
    this.#remote.call("close_file", file);
  }

  flush(handle: Handle): void {
    this.#remote.call("flush", this.#at(handle).file);
  }

  startSwmr(handle: Handle): void {
    this.#remote.call("H5Fstart_swmr_write", this.#at(handle).file);
  }

  close(handle: Handle): void {
    this.#places[handle] = undefined;
  }

  /** One of `kinds`; -1 when there is nothing. */
  #kind(file: bigint, path: string): number {
    if (path === "/") return kinds.group;
    try {
      const kind = this.#remote.call<number>("get_type", file, path);
      return kind === kinds.external ? this.#behindExternal(file, path) : kind;
    } catch {
      return -1;
    }
  }

  #behindExternal(file: bigint, path: string): number {
    try {
      this.#remote.call("get_dataset_metadata", file, path);
      return kinds.dataset;
    } catch {
      return kinds.external;
    }
  }

  objectOpen(at: Handle, path: string | bigint): [Handle, "group" | "dataset" | "type"] {
    const place = this.#at(at);
    if (typeof path === "bigint") throw cannot("references, nor does it follow them");
    const whole = join(place.path, path);
    const kind = (["group", "dataset", "type"] as const)[this.#kind(place.file, whole)];
    if (!kind) throw rawError("hdf5", `H5Oopen: object '${path}' doesn't exist`);
    return [this.#add({ file: place.file, path: whole }), kind];
  }

  objectName = (handle: Handle): string => this.#at(handle).path;

  sameObject(a: Handle, b: Handle): boolean {
    const [one, other] = [this.#at(a), this.#at(b)];
    return one.file === other.file && one.path === other.path;
  }

  keys(group: Handle): string[] {
    const { file, path } = this.#at(group);
    return this.#remote.call("get_names", file, path, false);
  }

  visit(group: Handle): string[] {
    const { file, path } = this.#at(group);
    const below = this.#remote.call<string[]>("get_names", file, path, true);
    return below.filter((name) => name !== "." && [0, 1, 2].includes(this.#kind(file, join(path, name))));
  }

  exists(at: Handle, path: string): boolean {
    const place = this.#at(at);
    return [0, 1, 2].includes(this.#kind(place.file, join(place.path, path)));
  }

  linkInfo(at: Handle, path: string): Link | undefined {
    const place = this.#at(at);
    const whole = join(place.path, path);
    const ask = <T>(name: string): T | undefined => {
      try {
        return this.#remote.call<T>(name, place.file, whole);
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
    const place = this.#at(at);
    this.#parents(place, path);
    this.#done(this.#remote.call("create_soft_link", place.file, target, join(place.path, path)), "H5Lcreate_soft");
  }

  linkExternal(at: Handle, path: string, file: string, target: string): void {
    const place = this.#at(at);
    this.#parents(place, path);
    this.#done(
      this.#remote.call("create_external_link", place.file, file, target, join(place.path, path)),
      "H5Lcreate_external",
    );
  }

  linkHard(at: Handle, path: string, targetAt: Handle, target: string): void {
    const place = this.#at(at);
    this.#parents(place, path);
    const whole = join(this.#at(targetAt).path, target);
    this.#done(this.#remote.call("create_hard_link", place.file, whole, join(place.path, path)), "H5Lcreate_hard");
  }

  #done(status: number, call: string): void {
    if (status < 0) throw rawError("hdf5", `${call}: it failed without a reason`);
  }

  #parents({ file, path: at }: Place, path: string): void {
    const parts = join(at, path).split("/").slice(1, -1);
    for (let i = 1; i <= parts.length; i++) {
      const above = `/${parts.slice(0, i).join("/")}`;
      if (this.#kind(file, above) < 0) this.#done(this.#remote.call("create_group", file, above, false), "H5Gcreate2");
    }
  }

  #mustBeNew(place: Place, path: string): void {
    if (this.#kind(place.file, join(place.path, path)) >= 0) throw rawError("hdf5", "H5Lcreate: name already exists");
  }

  groupCreate(at: Handle, path: string, trackOrder: boolean): Handle {
    const place = this.#at(at);
    this.#mustBeNew(place, path);
    this.#parents(place, path);
    const whole = join(place.path, path);
    this.#done(this.#remote.call("create_group", place.file, whole, trackOrder), "H5Gcreate2");
    return this.#add({ file: place.file, path: whole });
  }

  typeMake(type: RawType): Handle {
    return this.#types.push(type) - 1;
  }

  #metadata(handle: Handle): Metadata {
    const { file, path, attribute } = this.#at(handle);
    if (attribute !== undefined) return this.#remote.call("get_attribute_metadata", file, path, attribute);
    return this.#kind(file, path) === kinds.type
      ? this.#remote.call("get_datatype_metadata", file, path)
      : this.#remote.call("get_dataset_metadata", file, path);
  }

  typeOf = (handle: Handle): RawType => rawOf(this.#metadata(handle));
  shape = (handle: Handle): number[] | null => this.#metadata(handle).shape;

  datasetCreate(
    at: Handle,
    path: string,
    type: Handle,
    shape: readonly number[] | null,
    maxShape: readonly number[] | undefined,
    options: RawDatasetOptions,
  ): Handle {
    const place = this.#at(at);
    if (shape === null) throw cannot("datasets without a dataspace");
    if (options.shuffle || options.fletcher32) throw cannot("shuffled data or checksums");
    if (options.virtual) throw cannot("virtual datasets");
    const zero = options.fillValue === undefined || [0, 0n, "", false].includes(options.fillValue as 0);
    if (!zero) throw cannot("fill values other than zero");
    this.#mustBeNew(place, path);
    this.#parents(place, path);
    const meta = metadataOf(this.#types[type]!);
    const count = shape.reduce((n, length) => n * length, 1);
    checkSize(count * meta.size);
    const unlimited = 2n ** 64n - 1n;
    const whole = join(place.path, path);
    const description = {
      ...meta,
      shape: shape.map(BigInt),
      maxshape: (maxShape ?? shape).map((n) => (n < 0 ? unlimited : BigInt(n))),
      chunks: options.chunks?.map(BigInt) ?? null,
      compression: options.gzip === undefined ? 0 : 1,
      compression_opts: options.gzip === undefined ? [] : [options.gzip],
      track_order: options.trackOrder,
    };
    this.#make(
      "dataset",
      [place.file, whole],
      description,
      new Array(meta.vlen ? count : 0).fill(""),
      count * meta.size,
    );
    return this.#add({ file: place.file, path: whole });
  }

  /** Datasets and attributes are made with their data; `bytes` of zeros where there is none yet. */
  #make(
    what: "dataset" | "attribute",
    where: unknown[],
    description: { vlen: boolean },
    texts: string[],
    bytes: number | Uint8Array,
  ): void {
    if (description.vlen) {
      this.#done(this.#remote.call(`create_vlen_str_${what}`, ...where, texts, description), what);
      return;
    }
    const pointer = this.#remote.ask<number>("allocate", typeof bytes === "number" ? bytes : bytes.byteLength);
    try {
      if (typeof bytes !== "number") this.#remote.ask("store", pointer, bytes);
      this.#done(this.#remote.call(`create_${what}`, ...where, BigInt(pointer), description), what);
    } finally {
      this.#remote.ask("free", pointer);
    }
  }

  datasetInfo(handle: Handle): RawDatasetInfo {
    const { file, path } = this.#at(handle);
    const meta = this.#metadata(handle);
    const filters = this.#remote.call<{ id: number; cd_values: number[] }[]>("get_dataset_filters", file, path);
    const gzip = filters.find((one) => one.id === 1)?.cd_values[0];
    return {
      // What is beyond 2^53 is no limit.
      maxShape: meta.maxshape?.map((n) => (n >= 0 && n <= Number.MAX_SAFE_INTEGER ? n : null)) ?? null,
      storageBytes: meta.total_size * meta.size,
      missingFilters: filters.filter((one) => one.id > 6).map((one) => String(one.id)),
      shuffle: filters.some((one) => one.id === 2),
      fletcher32: filters.some((one) => one.id === 3),
      ...(meta.chunks ? { chunks: meta.chunks } : {}),
      ...(gzip === undefined ? {} : { gzip }),
      ...(meta.virtual_sources
        ? { virtual: meta.virtual_sources.map((one) => ({ file: one.file_name, dataset: one.dset_name })) }
        : {}),
    };
  }

  fillValue(): AnyElement {
    throw rawError("usage", "h5wasm: it does not tell fill values; the native HDF5 does: npx girona build hdf5");
  }

  resize(handle: Handle, shape: readonly number[]): void {
    const { file, path } = this.#at(handle);
    this.#done(this.#remote.call("resize_dataset", file, path, shape.map(BigInt)), "H5Dset_extent");
  }

  refresh(handle: Handle): void {
    const { file, path } = this.#at(handle);
    this.#done(this.#remote.call("refresh_dataset", file, path), "H5Drefresh");
  }

  // An attribute is made when it is written: h5wasm does both in one call.
  readonly #unmade = new Map<Handle, { type: RawType; shape: readonly number[] }>();

  attributeCreate(at: Handle, name: string, type: Handle, shape: readonly number[] | null): Handle {
    const { file, path } = this.#at(at);
    if (shape === null) throw cannot("attributes without a value");
    const made = this.#types[type]!;
    metadataOf(made);
    const handle = this.#add({ file, path, attribute: name });
    this.#unmade.set(handle, { type: made, shape });
    return handle;
  }

  #makeAttribute(handle: Handle, texts: string[], bytes: Uint8Array): void {
    const { file, path, attribute } = this.#at(handle);
    const { type, shape } = this.#unmade.get(handle)!;
    this.#unmade.delete(handle);
    const description = { ...metadataOf(type), shape: shape.map(BigInt), maxshape: shape.map(BigInt) };
    const makeAs = (name: string) => this.#make("attribute", [file, path, name], description, texts, bytes);
    makeAs(attribute!);
    this.#justMade = { name: attribute!, makeAs };
  }

  /** Replacing an attribute makes a second one and renames it, which here is to make it once more. */
  #justMade: { name: string; makeAs: (name: string) => void } | undefined;

  attributeRename(at: Handle, name: string, to: string): void {
    if (this.#justMade?.name !== name)
      throw rawError("usage", "h5wasm: it never renames attributes; the native HDF5 does: npx girona build hdf5");
    this.#justMade.makeAs(to);
    this.attributeDelete(at, name);
  }

  attributeOpen(at: Handle, name: string): Handle {
    const { file, path } = this.#at(at);
    return this.#add({ file, path, attribute: name });
  }

  attributeExists = (at: Handle, name: string): boolean => this.attributeNames(at).includes(name);

  attributeDelete(at: Handle, name: string): void {
    const { file, path } = this.#at(at);
    this.#remote.call("delete_attribute", file, path, name);
  }

  attributeNames(at: Handle): string[] {
    const { file, path } = this.#at(at);
    return this.#remote.call("get_attribute_names", file, path);
  }

  #target(handle: Handle, meta: Metadata): Target {
    const { file, path, attribute } = this.#at(handle);
    const points = JSON.stringify(meta).includes('"vlen":true') || meta.vlen_type !== undefined;
    return { file, path, attribute, size: meta.size, count: meta.total_size, points };
  }

  readNumbers(handle: Handle, memory: Handle, selection: RawSelection, into: TypedArray): void {
    const meta = this.#metadata(handle);
    const plain = meta.array_type ?? meta;
    const wanted = this.#types[memory]!;
    const stored = rawOf(meta);
    if (!sameInMemory(stored, wanted))
      throw rawError("usage", "dtype: h5wasm does not convert; the native HDF5 does: npx girona build hdf5");
    const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
    const shape = selection ? blocksOf(selection).shape : [];
    const results = readBlocks(this.#remote, this.#target(handle, meta), selection, (data) => {
      const own = plain.type === 1 && plain.size === 2 ? typedArray(plain, data) : data;
      return own instanceof Uint8Array ? own : new Uint8Array((own as Float32Array).buffer);
    });
    const size = plain.type === 1 && plain.size === 2 ? meta.size * 2 : meta.size;
    for (const { block, result } of results) {
      if (!block) bytes.set(result);
      else eachRow(block, shape, size, (whole, at, n) => bytes.set(result.subarray(at, at + n), whole));
    }
  }

  readValues(handle: Handle, memory: Handle, selection: RawSelection): AnyElements {
    const meta = this.#metadata(handle);
    if (this.#types[memory]!.class !== rawOf(meta).class) throw rawError("usage", "dtype: h5wasm does not convert");
    if (hasBigNumbers(rawOf(meta)))
      throw rawError(
        "usage",
        "dtype: h5wasm does not read big-endian numbers in records, sequences and enumerations; the native HDF5 does: npx girona build hdf5",
      );
    const whole = this.#types[memory] as RawType & { class: "compound" };
    if (
      whole.class === "compound" &&
      whole.names.length < meta.compound_type!.members.length &&
      meta.compound_type!.members.length > 1
    )
      void whole; // a field alone: the records have it among the others
    const shape = selection ? blocksOf(selection).shape : [];
    const values: AnyElement[] = [];
    for (const { block, result } of readBlocks(this.#remote, this.#target(handle, meta), selection, (data) =>
      decode(this.#remote, meta, data),
    )) {
      if (!block) values.push(...result);
      else
        eachRow(block, shape, 1, (to, from, n) => {
          for (let i = 0; i < n; i++) values[to + i] = result[from + i]!;
        });
    }
    return values;
  }

  writeNumbers(handle: Handle, memory: Handle, selection: RawSelection, from: TypedArray): void {
    const bytes = new Uint8Array(from.buffer, from.byteOffset, from.byteLength);
    if (this.#unmade.has(handle)) {
      this.#makeAttribute(handle, [], bytes);
      return;
    }
    const meta = this.#metadata(handle);
    const wanted = this.#types[memory]!;
    if (!sameInMemory(rawOf(meta), wanted) || (meta.type === 1 && meta.size === 2))
      throw rawError("usage", "dtype: h5wasm does not convert");
    writeBlocks(this.#remote, this.#target(handle, meta), selection, bytes);
  }

  writeValues(handle: Handle, memory: Handle, selection: RawSelection, values: AnyElements): void {
    const type = this.#types[memory]!;
    const unmade = this.#unmade.has(handle);
    if (type.class !== "string") throw cannot(`elements of the class ${type.class}`);
    const texts = values.map((one) => checkText(one, type));
    if (unmade && type.size === 0) return this.#makeAttribute(handle, texts, new Uint8Array(0));
    const stored = unmade ? type : (rawOf(this.#metadata(handle)) as typeof type);
    if (stored.size === 0) throw cannot("strings of any length but as attributes");
    const bytes = new Uint8Array(texts.length * stored.size).fill(stored.pad === 2 ? 32 : 0);
    for (const [i, text] of texts.entries())
      bytes.set(fitted(text, stored.size - (stored.pad === 0 ? 1 : 0)), i * stored.size);
    if (unmade) this.#makeAttribute(handle, [], bytes);
    else writeBlocks(this.#remote, this.#target(handle, this.#metadata(handle)), selection, bytes);
  }
}

function checkText(value: unknown, type: RawType & { class: "string" }): string {
  if (typeof value !== "string" || value.includes("\0"))
    throw rawError("usage", "values: an element must be a string without zeros");
  if (!type.utf8 && /[^\x01-\x7f]/.test(value))
    throw rawError("usage", "values: an element must be a string of ASCII characters");
  return value;
}

function fitted(text: string, room: number): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > room)
    throw rawError("usage", `values: an element must be a string of at most ${room} bytes, and has ${bytes.length}`);
  return bytes;
}

/** Does the stored type, its bytes in the order of this machine, lie in memory as the wanted one? */
function sameInMemory(stored: RawType, wanted: RawType): boolean {
  if (stored.class === "array" && wanted.class === "array") return sameInMemory(stored.base, wanted.base);
  if (stored.class === "enum") return sameInMemory(stored.base, wanted.class === "enum" ? wanted.base : wanted);
  if (stored.class === "float" && wanted.class === "float")
    return stored.size === wanted.size || (stored.size === 2 && wanted.size === 4);
  return (
    stored.class === "integer" &&
    wanted.class === "integer" &&
    stored.size === wanted.size &&
    stored.signed === wanted.signed
  );
}

/** Within other types h5wasm gives the bytes of numbers as they are stored. */
function hasBigNumbers(type: RawType): boolean {
  if (type.class === "integer" || type.class === "float") return type.big;
  if (type.class === "compound") return type.types.some(hasBigNumbers);
  return "base" in type && hasBigNumbers(type.base);
}
