/** What fault tests share: limits that the kernel sets, what is left of a program, and the long forms. */
import { join } from "node:path";
import type { Cluster } from "girona";
import type { Engine, EngineEvent } from "../../../src/engine/index.ts";

export { left, nothingLeft, processesOf } from "./left.ts";
export { type MemoryGroup, memoryGroup, memoryGroupsAt } from "./memory-group.ts";
export { mayMount, smallFileSystem } from "./small-file-system.ts";

/** `GIRONA_FULL=1`: more of everything. */
export const full = process.env["GIRONA_FULL"] === "1";

/** The path of a program that a test starts. */
export const program = (name: string): string => join("test/faults/programs", `${name}.mjs`);

/** The engine behind a cluster, for its events. */
export const engineOf = (session: Cluster): Engine => (session as unknown as { readonly engine: Engine }).engine;

export type Of<T extends EngineEvent["type"]> = Extract<EngineEvent, { readonly type: T }>;

/** Records what happens; the function returned gives the events of one type so far. */
export function listen(session: Cluster): <T extends EngineEvent["type"]>(type: T) => Of<T>[] {
  const heard: EngineEvent[] = [];
  engineOf(session).on((event) => heard.push(event));
  return <T extends EngineEvent["type"]>(type: T) => heard.filter((event): event is Of<T> => event.type === type);
}
