import * as v from 'valibot';
import { listeners } from '#functions/listeners.ts';
import { type RouteName, routeNames } from '#functions/routes.ts';
import { schedules } from '#functions/schedules.ts';
import { streams } from '#functions/streams.ts';
import { listOf, matching } from './forms.ts';

export interface Throttle {
  /** Requests per second, over all callers. */
  readonly rate: number;
  /** Requests at once. */
  readonly burst: number;
}

/** Routes that take less than the stage does: what they cost, or who may call them, says why. */
export const routeThrottles: Partial<Record<RouteName, Throttle>> = {
  // Each may ask an HPC system for a file, and wait for it.
  'read-files': { rate: 10, burst: 20 },
  // Anybody may call it, and it reads the table.
  'read-status': { rate: 10, burst: 20 },
  // Anybody may call them, but nothing is read for one without a pass; many jobs may begin at once.
  'hand-out-input': { rate: 50, burst: 100 },
  'take-results': { rate: 50, burst: 100 },
  // Anybody may call it, and the largest of its files has half a megabyte.
  'read-reference': { rate: 10, burst: 20 },
};

/**
 * Whatever has no key of its own: the lists of everything with their slash, what does not exist, and
 * `/status/`, which reads the table for anybody and would escape its own limit here.
 */
export const fallbackThrottle: Throttle = { rate: 50, burst: 100 };

/** Seconds that a function may run before Lambda ends it. */
export const timeLimits = {
  /** A caller waits. Below the gateway's 30 s, so that giving up is still an answer of ours. */
  answer: 10,
  /** The same, where an HPC system is asked for the answer, or one request asks for many things. */
  longAnswer: 28,
  /** Nobody waits: time for calls that are tried again. Sweeps and walks stop themselves before it. */
  work: 60,
  /** Like `work`, with calls to HPC systems, which may take half a minute each. */
  workOnSystem: 300,
} as const;

/** How a function receives the changes of the table. */
export interface StreamPace {
  /** Changes at once. */
  readonly batchSize: number;
  /** Retries of a failed change; unlimited if absent. */
  readonly retries?: number;
  /** The age at which a failing change is given up; by default when the stream drops it. */
  readonly oldestHours?: number;
}

export type StreamName = keyof typeof streams;

/** The record type makes a reader without a pace fail to compile. */
export const streamPaces: Readonly<Record<StreamName, StreamPace>> = {
  // It only passes them on; the schedule claims what failed.
  'dispatch-jobs': { batchSize: 100, retries: 3 },
  // No other source has them, so they are put aside an hour before the stream drops them.
  'publish-events': { batchSize: 100, oldestHours: 23 },
};

const functionNames: ReadonlySet<string> = new Set([
  ...routeNames,
  ...Object.keys(schedules),
  ...Object.keys(streams),
  ...Object.keys(listeners),
  'fallback',
]);

/**
 * How many of a function may run at once, by its name. It is never more, and always so many. What is
 * reserved is taken from all others, and AWS leaves 100 to them: a new account, which may have only
 * ten in all, can reserve none. So nothing is reserved unless an operator says so.
 */
export type ReservedConcurrency = ReadonlyMap<string, number>;

const form = 'must be functions with numbers from 1 to 9999, such as queue-deliveries:20';

/** `queue-deliveries:20,read-files:20` */
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
