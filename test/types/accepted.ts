// What must compile, and to which type.
import {
  type Actor,
  asCompleted,
  type Completed,
  type Computation,
  cancel,
  cluster,
  type Duration,
  distribute,
  duration,
  type ErrorCode,
  type GironaError,
  type GironaErrors,
  type Got,
  get,
  getActor,
  isGironaError,
  type MemorySize,
  memorySize,
  progress,
  put,
  type Ref,
  type RefArray,
  type RefStream,
  type RemoteArgs,
  type RemoteClass,
  type RemoteFunction,
  type Walltime,
  WorkerLostError,
  wait,
  walltime,
} from "girona";
import { type Comm, MPI, type Status } from "girona/mpi";
import { type Generator, rng } from "girona/random";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function is<A>(): <B>(value: B, same: Same<A, B>) => void;
declare const env: Record<string, string | undefined>;
declare const lines: AsyncIterable<string>;

// functions
const square = distribute((x: number) => x * x);
is<RemoteFunction<[x: number], number>>()(square, true);
is<Ref<number>>()(square(2), true);
square(square(2)); // a ref as an argument
const later = distribute(async (name: string, times = 1) => name.repeat(times));
is<Ref<string>>()(later("a"), true);
later(later("a"), square(1));
is<RefArray<number>>()(square.map([1, 2, 3], { chunk: 2 }), true);
square.map([square(1), 2]);
square.map(new Set([1]));
later.map(["a"]);
is<RefStream<string>>()(later.map(lines, { chunk: 100, inFlight: 32 }), true);
is<RefStream<string>>()(
  later.map(
    (async function* () {
      yield later("a");
    })(),
  ),
  true,
);
square.options({ retries: 0, timeout: "5s", memory: "1GiB", cpus: 2 })(1);
const variadic = distribute((...xs: number[]) => xs.length);
variadic(1, square(2), 3);
const log = distribute((_: unknown): void => undefined);
log({ deep: [1, new Map()] });
const loose = distribute((x: any) => x);
loose(1);
const throws = distribute((): never => {
  throw new Error("no");
});
is<Ref<never>>()(throws(), true);
const nested = distribute((inside: { ref: Ref<number> }) => get(inside.ref));
is<Ref<number>>()(nested({ ref: square(1) }), true);
class Point {
  readonly x: number;
  readonly y: number;
  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
  length(): number {
    return Math.hypot(this.x, this.y);
  }
}
distribute(
  (p: Point, when: Date, ids: Set<number>, raw: ArrayBuffer) => [p.x, when, ids.size, raw.byteLength] as const,
);

// helpers over any remote function
function twice<A extends readonly unknown[], R>(f: RemoteFunction<A, R>, ...args: RemoteArgs<A>): [Ref<R>, Ref<R>] {
  return [f(...args), f(...args)];
}
is<[Ref<number>, Ref<number>]>()(twice(square, 2), true);
distribute((n = 1, label = "") => label.repeat(n))(2);
distribute(async function* named() {
  yield 1;
} as unknown as () => Promise<number>);
const plain: (x: number) => Ref<number> = square;
[1].map((n) => plain(n));

// a copied typed array has an ArrayBuffer of its own
const tail = distribute((whole: Float64Array, from: number) => whole.subarray(from));
is<Ref<Float64Array<ArrayBuffer>>>()(tail(await put(new Float64Array(new SharedArrayBuffer(16))), 1), true);
new Blob([await get(tail(new Float64Array(4), 1))]);
is<Ref<Uint8Array<ArrayBuffer> | null>>()(distribute((raw: Uint8Array | null) => raw)(null), true);

// generic functions: choose the type parameter
const first = <T>(items: readonly T[]): T | undefined => items[0];
const firstNumber = distribute(first<number>);
is<Ref<number | undefined>>()(firstNumber([1]), true);

