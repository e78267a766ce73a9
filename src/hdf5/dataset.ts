/** Datasets: elements of one type with a shape. */
import { type DType, isDType } from "../common/index.js";
import { checkLengths, checkNames, show, showShape, usage } from "./check.js";
import { everything, type Place, readData, writeData } from "./data.js";
import { type Inside, ObjectNode } from "./node.js";
import type { RawDatasetInfo, RawType } from "./raw.js";
import { type Selected, select } from "./selection.js";
import { innerShape, memoryType, nameOf, numericBase, plainType, storageOf } from "./type-mapping.js";
import type { CompoundType, Dataset, Element, ElementType, Selection, StoredAs, TransferOptions } from "./types.js";

/** How a dataset is looked at: the type of its elements in memory, and the field that is meant. */
export interface View {
  readonly type: ElementType;
  readonly field: string | undefined;
  /** The stored type is one that JavaScript has nothing for, and no conversion was asked for. */
  readonly isUnreadable?: boolean | undefined;
}

export class DatasetNode<T extends ElementType> extends ObjectNode implements Dataset<T> {
  readonly kind = "dataset" as const;
  readonly #view: View;
  #info: RawDatasetInfo | undefined;
  #stored: RawType | undefined;

  constructor(inside: Inside, view: View) {
    super(inside);
    this.#view = view;
  }

  get dtype(): T {
    return this.#view.type as T;
  }

  get storedAs(): StoredAs | undefined {
    this.#stored ??= this.call("describe", "local", "", (raw) => raw.typeOf(this.inside.handle));
    const { field } = this.#view;
    const stored = this.#stored;
    if (field === undefined) return storageOf(stored);
    return stored.class === "compound" ? storageOf(stored.types[stored.names.indexOf(field)]!) : undefined;
  }

