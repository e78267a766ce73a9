/** What programs hold: `MPI`. */
import { addon, facts } from "./addon.js";
import { Communicator } from "./comm.js";
import type { Comm } from "./comm-types.js";
import { complex, indexed, pairs, subarray, vector } from "./datatypes.js";
import { integers, throwUsageError, whole } from "./errors.js";
import { Settings } from "./info.js";
import { libraryName, start, startIfLaunched } from "./lifecycle.js";
import type { Mpi } from "./mpi-types.js";
import { makeOperation, operations } from "./ops.js";
import { ReceivedStatus } from "./status.js";
import type { InPlace } from "./types.js";
import { testAll, testAny, testSome, waitAny, waitSome } from "./waiting.js";
import { windows } from "./window.js";

let world: Comm | undefined;
let self: Comm | undefined;

/** With MPI started first. */
function started<F extends (...args: never[]) => unknown>(call: F): F {
  return ((...args: Parameters<F>) => {
    start();
    return call(...args);
  }) as F;
}

function begun(): typeof facts {
  start();
  return facts;
}

/**
 * MPI: communicators, constants, operations. It is started by the first use, or on import under a launcher.
 *
 * @throws EngineError when the addon is not built: the message names the command; MpiError when ranks are alone that the
 *   launcher has started together.
 */
export const MPI: Mpi = {
  get COMM_WORLD() {
    start();
    world ??= new Communicator(0);
    return world;
  },
  get COMM_SELF() {
    start();
    self ??= new Communicator(1);
    return self;
  },
  get ANY_SOURCE() {
    return begun().anySource;
  },
  get ANY_TAG() {
    return begun().anyTag;
  },
  get PROC_NULL() {
    return begun().procNull;
  },
  get TAG_UB() {
    return begun().tagUb;
  },
  IN_PLACE: Symbol("MPI.IN_PLACE") as unknown as InPlace,

  ...operations,
  op: makeOperation,

  vector: started(vector),
  indexed: started(indexed),
  subarray: started(subarray),
  complex,
  pairs,

  waitAll: (requests) => Promise.all(requests) as never,
  waitAny,
  waitSome,
  testAll,
  testAny,
  testSome,

  Win: windows,
  Status: ReceivedStatus,
  info: started((settings?: Readonly<Record<string, string>>) => Settings.of(settings)),
  dims: started((ranks: number, dimensions: number | readonly number[]) => {
    if (whole("dims", "ranks", ranks) < 1) throwUsageError("dims", "ranks", `must be positive, not ${ranks}`);
    const given = typeof dimensions === "number" ? new Array<number>(dimensions).fill(0) : dimensions;
    return addon.dimensions(ranks, integers("dims", "dimensions", given));
  }),

  Wtime: started(() => addon.wtime()),
  Wtick: started(() => addon.wtick()),
  get library() {
    return libraryName(begun().library);
  },
  get version(): readonly [major: number, minor: number] {
    return [begun().major, begun().minor];
  },
  get processorName() {
    return begun().processorName;
  },
};

startIfLaunched();
