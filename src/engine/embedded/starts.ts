/** Workers in place of lost ones; and when to give up. */
import { EngineError } from "../../common/index.js";
import type { WorkerEnd } from "./worker-process.js";

/** In a row. A process killed from outside says less about the next one than one that ends by itself. */
const failedStartsAllowed = 3;
const killedStartsAllowed = 10;
/** The system may refuse a process for a moment (too many files or processes): asked again after this, ms, and so often. */
const againMs = 200;
const refusalsAllowed = 25;

export interface StartsHost {
  /** Starts those that are missing. Throws when the system starts no process. */
  startMissing(): void;
  /** No worker is there. */
  none(): boolean;
  /** The system has refused for long: whoever waits is told. */
  refused(error: Error): void;
  /** Nothing can go on. */
  giveUp(error: Error): void;
}

export class Starts {
  readonly #host: StartsHost;
  #failed = 0;
  #refused = 0;
  #again: NodeJS.Timeout | undefined;

  constructor(host: StartsHost) {
    this.#host = host;
  }

  /** In place of lost ones; later, when the system refuses now. */
  refill(): void {
    try {
      this.#host.startMissing();
      this.#refused = 0;
    } catch (error) {
      if (this.#host.none() && ++this.#refused > refusalsAllowed) {
        this.#refused = 0;
        this.#host.refused(error as Error);
      }
      this.#again ??= setTimeout(() => this.#tryAgain(), againMs).unref();
    }
  }

  #tryAgain(): void {
    this.#again = undefined;
    this.refill();
  }

  /** One has said that it is there. */
  succeeded(): void {
    this.#failed = 0;
  }

  /** One ended before that, having printed these lines. */
  failed(end: WorkerEnd, lines: readonly string[]): void {
    if (++this.#failed < (end.signal === "SIGKILL" ? killedStartsAllowed : failedStartsAllowed)) return;
    const printed = lines.length > 0 ? ` The last one printed:\n${lines.join("\n")}` : "";
    this.#host.giveUp(
      new EngineError(
        `Workers do not start: ${this.#failed} processes in a row ended before they were ready (${end.signal ?? `exit code ${end.exitCode}`}).${printed}`,
        { engine: "embedded", address: undefined },
      ),
    );
  }

  close(): void {
    clearTimeout(this.#again);
  }
}
