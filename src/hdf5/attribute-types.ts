/** Attributes: named values of a group or dataset. */
import type { DType, NDArray, TypedArray, TypedArrays } from "../common/index.js";
import type { StoredAs } from "./dataset-types.js";
import type { AnyElement, Data, Element, ElementType, Values } from "./element-types.js";
import type { Reference } from "./reference.js";

/** What an attribute may be set to. `null` is an attribute without a value, h5py's `Empty`. */
export type AttributeValue =
  | string
  | number
  | bigint
  | boolean
  | TypedArray
  | readonly string[]
  | readonly number[]
  | readonly boolean[]
  | NDArray<DType>
  | Reference
  | null;

/** What an attribute gives: one value for a scalar, an array otherwise; `null` for one without a value. */
export type AttributeData = AnyElement | null;

/** How an attribute is stored, where its value does not say it. */
export interface AttributeOptions<T extends ElementType> {
  dtype: T;
  /** Default: `[]` for one value, else one axis as long as the value. */
  shape?: readonly number[] | undefined;
  storedAs?: StoredAs | undefined;
}

/** Named values of a group or dataset. */
export interface Attributes {
  /** How many there are. */
  readonly size: number;
  /** The value; `undefined` when there is none of that name. Axes are lost: `read` has them. */
  get(name: string): string | number | bigint | boolean | string[] | TypedArrays[DType] | undefined;
  get(name: string): AttributeData | undefined;
  /** The value as elements of that type. @throws Hdf5Error when it is not there, or of another type. */
  get<T extends ElementType>(name: string, dtype: T): Element<T> | Data<T>;
  /** The value with its type and shape. @throws Hdf5Error when it is not there. */
  read(name: string): Values<ElementType>;
  /**
   * Sets it, in place of what was there. A string is stored as `"str"`, a boolean as `"bool"`, a number as `"f8"`, a bigint
   * as `"i8"`, a typed array as what it is; anything else with its type as an option.
   */
  set(name: string, value: AttributeValue): void;
  set<T extends ElementType>(
    name: string,
    value: Element<T> | Data<T> | readonly Element<T>[],
    options: AttributeOptions<T>,
  ): void;
  has(name: string): boolean;
  delete(name: string): void;
  rename(name: string, to: string): void;
  keys(): string[];
  entries(): [name: string, value: AttributeData][];
}
