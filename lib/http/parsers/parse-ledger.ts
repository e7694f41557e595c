import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { type LedgerList, LedgerTooLongError } from '#lib/quotas/statement/read-ledger.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import { InvalidRequestError } from '../errors.ts';
import { limitTo, moment } from './query-fields.ts';
import { readQuery } from './read-query.ts';

/** Lines of a ledger, page by page, or their sums. */
export type LedgerRequest = LinesRequest | SumsRequest;

export interface LinesRequest {
  readonly kind: 'lines';
  readonly list: LedgerList;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface SumsRequest {
  readonly kind: 'sums';
  readonly list: LedgerList;
  readonly per: 'day' | 'job';
}

const Query = v.object({
  limit: v.optional(limitTo(1000)),
  cursor: v.optional(v.string()),
  since: moment('00:00:00.000'),
  until: moment('23:59:59.999'),
  sum: v.optional(v.picklist(['day', 'job'], 'sum is day or job.')),
});

const defaultLimit = 100;

/** With the day that the period ends in. */
const summedDays = 31;

export function parseLedger(
  place: AccountKey,
  event: APIGatewayProxyEventV2,
  now = new Date(),
): LedgerRequest {
  const { limit, cursor, since, until, sum } = readQuery(Query, event);
  if (sum === undefined) {
    const list = { ...place, since, until };
    return { kind: 'lines', list, limit: limit ?? defaultLimit, cursor };
  }
  refusePages({ limit, cursor });
  const list = { ...place, since: since ?? daysBefore(until ?? now, summedDays - 1), until };
  return { kind: 'sums', list, per: sum };
}

/** The period is a fault of the request also where only the ledger shows that. */
export function blamePeriod(error: unknown): never {
  if (!(error instanceof LedgerTooLongError)) throw error;
  const name = error.part === 'period' ? 'since' : 'until';
  throw new InvalidRequestError([{ location: 'query', name, message: error.message }]);
}

function refusePages(given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  if (names.length === 0) return;
  const message = 'Sums come whole, and not in pages.';
  throw new InvalidRequestError(names.map((name) => ({ location: 'query', name, message })));
}

/** The beginning of that day, so that no day is summed by half. */
function daysBefore(moment: Date, days: number): Date {
  return new Date(
    Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() - days),
  );
}
