/** References that are tied to their value later. */
import { type Encoded, encode } from "../codec/index.js";
import type { Later } from "../engine.js";
import type { EmbeddedEngine } from "./driver.js";
import { EachValue } from "./each.js";
import { plainSpec, Record } from "./record.js";

export function makeLater(engine: EmbeddedEngine, label: string): Later {
  const { translation } = engine;
  const record = new Record(engine, undefined, { ...plainSpec, name: label }, [], performance.now());
  const item = (target: Record, value: EachValue, index: number): Encoded => {
    const { values, errors } = value.apart(target, translation.decodeHost);
    const failed = errors.find(([at]) => at === index);
    if (failed) throw failed[1];
    return encode(values[index], translation.itemHost, `result of ${label}`);
  };
  const take = (target: Record, index: number | undefined): void => {
    if (target.error) return record.reject(target.error);
    if (index === undefined || !(target.value instanceof EachValue)) return record.resolve(target.value);
    let encoded: Encoded;
    try {
      encoded = item(target, target.value, index);
    } catch (error) {
      // Also when there is no room for a copy: whoever waits for the item is told.
      return engine.fail(record, error as Error);
    }
    record.resolve(encoded);
  };
  return {
    held: record,
    is: (held, index) => {
      const target = translation.own(held);
      if (target.settled) take(target, index);
      else target.tell({ settled: () => take(target, index) });
    },
    fails: (error) => engine.fail(record, error),
  };
}
