// What must not compile. Where the comment is a sentence of girona's, the compiler's message holds it: test/house/messages.test.ts.
import {
  asCompleted,
  CaptureError,
  cluster,
  distribute,
  GironaError,
  get,
  isGironaError,
  progress,
  put,
  type Ref,
} from "girona";
import { MPI } from "girona/mpi";
import { rng } from "girona/random";

const square = distribute((x: number) => x * x);
class Counter {
  value = 0;
  add(n: number): number {
    this.value += n;
    return this.value;
  }
  async *items(): AsyncGenerator<number> {}
}
const RemoteCounter = distribute(Counter);
const counter = new RemoteCounter();
declare const error: unknown;
declare const numberLines: AsyncIterable<number>;
abstract class Shape {}
async function* stream(): AsyncGenerator<number> {}
function* numbers(): Generator<number> {}
function method(this: Counter): number {
  return this.value;
}

// @ts-expect-error girona: a distributed function returns one value, and a generator returns many
distribute(stream);
// @ts-expect-error girona: a distributed function returns one value, and a generator returns many
distribute(numbers);
// @ts-expect-error girona: a distributed function cannot return a function or a class
distribute(() => () => 1);
// @ts-expect-error girona: functions and classes cannot be arguments of a remote call
distribute((f: (x: number) => number) => f(1));
// @ts-expect-error girona: functions and classes cannot be arguments of a remote call
distribute((x: number, f?: () => void) => (f?.(), x));
// @ts-expect-error girona: promises cannot be arguments of a remote call
distribute((p: Promise<number>) => p);
// @ts-expect-error girona: a Ref given as an argument arrives as its value
distribute((r: Ref<number>) => get(r));
// @ts-expect-error girona: symbols, WeakMap, WeakSet and WeakRef cannot be copied to another process.
distribute((m: WeakMap<object, number>) => m);
// @ts-expect-error girona: a distributed function has no `this`
distribute(method);
// @ts-expect-error girona: an abstract class cannot be distributed
distribute(Shape);
// @ts-expect-error girona: distribute takes a function, a class, or { module: import.meta.url, name: 'exported' }.
distribute(42);
// @ts-expect-error girona: this is distributed already.
distribute(square);
// @ts-expect-error parameter without a type
distribute((x) => x);
// @ts-expect-error unknown option
distribute((x: number) => x, { retry: 2 });
// @ts-expect-error a time-out without a unit
distribute((x: number) => x, { timeout: "30" });
// @ts-expect-error a time-out in numbers
distribute((x: number) => x, { timeout: 30 });
// @ts-expect-error a function as an argument
square(() => 1);
// @ts-expect-error wrong argument
square("1");
// @ts-expect-error a ref of another type
square(distribute(() => "a")());
// @ts-expect-error a promise as an argument
square(put(1));
// @ts-expect-error girona: more arguments than the function takes
square(1, 2);
// @ts-expect-error girona: more arguments than the function takes
[1, 2].map(square);
// @ts-expect-error girona: call a remote function without new
new square(1);
// @ts-expect-error a class without new
RemoteCounter();
// @ts-expect-error a ref is not its value
square(1) + 1;
// @ts-expect-error awaiting a ref does not fetch
(await square(1)) satisfies number;
// @ts-expect-error a ref has no then
square(1).then(console.log);
// @ts-expect-error girona: .map calls the function with one argument, and it needs more
distribute((a: number, b: number) => a + b).map([1]);
// @ts-expect-error map with a wrong item
square.map(["a"]);
// @ts-expect-error an async iterable of wrong items
distribute((text: string) => text.length).map(numberLines);
// @ts-expect-error a stream has no length
square.map(numberLines).length;
// @ts-expect-error a chunk in words
square.map([1], { chunk: "big" });
// @ts-expect-error not a cluster
square.options({ on: "session" });
// @ts-expect-error explain of a value
distribute.explain(42);
// @ts-expect-error values instead of refs
asCompleted([1, 2]);
// @ts-expect-error progress of a value
progress(1);
// @ts-expect-error progress of a promise that cannot say how far it is
progress(Promise.resolve(1));
// @ts-expect-error no such code
isGironaError(error, "WorkerLostError");
// @ts-expect-error a field of another class
isGironaError(error, "Timeout") && error.memoryBytes;
// @ts-expect-error the base has no own errors
new GironaError("text");
// @ts-expect-error an error without its facts
new CaptureError("text", { variable: "socket" });
// @ts-expect-error a field of an actor
counter.value;
// @ts-expect-error girona: a distributed function returns one value, and a generator returns many
counter.items();
// @ts-expect-error get of a value
get(1);
// @ts-expect-error get of promises
get([Promise.resolve(1)]);
// @ts-expect-error girona: functions and classes cannot be arguments of a remote call
put(() => 1);
// @ts-expect-error using without await
using session = await cluster();
// @ts-expect-error a length in words
rng(42).normal("10");
// @ts-expect-error integers without an upper end
rng(42).integers(10, { low: 1 });
// @ts-expect-error a seed in words
rng("42");

// message passing
const world = MPI.COMM_WORLD;
// @ts-expect-error girona: upper-case MPI calls take a typed array, such as Float64Array.of(1, 2). For any other value use the lower-case call.
world.Send([1, 2], { dest: 0 });
// @ts-expect-error girona: upper-case MPI calls take a typed array, such as Float64Array.of(1, 2). For any other value use the lower-case call.
world.Bcast({ key: 1 });
// @ts-expect-error girona: upper-case MPI calls take a typed array, such as Float64Array.of(1, 2). For any other value use the lower-case call.
world.Irecv("text");
// @ts-expect-error whom to?
world.Send(new Float64Array(1));
// @ts-expect-error another kind
world.Allreduce(new Float64Array(1), new Float32Array(1));
// @ts-expect-error another kind
world.Scatter(new Int32Array(4), new Float64Array(1));
// @ts-expect-error a sum of texts
world.allreduce("a", { op: MPI.SUM });
// @ts-expect-error pairs need MPI.pairs
world.Allreduce(new Float64Array(2), new Float64Array(2), { op: MPI.MAXLOC });
// @ts-expect-error a request that returns at once needs the counts
world.Iallgatherv(new Float64Array(1), new Float64Array(4));
// @ts-expect-error no such rank name
world.recv({ from: 0 });
