import { isRecord, readStored, store } from './stored.ts';

const key = 'slipway-inputs';
const mostJobs = 50;
const mostNames = 200;

/** Keeps the names of a job's own files, because some systems list them with its results. */
export function rememberInput(of: string, names: readonly string[]): void {
  const kept = Object.entries(readAll()).slice(1 - mostJobs);
  store('browser', key, Object.fromEntries([...kept, [of, names.slice(0, mostNames)]]));
}

/** Returns the names of the files that a job began with, if it was submitted from this browser. */
export function recallInputNames(of: string): ReadonlySet<string> {
  const names = readAll()[of];
  return new Set(Array.isArray(names) ? names.map(String) : []);
}

function readAll(): Readonly<Record<string, unknown>> {
  const stored = readStored('browser', key);
  return isRecord(stored) ? stored : {};
}
