/** Waiting for several requests. */

import { shown, throwUsageError } from "./errors.js";
import type { Settled } from "./mpi-types.js";
import { watch } from "./polling.js";
import { AnyRequest } from "./request.js";
import { ReceivedStatus } from "./status.js";
import type { Request } from "./types.js";

function own<T>(operation: string, requests: readonly Request<T>[]): readonly AnyRequest<T>[] {
  if (!Array.isArray(requests))
    throwUsageError(operation, "requests", `must be an array of requests, not ${shown(requests)}`);
  const wrong = requests.find((request) => !(request instanceof AnyRequest));
  if (wrong) throwUsageError(operation, "requests", `must be what calls such as Isend return, not ${shown(wrong)}`);
  return requests as readonly AnyRequest<T>[];
}

// As with MPI_Waitany, a request is given once, so that a loop gets one after the other.
const given = new WeakSet<AnyRequest<unknown>>();

function settledAt<T>(request: AnyRequest<T>, index: number): Settled<T> {
  given.add(request as AnyRequest<unknown>);
  return { index, value: request.result(), status: request.status ?? new ReceivedStatus() };
}

/** Resolves once `enough` gives something. */
function until<T>(enough: () => T | undefined): Promise<T> {
  const now = enough();
  if (now !== undefined) return Promise.resolve(now);
  return new Promise((resolve, reject) => {
    watch({
      check: () => {
        try {
          const found = enough();
          if (found === undefined) return false;
          resolve(found);
        } catch (error) {
          reject(error);
        }
        return true;
      },
    });
  });
}

export async function waitAny<T>(requests: readonly Request<T>[]): Promise<Settled<T>> {
  const all = own("waitAny", requests);
  if (all.length === 0) throwUsageError("waitAny", "requests", "is empty: there is nothing to wait for");
  if (allGiven(all)) throwUsageError("waitAny", "requests", "have all been given by earlier calls");
  return until(() => first(all));
}

export async function waitSome<T>(requests: readonly Request<T>[]): Promise<Settled<T>[]> {
  const all = own("waitSome", requests);
  if (allGiven(all)) return [];
  return until(() => {
    const found = some(all);
    return found.length > 0 ? found : undefined;
  });
}

export function testAll(requests: readonly Request<unknown>[]): boolean {
  // Each is asked, so that all of them advance.
  const all = own("testAll", requests).map((request) => request.poll());
  for (const request of requests) (request as AnyRequest<unknown>).test();
  return all.every(Boolean);
}

export function testAny<T>(requests: readonly Request<T>[]): Settled<T> | undefined {
  return first(own("testAny", requests));
}

export function testSome<T>(requests: readonly Request<T>[]): Settled<T>[] {
  return some(own("testSome", requests));
}

function allGiven(requests: readonly object[]): boolean {
  return requests.every((request) => given.has(request as AnyRequest<unknown>));
}

function isNew(request: AnyRequest<unknown>): boolean {
  return !given.has(request) && request.poll();
}

function first<T>(requests: readonly AnyRequest<T>[]): Settled<T> | undefined {
  const index = requests.findIndex((request) => isNew(request as AnyRequest<unknown>));
  return index < 0 ? undefined : settledAt(requests[index]!, index);
}

function some<T>(requests: readonly AnyRequest<T>[]): Settled<T>[] {
  return requests.flatMap((request, index) =>
    isNew(request as AnyRequest<unknown>) ? [settledAt(request, index)] : [],
  );
}
