import { catalog } from '#lib/catalog/catalog.ts';
import { hasPrice } from '#lib/charging/price-job.ts';
import { readBudget } from '#lib/config.ts';
import { readSystemReports } from '#lib/hpc/breaker/system-health.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { type MonthReport, presentSystemReports } from '#lib/http/presenters/present-catalog.ts';
import { ok } from '#lib/http/respond.ts';
import { nextMonth } from '#lib/spending/judge-spending.ts';
import { readSpending } from '#lib/spending/spending-store.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const budget = readBudget();

export const handler = apiHandler(endpoints, 'read-systems', {
  list: answer({}, async () => {
    const names = catalog.systems.map(({ name }) => name);
    const [reports, spending] = await Promise.all([
      readSystemReports(table, names),
      readMonth(new Date()),
    ]);
    return ok(presentSystemReports(catalog.systems, reports, spending));
  }),
});

/** Reads what the month costs. Without a system that has a price, it costs nothing. */
async function readMonth(now: Date): Promise<MonthReport | undefined> {
  if (!catalog.systems.some(hasPrice)) return undefined;
  return { ...(await readSpending(table, now)), budget, opensAt: nextMonth(now) };
}
