/** What a worker needs of capture, without the parts that capture: it starts with this, and should start fast. */
export { userStack } from "./positions.js";
export { revive } from "./revive.js";
