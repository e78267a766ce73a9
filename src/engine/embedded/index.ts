/**
 * `engine/embedded/`: the engine contract on worker processes of this machine.
 *
 * @example
 * import { startEmbedded } from "./index.js";
 *
 * const engine = await startEmbedded({ workers: 2, heap: 2e9, objectMemory: 4e9, gpus: 0, memory: 8e9, resources: {}, print: console.error });
 * const code = engine.define((x: number) => x * x, undefined);
 */
import { EmbeddedEngine, type EmbeddedOptions } from "./driver.js";

export { EmbeddedEngine, type EmbeddedOptions } from "./driver.js";
export { type Holding, holdings } from "./holdings.js";
export { sharedMemory } from "./shm.js";

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedEngine> {
  const engine = new EmbeddedEngine(options);
  try {
    await engine.start();
  } catch (error) {
    engine.closeNow();
    throw error;
  }
  return engine;
}
