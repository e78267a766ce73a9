/** The library's functions (raw.ts) over those of h5wasm: what it cannot is refused in words. */
import type { TypedArray } from "../../common/index.js";
import type { Handle, RawDatasetInfo, RawDatasetOptions, RawLibrary, RawSelection, RawType } from "../raw.js";
import type { AnyElement, AnyElements } from "../types.js";
import { join, kinds, WasmObjects } from "./objects.js";
import { Remote, rawError, wasmVersion } from "./remote.js";
import { blocksOf, checkSize, eachRow, readBlocks, type Target, writeBlocks } from "./transfer.js";
import { cannot, decode, type Metadata, metadataOf, rawOf, typedArray } from "./types.js";

/** `undefined` when the package is not installed. */
export function startWasm(): RawLibrary | undefined {
  return wasmVersion() === undefined ? undefined : (new WasmLibrary(new Remote()) as unknown as RawLibrary);
}

/** Types, datasets and attributes, on top of what holds them. */
class WasmLibrary extends WasmObjects {
  readonly #types: RawType[] = [];

  typeMake(type: RawType): Handle {
    return this.#types.push(type) - 1;
  }

  #metadata(handle: Handle): Metadata {
    const { file, path, attribute } = this.at(handle);
    if (attribute !== undefined) return this.remote.call("get_attribute_metadata", file, path, attribute);
    return this.kind(file, path) === kinds.type
      ? this.remote.call("get_datatype_metadata", file, path)
      : this.remote.call("get_dataset_metadata", file, path);
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
    const place = this.at(at);
    if (shape === null) throw cannot("datasets without a dataspace");
    if (options.shuffle || options.fletcher32) throw cannot("shuffled data or checksums");
    if (options.virtual) throw cannot("virtual datasets");
    const zero = options.fillValue === undefined || [0, 0n, "", false].includes(options.fillValue as 0);
    if (!zero) throw cannot("fill values other than zero");
    this.mustBeNew(place, path);
    this.parents(place, path);
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
    return this.add({ file: place.file, path: whole });
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
      this.done(this.remote.call(`create_vlen_str_${what}`, ...where, texts, description), what);
      return;
    }
    const pointer = this.remote.ask<number>("allocate", typeof bytes === "number" ? bytes : bytes.byteLength);
    try {
      if (typeof bytes !== "number") this.remote.ask("store", pointer, bytes);
      this.done(this.remote.call(`create_${what}`, ...where, BigInt(pointer), description), what);
    } finally {
      this.remote.ask("free", pointer);
    }
  }

  datasetInfo(handle: Handle): RawDatasetInfo {
    const { file, path } = this.at(handle);
    const meta = this.#metadata(handle);
    const filters = this.remote.call<{ id: number; cd_values: number[] }[]>("get_dataset_filters", file, path);
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
    const { file, path } = this.at(handle);
    this.done(this.remote.call("resize_dataset", file, path, shape.map(BigInt)), "H5Dset_extent");
  }

  refresh(handle: Handle): void {
    const { file, path } = this.at(handle);
    this.done(this.remote.call("refresh_dataset", file, path), "H5Drefresh");
  }

  // An attribute is made when it is written: h5wasm does both in one call.
  readonly #unmade = new Map<Handle, { type: RawType; shape: readonly number[] }>();

  attributeCreate(at: Handle, name: string, type: Handle, shape: readonly number[] | null): Handle {
    const { file, path } = this.at(at);
    if (shape === null) throw cannot("attributes without a value");
    const made = this.#types[type]!;
    metadataOf(made);
    const handle = this.add({ file, path, attribute: name });
    this.#unmade.set(handle, { type: made, shape });
    return handle;
  }

  #makeAttribute(handle: Handle, texts: string[], bytes: Uint8Array): void {
    const { file, path, attribute } = this.at(handle);
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
    const { file, path } = this.at(at);
    return this.add({ file, path, attribute: name });
  }

  attributeExists = (at: Handle, name: string): boolean => this.attributeNames(at).includes(name);

  attributeDelete(at: Handle, name: string): void {
    const { file, path } = this.at(at);
    this.remote.call("delete_attribute", file, path, name);
  }

  attributeNames(at: Handle): string[] {
    const { file, path } = this.at(at);
    return this.remote.call("get_attribute_names", file, path);
  }

  #target(handle: Handle, meta: Metadata): Target {
    const { file, path, attribute } = this.at(handle);
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
    const results = readBlocks(this.remote, this.#target(handle, meta), selection, (data) => {
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
    for (const { block, result } of readBlocks(this.remote, this.#target(handle, meta), selection, (data) =>
      decode(this.remote, meta, data),
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
    writeBlocks(this.remote, this.#target(handle, meta), selection, bytes);
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
    else writeBlocks(this.remote, this.#target(handle, this.#metadata(handle)), selection, bytes);
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
