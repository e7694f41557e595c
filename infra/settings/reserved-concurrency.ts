import * as v from 'valibot';
import { listeners } from '#functions/listeners.ts';
import { routeNames } from '#functions/routes.ts';
import { schedules } from '#functions/schedules.ts';
import { streams } from '#functions/streams.ts';
import { listOf, matching } from './forms.ts';

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
