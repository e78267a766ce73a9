/** Frame types between the driver and a worker process, on one inherited socket. */

/** From the driver to a worker. */
export const ToWorker = {
  /** A function or class: number, name, portable form. */
  define: 1,
  /** Tasks or actor calls: twice their number, plus one when few are left; then each. */
  tasks: 2,
  /** The answer to a request: number, a `Reply`, then the value, the error, or values as they are stored. */
  reply: 3,
  /** File descriptors of segments that the driver has opened for itself: the worker closes its own. */
  closeFiles: 4,
  /** The instance this process holds from now on: code, concurrency, arguments. */
  actor: 5,
  /** Finish what runs, then end. */
  leave: 6,
  /** Memory gets short: let go of references that nobody has any more. */
  collect: 7,
} as const;

/** From a worker to the driver. */
export const ToDriver = {
  hello: 64,
  results: 65,
  /** A task submitted inside a task. */
  submit: 66,
  /** Anything else asked for inside a task: number, operation, arguments. */
  request: 67,
  /** References this worker holds no more: number and how often each was received. */
  release: 68,
  /** The values of a reply are mapped: what the driver kept for it may go. */
  mapped: 69,
  /** A function or class first distributed inside a task. */
  define: 70,
  /** A task begins (1) or stops (0) waiting for other tasks. */
  waiting: 71,
} as const;

/** With fewer tasks than this in a queue each result is sent on its own: a long task must not keep those before it. */
export const fewTasks = 64;

export const TaskFlag = {
  /** The arguments are items: one call each. */
  each: 1,
  /** The code is a method of the actor; its name follows. */
  method: 2,
  /** The user's own name for it follows. */
  named: 4,
  /** Each item is an argument of its own: they were copied one by one. */
  separate: 8,
} as const;

export const Outcome = {
  value: 0,
  error: 1,
  /** Revoked before it started. */
  skipped: 2,
} as const;

/** Numbers that two processes give out never meet: each has a range of its own. */
export const numbersPerProcess = 2 ** 32;

export const Reply = { value: 0, error: 1, values: 2 } as const;
