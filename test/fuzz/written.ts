import { AsyncLocalStorage } from 'node:async_hooks';

/** The header that names a request, so that what it writes is known to be its own. */
export const nameHeader = 'x-fuzz-request';

const asking = new AsyncLocalStorage<string[]>();
const byRequest = new Map<string, string[]>();

/** Runs a function for a request. Work that others start meanwhile is not counted as its own. */
export function runFor<T>(request: string | undefined, call: () => T): T {
  if (request === undefined) return call();
  const written: string[] = [];
  byRequest.set(request, written);
  return asking.run(written, call);
}

/** Notes a write that took effect. */
export function noteWrite(key: string): void {
  asking.getStore()?.push(key);
}

/** Returns the keys of the items and files that a request has changed, once. */
export function takeWrites(request: string): string[] {
  const written = byRequest.get(request) ?? [];
  byRequest.delete(request);
  return written;
}
