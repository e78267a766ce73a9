/**
 * The program of a worker process. It stands apart because it puts the parts together: the engine's worker, and the layer
 * above, so that `distribute` and `get` inside a task find the cluster they run in.
 */
import { startWorker } from "../engine/embedded/worker/index.js";
import { setWorkerEngine } from "../tasks/index.js";

setWorkerEngine(startWorker());
