import * as v from 'valibot';
import { catalog } from '#lib/catalog/catalog.ts';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { hasPrice } from '#lib/charging/price-job.ts';
import { readBudget } from '#lib/config.ts';
import { mostDays, readSystemDays } from '#lib/hpc/breaker/system-days.ts';
import { readSystemReports } from '#lib/hpc/breaker/system-health.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { limitTo } from '#lib/http/parsers/fields.ts';
import { type MonthReport, presentSystemReports } from '#lib/http/presenters/present-catalog.ts';
import { ok } from '#lib/http/respond.ts';
import { nextMonth } from '#lib/spending/judge-spending.ts';
import { readSpending } from '#lib/spending/spending-store.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const budget = readBudget();
const systemsQuery = v.object({ history: v.optional(limitTo(mostDays)) });

export const handler = apiHandler(endpoints, 'read-systems', {
  list: answer({ query: systemsQuery }, async ({ query }) => {
    const names = catalog.systems.map(({ name }) => name);
    const now = new Date();
    const [reports, history, month] = await Promise.all([
      readSystemReports(table, names, now),
      readHistory(names, query.history, now),
      readMonth(now),
    ]);
    return ok(presentSystemReports(catalog.systems, { reports, history, month, now }));
  }),
});

async function readHistory(names: readonly SystemName[], days: number | undefined, now: Date) {
  if (days === undefined) return undefined;
  const read = await Promise.all(names.map((hpc) => readSystemDays(table, hpc, days, now)));
  return new Map(names.map((hpc, index) => [hpc, read[index] ?? []]));
}

/** Reads what the month costs. Without a system that has a price, it costs nothing. */
async function readMonth(now: Date): Promise<MonthReport | undefined> {
  if (!catalog.systems.some(hasPrice)) return undefined;
  return { ...(await readSpending(table, now)), budget, opensAt: nextMonth(now) };
}
