import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import {
  checkAt,
  cursor,
  endOfDay,
  flag,
  limitTo,
  moment,
  projectName,
  searchText,
  startOfDay,
  systemName,
  userNumber,
  wholeSearch,
} from '../fields.ts';

const mostQuotas = 100;

export const quotaQuery = v.object({
  expand: v.optional(v.picklist(['usage'], 'It must be usage.')),
});

export const allQuotasQuery = (catalog: Catalog) =>
  v.pipe(
    v.object({
      hpc: v.optional(systemName(catalog)),
      project: v.optional(projectName),
      user: v.optional(userNumber),
      limit: v.optional(limitTo(mostQuotas), String(mostQuotas)),
      cursor,
      names: flag,
      search: searchText,
      ...quotaQuery.entries,
    }),
    checkAt(
      'search',
      ({ search, hpc, project, user }) =>
        search === undefined || (hpc !== undefined && project !== undefined && user === undefined),
      'It finds members of one project. Name it with hpc and project, and no user.',
    ),
    checkAt(
      'cursor',
      ({ search, cursor }) => search === undefined || cursor === undefined,
      wholeSearch,
    ),
    v.transform(({ hpc, project, user, ...page }) => ({ ...page, list: { hpc, project, user } })),
  );

const mostLines = 1000;
const usualLines = 100;

/** Includes the day on which the period ends. */
const summedDays = 31;

const wholeSums = 'It cannot be used with sum: sums do not come in pages.';

/** Asks for lines of a ledger, page by page, or for the sums of a period. */
export const ledgerQuery = (now: Date) =>
  v.pipe(
    v.object({
      limit: v.optional(limitTo(mostLines)),
      cursor,
      since: moment(startOfDay),
      until: moment(endOfDay),
      sum: v.optional(v.picklist(['day', 'job'], 'It must be day or job.')),
    }),
    checkAt('limit', ({ sum, limit }) => sum === undefined || limit === undefined, wholeSums),
    checkAt('cursor', ({ sum, cursor }) => sum === undefined || cursor === undefined, wholeSums),
    v.transform(({ limit = usualLines, cursor, since, until, sum }) =>
      sum === undefined
        ? { kind: 'lines' as const, period: { since, until }, limit, cursor }
        : {
            kind: 'sums' as const,
            period: { since: since ?? daysBefore(until ?? now, summedDays - 1), until },
            per: sum,
          },
    ),
  );

export type LedgerQuery = v.InferOutput<ReturnType<typeof ledgerQuery>>;

/** Returns the start of that day, so that no day is summed partly. */
function daysBefore(moment: Date, days: number): Date {
  return new Date(
    Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() - days),
  );
}
