import * as v from 'valibot';
import { listeners } from '#functions/listeners.ts';
import { type RouteName, routeNames } from '#functions/routes.ts';
import { schedules } from '#functions/schedules.ts';
import { streams } from '#functions/streams.ts';
import { listOf, matching } from './forms.ts';

export interface Throttle {
  /** Requests per second by all callers together. */
  readonly rate: number;
  /** Burst of simultaneous requests. */
  readonly burst: number;
}

/** Lower limits than the stage's, for routes that are expensive or public. */
export const routeThrottles: Partial<Record<RouteName, Throttle>> = {
  // May wait for an HPC system.
  'read-files': { rate: 10, burst: 20 },
  // Public, and reads the table.
  'read-status': { rate: 10, burst: 20 },
  // Public, but nothing is read without a valid pass. Many jobs may start at the same time.
  'hand-out-input': { rate: 50, burst: 100 },
  'take-results': { rate: 50, burst: 100 },
  // Public, but nothing is read without a valid pass. People press a button in a mail.
  'answer-mail': { rate: 10, burst: 20 },
  // Public, with files of up to half a megabyte.
  'read-reference': { rate: 10, burst: 20 },
};

/**
 * Limit of `$default`: list paths with a trailing slash, unknown paths, and `/status/`, which is
 * public, reads the table and would bypass its own limit here.
 */
export const fallbackThrottle: Throttle = { rate: 50, burst: 100 };

/** Timeouts of functions in seconds. */
export const timeLimits = {
  /** A caller waits. Shorter than the gateway's 30 s, so that callers get our timeout response. */
  answer: 10,
  /** Like `answer`, for requests that wait for an HPC system or contain many items. */
  longAnswer: 28,
  /** No caller waits, so there is time for retries. Sweeps stop themselves before the timeout. */
  work: 60,
  /** Like `work`, with calls to HPC systems, which may take half a minute each. */
  workOnSystem: 300,
  /** The most that Lambda has, for files from servers that nobody here knows. */
  fetching: 900,
} as const;

/** Room for the files of all jobs that one call of a function fetches for at once. */
export const fetchingDiskMegabytes = 4096;

/** How a function receives the changes of the table. */
export interface StreamPace {
  /** Most changes per call. */
  readonly batchSize: number;
  /** Retries of a failed change. */
  readonly retries: number;
  /** A change that keeps failing is given up at this age. The stream drops it after a day. */
  readonly oldestHours: number;
}

export type StreamName = keyof typeof streams;

/** The type requires a pace for every stream reader. */
export const streamPaces: Readonly<Record<StreamName, StreamPace>> = {
  // Only forwards jobs. The schedule claims those that failed.
  'dispatch-jobs': { batchSize: 100, retries: 3, oldestHours: 1 },
  // Events have no other source. A run waits nearly a minute for a bus that is away, so these are
  // more than an hour. An event that the bus refuses fails at once, and must not hold up the others
  // for long. Both are put aside for as long as the stream has them.
  'publish-events': { batchSize: 100, retries: 100, oldestHours: 23 },
};

const functionNames: ReadonlySet<string> = new Set([
  ...routeNames,
  ...Object.keys(schedules),
  ...Object.keys(streams),
  ...Object.keys(listeners),
  'fallback',
]);

/**
 * Reserved concurrency by function name, which is both a guarantee and a limit. AWS keeps 100
 * unreserved, so new accounts with a limit of ten cannot reserve any. Nothing is reserved by
 * default.
 */
export type ReservedConcurrency = ReadonlyMap<string, number>;

const form = 'must be functions with numbers from 1 to 9999, such as queue-deliveries:20';

/** Parses `queue-deliveries:20,read-files:20`. */
export const ReservedConcurrencySetting = v.pipe(
  listOf(v.pipe(matching(/^[a-z-]+:[1-9]\d{0,3}$/, form), v.check(namesFunction, nameUnknown))),
  v.transform((rows): ReservedConcurrency => new Map(rows.map(readRow))),
);

function namesFunction(row: string): boolean {
  return functionNames.has(readRow(row)[0]);
}

function nameUnknown({ input }: { readonly input: string }): string {
  return `there is no function ${readRow(input)[0]}; functions/ has their names`;
}

function readRow(row: string): [string, number] {
  const [name = '', count] = row.split(':');
  return [name, Number(count)];
}