  /** `null`: no dataspace. Asked anew each time: another name for the dataset may have resized it. */
  #extent(): readonly number[] | null {
    return this.call("describe", "local", "", (raw) => raw.shape(this.inside.handle));
  }

  get shape(): readonly number[] {
    return this.#extent() ?? [0];
  }

  get size(): number {
    return this.shape.reduce((size, length) => size * length, 1);
  }

  get isNull(): boolean {
    return this.#extent() === null;
  }

  /** What does not change while the file is open; `maxShape` and the storage may be asked for anew. */
  #facts(anew = false): RawDatasetInfo {
    if (anew || !this.#info)
      this.#info = this.call("describe", "local", "", (raw) => raw.datasetInfo(this.inside.handle));
    return this.#info;
  }

  get maxShape(): readonly (number | null)[] {
    return this.#facts().maxShape ?? [0];
  }

  get chunks(): readonly number[] | undefined {
    return this.#facts().chunks;
  }

  get compression(): { readonly gzip: number } | undefined {
    const { gzip } = this.#facts();
    return gzip === undefined ? undefined : { gzip };
  }

  get shuffle(): boolean {
    return this.#facts().shuffle === true;
  }

  get fletcher32(): boolean {
    return this.#facts().fletcher32 === true;
  }

  get storageBytes(): number {
    return this.#facts(true).storageBytes;
  }

  get virtualSources(): readonly { readonly file: string; readonly dataset: string }[] | undefined {
    return this.#facts().virtual;
  }

  get fillValue(): Element<T> {
    const { type, field } = this.#view;
    const value = this.call("read the fill value", "local", "", (raw) =>
      raw.fillValue(this.inside.handle, this.#memory()),
    );
    const isRecord = field !== undefined && typeof value === "object" && value !== null;
    void type;
    return (isRecord ? (value as Record<string, unknown>)[field] : value) as Element<T>;
  }

  /** The type in memory: of a view of one field, a record with that field alone. */
  #memory(): number {
    const { type, field } = this.#view;
    const { library } = this.inside.state;
    if (numericBase(type) !== undefined && field === undefined) return library.memoryType(type);
    this.#stored ??= this.call("describe", "local", "", (raw) => raw.typeOf(this.inside.handle));
    const stored = this.#stored;
    if (field === undefined) return library.type(memoryType(type, stored));
    const storedField = stored.class === "compound" ? stored.types[stored.names.indexOf(field)] : undefined;
    return library.type({ class: "compound", names: [field], types: [memoryType(type, storedField)] });
  }

  #place(options: TransferOptions): Place {
    const { state, handle } = this.inside;
    const collective = state.parallel !== undefined && (options.collective ?? state.parallel.collective);
    if (options.collective === true && !state.parallel)
      throw usage(
        "collective",
        `${state.path} is open by one process; only files of the driver mpio have collective transfers`,
      );
    const { type, field } = this.#view;
    return { handle, memory: this.#memory(), type, field, collective, isEmpty: this.size === 0 };
  }

  #select(selection: Selection | undefined): Selected {
    const extent = this.#extent();
    if (extent !== null) return select(selection, extent);
    if (selection !== undefined && selection.length > 0)
      throw usage("selection", "the dataset has no dataspace, and so no axes");
    return everything([0]);
  }

  read(selection?: Selection, options: TransferOptions & { into?: unknown } = {}): never {
    checkNames("read", options, ["into", "collective"]);
    const { type } = this.#view;
    this.#checkReadable("read");
    const selected = this.#select(selection);
    const place = this.#place(options);
    const data = this.call("read", place.collective ? "transfer" : "local", "", (raw) =>
      readData(raw, place, selected, options.into),
    );
    return { dtype: plainType(type), shape: [...selected.shape, ...innerShape(type)], data } as never;
  }

  write(values: unknown, selection?: Selection, options: TransferOptions = {}): void {
    checkNames("write", options, ["collective"]);
    this.#checkReadable("write");
    const selected = this.#select(selection);
    const place = this.#place(options);
    this.call("write", place.collective ? "transfer" : "local", "", (raw) => writeData(raw, place, selected, values));
  }

  #checkReadable(operation: string): void {
    if (this.#view.isUnreadable) {
      const stored = this.call("describe", "local", "", (raw) => raw.typeOf(this.inside.handle));
      throw this.failure(operation, `it holds ${nameOf(stored)}; .astype("f8") converts numbers`);
    }
    const missing = this.#facts().missingFilters;
    if (missing.length > 0)
      throw this.failure(operation, `it was stored with the filter ${missing.join(", ")}, which is not installed here`);
  }

  resize(shape: readonly number[]): void {
    checkLengths("shape", shape);
    const limits = this.maxShape;
    if (this.chunks === undefined)
      throw usage(
        "shape",
        `${this.inside.path} has a fixed shape; give maxShape when it is created, with null for axes without limit`,
      );
    if (shape.length !== limits.length || shape.some((length, i) => length > (limits[i] ?? length)))
      throw usage(
        "shape",
        `${showShape(shape)} was given; it has ${limits.length} axes and grows to at most ${showShape(limits)}`,
      );
    this.call("resize", "change", showShape(shape), (raw) => raw.resize(this.inside.handle, shape));
  }

  astype<D extends DType>(dtype: D): Dataset<D> {
    if (!isDType(dtype)) throw usage("dtype", `${show(dtype)} was given; it takes a number type such as "f8"`);
    const { type, field, isUnreadable } = this.#view;
    if (numericBase(type) === undefined && type !== "bool" && !isUnreadable)
      throw usage("dtype", `elements of ${nameOf(type)} are not converted to ${dtype}`);
    // An array of numbers stays an array of as many.
    const inner = innerShape(type);
    const converted: ElementType = inner.length === 0 ? dtype : { kind: "array", base: dtype, shape: inner };
    return this.#as({ type: converted, field });
  }

  field<N extends string>(name: N): never {
    const { type } = this.#view;
    const fields = typeof type === "object" && type.kind === "compound" ? (type as CompoundType).fields : undefined;
    const found = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (found === undefined)
      throw usage(
        "name",
        fields
          ? `there is no field ${show(name)}; there are ${Object.keys(fields).join(", ")}`
          : `elements of ${nameOf(type)} have no fields`,
      );
    if (this.#view.field !== undefined)
      throw usage("name", "a field of a field cannot be read alone; read the outer one");
    return this.#as({ type: found, field: name }) as never;
  }

  /** The same dataset seen otherwise, with a handle of its own, as each is closed when nobody refers to it. */
  #as(view: View): never {
    const { inside } = this;
    const [handle] = this.call("open", "local", "", (raw) => raw.objectOpen(inside.handle, "."));
    return new DatasetNode({ ...inside, handle }, view) as never;
  }

  flush(): void {
    this.call("flush", "change", "", (raw) => raw.datasetFlush(this.inside.handle));
  }

  refresh(): void {
    this.call("refresh", "look", "", (raw) => raw.refresh(this.inside.handle));
    this.#info = undefined;
  }
}
