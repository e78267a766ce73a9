import { setTimeout } from "node:timers/promises";

/** Short, so that a wait costs no more than the event it waits for. */
const pollMs = 10;

/**
 * Waits until `condition` gives something truthy and returns it. Asks every 10 ms; past the deadline it throws an error that
 * says what was waited for.
 *
 * @param what completes "waited 10 s for …": `"the worker to be gone"`
 */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  options: { timeoutMs?: number } = {},
): Promise<Exclude<T, false | null | undefined | 0 | "">> {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<T, false | null | undefined | 0 | "">;
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s for ${what}`);
    await setTimeout(pollMs);
  }
}
