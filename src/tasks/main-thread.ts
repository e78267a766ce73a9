/**
 * Notices that the program's own loop keeps the main thread busy while workers have nothing to do.
 *
 * A timer tells when the event loop turned. While it did not, nobody hears what workers do, so what they did is worked out
 * afterwards, from what was under way and from the results that arrive next; where both leave it open, workers count as busy.
 */
import { showSeconds } from "../common/index.js";
import type { Engine } from "../engine/index.js";
import { callSite } from "./callsite.js";
import type { Advice } from "./types/index.js";

const periodMs = 200;
/** Shorter than this is no loop worth telling. */
const leastMs = 1000;
/** Worker time that did nothing, ms. */
const leastIdleMs = 1000;
/**
 * A process that was stopped, or waited, was not busy: it used less of the processor than this part of the time. A busy one
 * among many others on the machine may get little more.
 */
const leastCpu = 0.05;
/** Of a pause, the program's own part; below, it was girona's work and what the machine delayed of it. */
const leastPart = 0.5;
/** The place of a call is looked up this often at most: it takes some microseconds. */
const siteMs = 10;
/** What a submission takes beside its serialisation: the time of many short calls is not the program's own. */
const submitMs = 0.02;
/** Looks at the statistics are this many periods apart, because they sort. */
const statisticsPeriods = 25;

/** Sums over all functions, ms. */
interface Totals {
  readonly run: number;
  readonly finished: number;
  /** What girona itself did in the main thread. */
  readonly own: number;
}

interface Site {
  readonly where: string;
  /** `undefined`: nothing was called yet, and it is where the cluster was opened. */
  readonly name: string | undefined;
}

/** A pause of the event loop that is over, until it is known what the workers did in it. */
interface Pause extends Site {
  readonly ms: number;
  /** Idle worker time by what was under way, ms. */
  readonly idleMs: number;
  readonly underWay: number;
  readonly totals: Totals;
}

interface Busy extends Site {
  times: number;
  ms: number;
  idleMs: number;
}

function totalsOf(engine: Engine): Totals {
  let [run, finished, own] = [0, 0, 0];
  for (const { finished: done, steps } of engine.snapshot().functions) {
    run += steps.run.total * 1e3;
    finished += done;
    own += (steps.serialise.total + steps.fetch.total) * 1e3;
  }
  return { run, finished, own };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

export class MainThread {
  readonly #engine: Engine;
  readonly #timer = setInterval(() => this.#turned(), periodMs).unref();
  readonly #busy = new Map<string, Busy>();
  #site: Site;
  #siteAt = Number.NEGATIVE_INFINITY;
  #turnedAt = performance.now();
  #cpu = cpuMs();
  /** The last moment that is known of: a turn of the loop, or a call. */
  #seenAt = this.#turnedAt;
  #spentMs = 0;
  #calls = 0;
  #callsAtTurn = 0;
  /** Since the last turn: idle worker time, and the last call before it. */
  #idleMs = 0;
  #before: Site | undefined;
  #pause: Pause | undefined;
  #periods = 0;
  #totals: Totals = { run: 0, finished: 0, own: 0 };

  /** `openedAt`: where the program opened the cluster. */
  constructor(engine: Engine, openedAt: string) {
    this.#engine = engine;
    this.#site = { where: openedAt, name: undefined };
  }

  /** A task, or a map, has just been submitted. */
  called(name: string): void {
    const now = performance.now();
    this.#calls++;
    if (now - this.#seenAt >= leastMs) this.#gap(now, this.#engine.underWay - 1);
    this.#seenAt = now;
    if (now - this.#siteAt < siteMs && name === this.#site.name) return;
    this.#siteAt = now;
    this.#site = { where: callSite(), name };
  }

  /** girona itself worked in the main thread for so long, which the statistics do not have. */
  spent(ms: number): void {
    this.#spentMs += ms;
  }

  #gap(now: number, underWay: number): void {
    // It may have begun any time before the next turn was due.
    const ms = now - this.#seenAt - (this.#seenAt === this.#turnedAt ? periodMs : 0);
    this.#idleMs += Math.max(0, ms) * Math.max(0, this.#engine.workers - Math.max(0, underWay));
    this.#before ??= this.#site;
  }

  #turned(): void {
    const now = performance.now();
    this.#settle(true);
    if (now - this.#turnedAt - periodMs >= leastMs) this.#paused(now);
    else if (++this.#periods % statisticsPeriods === 0) this.#totals = totalsOf(this.#engine);
    this.#turnedAt = now;
    this.#seenAt = now;
    this.#cpu = cpuMs();
    this.#callsAtTurn = this.#calls;
    this.#spentMs = 0;
    this.#idleMs = 0;
    this.#before = undefined;
  }

  #paused(now: number): void {
    const totals = totalsOf(this.#engine);
    const own = totals.own - this.#totals.own + this.#spentMs + (this.#calls - this.#callsAtTurn) * submitMs;
    this.#totals = totals;
    const all = now - this.#turnedAt - periodMs;
    const ms = all - own;
    if (ms < Math.max(leastMs, leastPart * all) || cpuMs() - this.#cpu < leastCpu * ms) return;
    const { underWay } = this.#engine;
    if (now - this.#seenAt >= leastMs) this.#gap(now, underWay);
    const idleMs = Math.min(this.#idleMs, ms * this.#engine.workers);
    this.#pause = { ...(this.#before ?? this.#site), ms, idleMs, underWay, totals };
  }

  /** One turn later, what the workers did meanwhile has arrived: timers come before input in a turn. */
  #settle(last: boolean): void {
    const pause = this.#pause;
    if (!pause) return;
    const { workers } = this.#engine;
    const { run, finished } = totalsOf(this.#engine);
    // What is still not there may have run all the time.
    const still = Math.min(workers, Math.max(0, pause.underWay - (finished - pause.totals.finished)));
    const idle = pause.ms * (workers - still) - (run - pause.totals.run);
    const idleMs = Math.max(pause.idleMs, idle);
    if (last || idleMs >= leastIdleMs) this.#pause = undefined;
    if (idleMs < leastIdleMs) return;
    const busy = this.#busy.get(pause.where) ?? { where: pause.where, name: pause.name, times: 0, ms: 0, idleMs: 0 };
    busy.times++;
    busy.ms += pause.ms;
    busy.idleMs += idleMs;
    this.#busy.set(pause.where, busy);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#turned();
    this.#settle(true);
  }

  advice(): Advice[] {
    // The program may ask in the same turn that was so long.
    if (performance.now() - this.#turnedAt - periodMs >= leastMs) this.#turned();
    this.#settle(false);
    return Array.from(this.#busy.values(), ({ where, name, times, ms, idleMs }) => ({
      rule: "busy-main-thread",
      where,
      what: `the main thread was busy for ${showSeconds(ms / 1e3)}${times > 1 ? `, in ${times} parts,` : ""} while workers had nothing to do. Where exactly was not seen: after this line, ${
        name === undefined
          ? "where the cluster was opened"
          : `the last call of a distributed function before it (${name})`
      }`,
      cost: `${showSeconds(idleMs / 1e3)} of worker time idle (${showSeconds(ms / 1e3)} × ${Number((idleMs / ms).toFixed(1))} workers)`,
      fix: "a plain loop runs on one core however many workers there are: distribute its body and call it per item (f.map(items)); do what must be serial before cluster() or after close()",
    }));
  }
}
