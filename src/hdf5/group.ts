/** Groups: folders of a file. */
import { type DType, type DTypeOf, isDType, type NDArray, type TypedArray } from "../common/index.js";
import { checkLengths, checkNames, checkPath, show, showShape, usage } from "./check.js";
import { checkFill, checkMaxShape, checkStored, type DatasetPlan, planDataset, typeOfValues } from "./create.js";
import { DatasetNode, type View } from "./dataset.js";
import { type Inside, insideOf, joinPath, ObjectNode } from "./node.js";
import type { RawType } from "./raw.js";
import { Reference } from "./reference.js";
import { elementType, nameOf, opensAs } from "./type-mapping.js";
import type {
  AnyDataset,
  AnyElement,
  CopyOptions,
  Dataset,
  DatasetOptions,
  ElementType,
  Group,
  Link,
  Node,
  PutOptions,
  VirtualDatasetOptions,
  VirtualSource,
} from "./types.js";
import { planSource } from "./virtual-source.js";

type AnyNode = Group | AnyDataset;

export class GroupNode extends ObjectNode implements Group {
  readonly kind = "group" as const;
  /** Of files opened with `trackOrder`: new objects remember the order too. */
  readonly #trackOrder: boolean;

  constructor(inside: Inside, trackOrder: boolean) {
    super(inside);
    this.#trackOrder = trackOrder;
  }

