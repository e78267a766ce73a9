/**
 * Everything that changes, as plain data: version 1, one JSON line each when written to a file. Progress, the status page,
 * the profile and the advice read them. Task events are per batch: a million tiny tasks must not cost a million events.
 */
export type EngineEvent =
  | {
      readonly v: 1;
      readonly at: number;
      readonly type: "session.opened";
      readonly engine: string;
      readonly workers: number;
    }
  | { readonly v: 1; readonly at: number; readonly type: "session.closed" }
  | {
      readonly v: 1;
      readonly at: number;
      readonly type: "worker.started";
      readonly worker: string;
      readonly pid: number;
    }
  | {
      readonly v: 1;
      readonly at: number;
      readonly type: "worker.lost";
      readonly worker: string;
      readonly pid: number;
      readonly signal: string | undefined;
      readonly exitCode: number | undefined;
      readonly memoryBytes: number | undefined;
    }
  | {
      readonly v: 1;
      readonly at: number;
      readonly type: "worker.stopped";
      readonly worker: string;
      readonly pid: number;
    }
  | {
      readonly v: 1;
      readonly at: number;
      readonly type: "function.defined";
      readonly name: string;
      readonly where: string;
      readonly bytes: number;
    }
  | {
      readonly v: 1;
      readonly at: number;
      readonly type: "tasks.finished";
      readonly worker: string;
      readonly count: number;
      readonly failed: number;
    }
  | {
      readonly v: 1;
      readonly at: number;
      readonly type: "task.retried";
      readonly task: string;
      readonly attempts: number;
      readonly why: string;
    }
  | { readonly v: 1; readonly at: number; readonly type: "task.cancelled"; readonly task: string }
  | {
      readonly v: 1;
      readonly at: number;
      readonly type: "actor.started" | "actor.restarted" | "actor.ended";
      readonly actor: string;
      readonly worker: string;
    }
  | {
      readonly v: 1;
      readonly at: number;
      readonly type: "object.stored";
      readonly bytes: number;
      readonly in: "memory" | "file";
    }
  | {
      readonly v: 1;
      readonly at: number;
      readonly type: "console";
      readonly worker: string;
      readonly task: string | undefined;
      readonly stream: "stdout" | "stderr";
      readonly line: string;
    };

type Without<T> = T extends unknown ? Omit<T, "v" | "at"> : never;

/** Listeners, and nothing done when there is none. */
export class Events {
  readonly #listeners = new Set<(event: EngineEvent) => void>();

  get heard(): boolean {
    return this.#listeners.size > 0;
  }

  on(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: Without<EngineEvent>): void {
    if (this.#listeners.size === 0) return;
    const whole = { v: 1, at: Date.now(), ...event } as EngineEvent;
    for (const listener of this.#listeners) listener(whole);
  }
}