// by module
const byName = distribute<typeof first<string>>({ module: import.meta.url, name: "first" });
is<Ref<string | undefined>>()(byName(["a"]), true);
const untyped = distribute({ module: new URL(import.meta.url), name: "first" });
is<Ref<unknown>>()(untyped(1, 2, 3), true);

// what travels
is<"value" | "function" | "class" | "module" | undefined>()(distribute.explain(square).captured[0]?.kind, true);
is<number>()(distribute.explain(Point).bytes, true);
distribute.explain({ module: import.meta.url, name: "first" });

// get
const tuple = await get([square(1), later("a")]);
is<[number, string]>()(tuple, true);
const record = await get({ n: square(1), s: later("a") });
is<{ n: number; s: string }>()(record, true);
is<number>()(await get(square(1)), true);
is<number[]>()(await get([1].map((x) => square(x))), true);
is<number[]>()(await get(square.map([1])), true);
is<number[]>()(await get(new Set([square(1)])), true);
is<string[]>()(await progress(later.map(["a"]), "x"), true);
is<string[]>()(await get(later.map(lines)), true);
is<[]>()(await get([]), true);
is<Got<Ref<string>>>()("" as string, true);
const some = await wait([square(1)], { count: 1, timeout: "1.5s" });
is<Ref<number>[]>()(some.ready, true);
is<Ref<number>>()(await square(1), true); // awaiting a ref gives the ref
is<Ref<Float64Array<ArrayBuffer>>>()(await put(new Float64Array(3)), true);
for await (const done of asCompleted(square.map([1, 2]))) is<Completed<number>>()(done, true);
for await (const { index, value } of asCompleted(later.map(lines), { timeout: "1h" }))
  is<string>()(`${index satisfies number}${value}`, true);
await cancel([square(1)], { force: undefined });
await cancel(later.map(lines));

// actors
class Counter<T extends string = string> {
  value = 0;
  #secret = 1;
  readonly label: T;
  constructor(label: T, start = 0) {
    this.label = label;
    this.value = start + this.#secret;
  }
  increment(n = 1): number {
    return (this.value += n);
  }
  async name(): Promise<T> {
    return this.label;
  }
}
const RemoteCounter = distribute(Counter<"a" | "b">, { maxRestarts: 2, name: "counter" });
is<RemoteClass<[label: "a" | "b", start?: number | undefined], Counter<"a" | "b">>>()(RemoteCounter, true);
const counter = new RemoteCounter("a", square(3));
is<Actor<Counter<"a" | "b">>>()(counter, true);
is<Ref<number>>()(counter.increment(square(1)), true);
is<Ref<"a" | "b">>()(counter.name(), true);
new (RemoteCounter.options({ cpus: 2 }))("b");
const again = await getActor<Counter>("counter");
is<Ref<number>>()(again.increment(), true);
const useActor = distribute((c: Actor<Counter>) => get(c.increment()));
useActor(again); // handles travel

// the cluster
await using session = await cluster({ workers: undefined, pricePerWorkerHour: 0.05 });
square.options({ on: session })(1);
distribute((n: number) => n, { on: session, resources: { licence: undefined } })(1);
is<number>()(session.profile()[0]!.run.median, true);
is<string>()(session.advice()[0]!.fix, true);
is<number | undefined>()(session.cost().price, true);
is<Promise<void>>()(session.report("report.html"), true);

// options take undefined
distribute(first<number>, { timeout: undefined, memory: undefined, on: undefined });
square.map([1], { chunk: undefined, inFlight: undefined });

// texts of the run time
is<Walltime>()(walltime(env["TIME"] ?? "1-00"), true);
is<Duration>()(duration("5ms"), true);
is<MemorySize>()(memorySize("1GiB"), true);