  #path(path: string): string {
    return joinPath(this.inside.path, path);
  }

  #child(handle: number, path: string): Inside {
    return { ...this.inside, handle, path: this.#path(path) };
  }

  keys(): string[] {
    return this.call("list", "look", "", (raw) => raw.keys(this.inside.handle));
  }

  entries(): [name: string, node: AnyNode][] {
    return this.keys().flatMap((name): [string, AnyNode][] => {
      const node = this.has(name) ? this.#open(name) : undefined;
      return node && node !== "type" ? [[name, node]] : [];
    });
  }

  has(path: string): boolean {
    checkPath("path", path);
    return this.call("look for", "look", "", (raw) => raw.exists(this.inside.handle, path), this.#path(path));
  }

  get(path: string | Reference): AnyNode {
    if (!(path instanceof Reference)) checkPath("path", path);
    const node = this.#open(path);
    if (node !== "type") return node;
    throw this.failure("open", "it is a named type; type(path) gives it", this.#path(path as string));
  }

  group(path: string): Group {
    const node = this.get(path);
    if (node.kind === "group") return node;
    throw this.failure(
      "open",
      `it is a dataset of ${nameOf(node.dtype)}, not a group; dataset(path, dtype) opens it`,
      this.#path(path),
    );
  }

  #open(path: string | Reference): AnyNode | "type" {
    const shown = path instanceof Reference ? `reference ${path.address}` : this.#path(path);
    return this.call(
      "open",
      "look",
      "",
      (raw) => {
        const [handle, kind] = raw.objectOpen(this.inside.handle, path instanceof Reference ? path.address : path);
        const inside = {
          ...this.inside,
          handle,
          path: path instanceof Reference ? raw.objectName(handle) || shown : shown,
        };
        if (kind === "group") return new GroupNode(inside, this.#trackOrder);
        if (kind === "dataset") return new DatasetNode(inside, viewOf(raw.typeOf(handle))) as unknown as AnyDataset;
        raw.close(handle);
        return "type";
      },
      shown,
    );
  }

  dataset(path: string): Dataset<"f8">;
  dataset<const T extends ElementType>(path: string, dtype: T): Dataset<T>;
  dataset(path: string, dtype: ElementType = "f8"): unknown {
    checkPath("path", path);
    checkStored(dtype, undefined);
    return this.call(
      "open",
      "look",
      "",
      (raw) => {
        const [handle, kind] = raw.objectOpen(this.inside.handle, path);
        if (kind === "dataset") {
          const stored = raw.typeOf(handle);
          if (opensAs(stored, dtype))
            return new DatasetNode(this.#child(handle, path), { type: dtype, field: undefined });
          raw.close(handle);
          throw this.#otherType(path, stored, dtype);
        }
        raw.close(handle);
        throw this.failure("open", `it is a ${kind}, not a dataset`, this.#path(path));
      },
      this.#path(path),
    );
  }

  #otherType(path: string, stored: RawType, wanted: ElementType): Error {
    const own = elementType(stored);
    const next =
      typeof own === "string" ? `dataset("${path}", "${own}")` : "get(path), or dataset(path, type) with its type,";
    const convert = isDType(own) && isDType(wanted) ? `; .astype("${wanted}") of it converts` : "";
    return this.failure(
      "open",
      `it holds ${nameOf(stored)}, not ${nameOf(wanted)}; ${next} opens it${convert}`,
      this.#path(path),
    );
  }

  visit(each: (path: string, node: AnyNode) => unknown): void {
    const paths = this.call("visit", "look", "", (raw) => raw.visit(this.inside.handle));
    for (const path of paths) {
      const node = this.#open(path);
      if (node !== "type" && each(path, node) === true) return;
    }
  }

  createGroup(path: string, options: { trackOrder?: boolean | undefined } = {}): Group {
    checkPath("path", path);
    checkNames("createGroup", options, ["trackOrder"]);
    const trackOrder = options.trackOrder ?? this.#trackOrder;
    const create = (): number =>
      this.call(
        "create group",
        "change",
        "",
        (raw) => raw.groupCreate(this.inside.handle, path, trackOrder),
        this.#path(path),
      );
    return new GroupNode(this.#child(create(), path), this.#trackOrder);
  }

  requireGroup(path: string): Group {
    return this.has(path) ? this.group(path) : this.createGroup(path);
  }

  createDataset<const T extends ElementType>(path: string, options: DatasetOptions<T>): Dataset<T> {
    checkPath("path", path);
    return this.#create(
      path,
      options.dtype,
      planDataset(this.inside.state.library, options as unknown as DatasetOptions<ElementType>, this.#trackOrder),
      "create dataset",
    );
  }

  #create(path: string, dtype: ElementType, plan: DatasetPlan, operation: string): never {
    const { library } = this.inside.state;
    const { chunks, gzip, shuffle, fletcher32 } = plan.options;
    const args = [
      nameOf(plan.stored),
      plan.shape === null ? "null" : showShape(plan.shape),
      plan.maxShape && `maxShape ${showShape(plan.maxShape)}`,
      chunks && `chunks ${showShape(chunks)}`,
      gzip !== undefined && `gzip ${gzip}`,
      shuffle && "shuffle",
      fletcher32 && "fletcher32",
    ];
    const handle = this.call(
      operation,
      "change",
      args.filter(Boolean).join(", "),
      (raw) =>
        raw.datasetCreate(this.inside.handle, path, library.type(plan.stored), plan.shape, plan.maxShape, plan.options),
      this.#path(path),
    );
    return new DatasetNode(this.#child(handle, path), { type: dtype, field: undefined }) as never;
  }

  put<A extends TypedArray>(path: string, values: A, options?: PutOptions<DTypeOf<A>>): Dataset<DTypeOf<A>>;
  put<D extends DType>(path: string, values: NDArray<D>, options?: PutOptions<D>): Dataset<D>;
  put(path: string, values: number, options?: PutOptions<"f8">): Dataset<"f8">;
  put(path: string, values: string | readonly string[], options?: PutOptions<"str">): Dataset<"str">;
  put(path: string, values: boolean | readonly boolean[], options?: PutOptions<"bool">): Dataset<"bool">;
  put(path: string, values: unknown, options: object = {}): unknown {
    const own = typeOfValues(values);
    if (!own)
      throw usage(
        "values",
        `${show(values)} was given; it takes a typed array, an NDArray, a number, string or boolean, or a list of one of these`,
      );
    const shape = (options as PutOptions<"f8">).shape ?? own.shape;
    checkLengths("shape", shape);
    const count = (lengths: readonly number[]) => lengths.reduce((size, length) => size * length, 1);
    if (count(shape) !== count(own.shape))
      throw usage("shape", `${showShape(shape)} has ${count(shape)} elements, and ${count(own.shape)} were given`);
    const dataset = this.createDataset(path, { ...options, shape, dtype: own.dtype as "f8" });
    dataset.write(own.data as never);
    return dataset;
  }

  requireDataset<const T extends ElementType>(path: string, options: DatasetOptions<T>): Dataset<T> {
    if (!this.has(path)) return this.createDataset(path, options);
    const { shape } = options;
    const found = this.dataset(path, options.dtype);
    const own = found.isNull ? null : found.shape;
    if (String(own) !== String(shape) || (own === null) !== (shape === null))
      throw this.failure(
        "open",
        `its shape is ${own === null ? "null" : showShape(own)}, not ${shape === null ? "null" : showShape(shape)}`,
        this.#path(path),
      );
    return found;
  }

  createVirtualDataset<const T extends ElementType>(path: string, options: VirtualDatasetOptions<T>): Dataset<T> {
    checkPath("path", path);
    checkNames("createVirtualDataset", options, ["shape", "dtype", "sources", "maxShape", "fillValue", "storedAs"]);
    const { shape, dtype, maxShape, sources } = options;
    checkLengths("shape", shape);
    if (maxShape !== undefined) checkMaxShape(shape, maxShape);
    if (!Array.isArray(sources)) throw usage("sources", `${show(sources)} was given; it takes a list of sources`);
    // HDF5 would read it from itself until the stack is full, and the process ends.
    const own = (source: VirtualSource) =>
      source.file === "." && `/${source.dataset}`.replace(/^\/+/, "/") === this.#path(path);
    if (sources.some(own)) throw usage("sources", `${show(path)} is a source of itself`);
    const plan: DatasetPlan = {
      stored: checkStored(dtype, options.storedAs),
      shape,
      maxShape: maxShape?.map((length) => length ?? -1),
      options: {
        chunks: undefined,
        gzip: undefined,
        shuffle: false,
        fletcher32: false,
        trackOrder: this.#trackOrder,
        fillValue: checkFill(options.fillValue as AnyElement | undefined, dtype),
        memoryType: this.inside.state.library.memoryType(dtype),
        virtual: sources.map((source: VirtualSource) => planSource(source, shape)),
      },
    };
    return this.#create(path, dtype, plan, "create virtual dataset");
  }

  delete(path: string): void {
    checkPath("path", path);
    this.call("delete", "change", "", (raw) => raw.linkDelete(this.inside.handle, path), this.#path(path));
  }

  move(path: string, to: string): void {
    checkPath("path", path);
    checkPath("to", to);
    // As h5py has it; HDF5 itself finds the name taken.
    if (this.#path(path) === this.#path(to) && this.link(path) !== undefined) return;
    // HDF5 would do it, and nothing would lead to the group any more.
    if (this.#path(to).startsWith(`${this.#path(path)}/`))
      throw usage("to", `${show(to)} is in ${show(path)} itself, which would be lost`);
    this.call("move", "change", to, (raw) => raw.linkMove(this.inside.handle, path, to), this.#path(path));
  }

  copy(source: string | Node, to: string, options: CopyOptions = {}): void {
    checkPath("to", to);
    checkNames("copy", options, ["withoutAttributes", "expandSoft", "expandExternal", "shallow"]);
    const [handle, path] = this.#target(source, "source");
    const flags = {
      shallow: options.shallow === true,
      expandSoft: options.expandSoft === true,
      expandExternal: options.expandExternal === true,
      withoutAttributes: options.withoutAttributes === true,
    };
    const shown = typeof source === "string" ? this.#path(source) : insideOf(source)!.path;
    this.call("copy", "change", to, (raw) => raw.copy(handle, path, this.inside.handle, to, flags), shown);
  }

  /** Where an object is that was given by its path or as itself. */
  #target(given: string | Node, parameter: string): [handle: number, path: string] {
    const inside = insideOf(given);
    if (!inside) {
      checkPath(parameter, given);
      return [this.inside.handle, given];
    }
    if (!inside.state.isOpen) throw usage(parameter, `its file ${inside.state.path} is closed`);
    if (inside.state.raw !== this.inside.state.raw)
      throw usage(
        parameter,
        `its file ${inside.state.path} is open in ${inside.state.library.description} and this one in ${this.inside.state.library.description}; open both with the same driver`,
      );
    return [inside.handle, "."];
  }

  link(path: string): Link | undefined {
    checkPath("path", path);
    return this.call("look at link", "look", "", (raw) => raw.linkInfo(this.inside.handle, path), this.#path(path));
  }

  createHardLink(path: string, target: string | Node): void {
    checkPath("path", path);
    const [handle, name] = this.#target(target, "target");
    const args = typeof target === "string" ? target : "a node";
    this.call(
      "create hard link",
      "change",
      args,
      (raw) => raw.linkHard(this.inside.handle, path, handle, name),
      this.#path(path),
    );
  }

  createSoftLink(path: string, target: string): void {
    checkPath("path", path);
    checkPath("target", target);
    this.call(
      "create soft link",
      "change",
      target,
      (raw) => raw.linkSoft(this.inside.handle, path, target),
      this.#path(path),
    );
  }

  createExternalLink(path: string, file: string, target: string): void {
    checkPath("path", path);
    checkPath("file", file);
    checkPath("target", target);
    this.call(
      "create external link",
      "change",
      `${file}, ${target}`,
      (raw) => raw.linkExternal(this.inside.handle, path, file, target),
      this.#path(path),
    );
  }

  createType(path: string, dtype: ElementType): void {
    checkPath("path", path);
    const type = this.inside.state.library.memoryType(dtype);
    this.call(
      "create type",
      "change",
      nameOf(dtype),
      (raw) => raw.typeCommit(this.inside.handle, path, type),
      this.#path(path),
    );
  }

  type(path: string): ElementType {
    checkPath("path", path);
    const found = this.call(
      "open",
      "look",
      "",
      (raw) => {
        const [handle, kind] = raw.objectOpen(this.inside.handle, path);
        const stored = kind === "type" ? raw.typeOf(handle) : undefined;
        raw.close(handle);
        return stored ?? kind;
      },
      this.#path(path),
    );
    if (typeof found === "string") throw this.failure("open", `it is a ${found}, not a named type`, this.#path(path));
    return elementType(found) ?? { kind: "opaque", bytes: "size" in found ? (found.size ?? 0) : 0, tag: "unknown" };
  }
}

/** A stored type that JavaScript has nothing for shows as opaque bytes, and refuses to be read as such. */
function viewOf(stored: RawType): View {
  const type = elementType(stored);
  if (type !== undefined) return { type, field: undefined };
  const bytes = "size" in stored ? (stored.size ?? 0) : 0;
  return { type: { kind: "opaque", bytes, tag: "unknown" }, field: undefined, isUnreadable: true };
}
