/** References that are tied to their value later. */
import { encode } from "../codec/index.js";
import type { Later } from "../engine.js";
import type { EmbeddedEngine } from "./driver.js";
import { EachValue } from "./each.js";
import { plainSpec, Record } from "./record.js";

export function makeLater(engine: EmbeddedEngine, label: string): Later {
  const { translation } = engine;
  const record = new Record(engine, undefined, { ...plainSpec, name: label }, [], performance.now());
  const take = (target: Record, index: number | undefined): void => {
    if (target.error) record.reject(target.error);
    else if (index === undefined || !(target.value instanceof EachValue)) record.resolve(target.value);
    else {
      const { values, errors } = target.value.decode(target, translation.decodeHost);
      const failed = errors.find(([at]) => at === index);
      if (failed) engine.fail(record, failed[1]);
      else record.resolve(encode(values[index], translation.encodeHost, `result of ${label}`));
    }
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
