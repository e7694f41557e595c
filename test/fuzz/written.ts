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

/** Runs work that a request only sets off, such as reading the stream of changes. */
export function runForNobody<T>(call: () => T): T {
  return asking.exit(call);
}

/** Notes a write that took effect. */
export function noteWrite(key: string): void {
  asking.getStore()?.push(key);
}

/** Notes that a file is gone. One that the same request has put there is as if it never was. */
export function noteRemoval(key: string): void {
  const written = asking.getStore();
  const at = written?.indexOf(key) ?? -1;
  if (at === -1) written?.push(`${key}, removed`);
  else written?.splice(at, 1);
}

/** Returns the keys of the items and files that a request has changed, once. */
export function takeWrites(request: string): string[] {
  const written = byRequest.get(request) ?? [];
  byRequest.delete(request);
  return written;
}