// errors
try {
  await get(square(1));
} catch (error) {
  if (isGironaError(error, "WorkerLost")) {
    is<WorkerLostError>()(error, true);
    is<"WorkerLost">()(error.code, true);
    is<number | undefined>()(error.memoryBytes ?? error.exitCode, true);
  } else if (isGironaError(error, "Mpi")) {
    is<number>()(error.errorCode + (error.peer ?? 0), true);
    is<`MPI_ERR_${string}`>()(error.class, true);
  } else if (isGironaError(error)) {
    is<GironaErrors[ErrorCode]>()(error, true);
    switch (error.code) {
      case "Capture":
        is<string>()(`${error.file}:${error.line} ${error.variable} ${error.reason}`, true);
        break;
      case "Slurm":
        is<readonly string[]>()(error.command, true);
        break;
      case "Task":
        is<unknown>()(error.cause, true);
    }
  } else if (error instanceof WorkerLostError) {
    is<"WorkerLostError">()(error.name, true);
  }
}
is<keyof GironaErrors>()("" as unknown as ErrorCode, true);
// each class is a GironaError of its own code
is<true>()(true as { [C in ErrorCode]: GironaErrors[C] extends GironaError<C> ? true : false }[ErrorCode], true);
new WorkerLostError("lost", {
  worker: "w1",
  signal: "SIGKILL",
  exitCode: undefined,
  memoryBytes: 1e9,
  attempts: 4,
  cause: undefined,
});

// random
is<Generator>()(rng(42).stream(3), true);
is<Float64Array<ArrayBuffer>>()(rng().normal(10, { mean: undefined, deviation: 2 }), true);
is<Float64Array<ArrayBuffer>>()(rng(42n).uniform(10, { low: -1 }), true);
is<Int32Array<ArrayBuffer>>()(rng(42).integers(10, { high: 6 }), true);

declare const running: Computation<string>;
is<string>()(await progress(running), true);

// message passing
{
  const comm = MPI.COMM_WORLD;
  const doubles = new Float64Array(4);
  is<Comm>()(comm.dup(), true);
  is<Comm | undefined>()(comm.create(comm.group), true);
  is<undefined>()(comm.split(undefined), true);
  is<Status>()(comm.Recv(doubles), true);
  is<Status>()(await comm.Irecv(doubles), true);
  is<{ key: string }>()(comm.bcast(comm.rank === 0 ? { key: "value" } : undefined), true);
  is<number[] | undefined>()(comm.gather(1), true);
  is<string>()(await comm.irecv<string>(), true);
  is<bigint>()(comm.allreduce(1n as bigint, { op: MPI.SUM }), true);
  comm.Scatterv(comm.rank === 0 ? doubles : null, new Float64Array(1), { root: 0 });
  comm.Allreduce(MPI.IN_PLACE, doubles, { op: MPI.MAX });
  comm.Allreduce(BigInt64Array.of(1n), new BigInt64Array(1), { op: MPI.BAND });
  comm.Allreduce(MPI.pairs(doubles), MPI.pairs(new Float64Array(4)), { op: MPI.MAXLOC });
  comm.Allreduce(MPI.complex(doubles), MPI.complex(new Float64Array(4)), { op: MPI.PROD });
  comm.Send(MPI.vector(2, 1, 2).of(doubles), { dest: 0 });
  comm.Gather(doubles, MPI.vector(4, 1, 4).resized(1).of(new Float64Array(16), { count: 4 }));
  const longest = MPI.op((a: string, b: string) => (a.length > b.length ? a : b), { commutative: true });
  is<string>()(comm.allreduce<string>("x", { op: longest }), true);
  is<[Status, void, string]>()(await MPI.waitAll([comm.Irecv(doubles), comm.Ibarrier(), comm.irecv<string>()]), true);
  is<number>()((await MPI.waitAny([comm.irecv<number>()])).value, true);
  const win = MPI.Win.allocate(Float64Array, 10, comm);
  win.memory.set([1]);
  win.Accumulate(doubles, { target: 0, op: MPI.SUM });
  win.Get_accumulate(doubles, new Float64Array(4), { target: 0, op: MPI.NO_OP });
  const grid = comm.createCart(MPI.dims(comm.size, 2), { periods: [true, false] });
  is<readonly number[] | undefined>()(grid?.neighbors, true);
}
