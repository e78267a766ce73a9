/** `tasks/types/`: the API as types. */
export type * from "./cluster.js";
export type * from "./functions.js";
export type * from "./refs.js";
