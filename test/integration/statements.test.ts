import { expect, it } from 'vitest';
import { changeBudget } from '#lib/budgets/change-budget.ts';
import { catalog, findProject, findSystem } from '#lib/catalog/catalog.ts';
import { budgetHolder, type UserId } from '#lib/catalog/identifiers.ts';
import type { QuotaChange } from '#lib/quotas/grants/change-quota.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { type LedgerLine, writeLedgerLine } from '#lib/quotas/ledger.ts';
import { StatementNotReadyError, StatementTooLongError } from '#lib/statements/errors.ts';
import { lastClosedMonth, readStatement } from '#lib/statements/read-statement.ts';
import { quotaKey } from '#lib/table/keys.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { changeItem } from '#lib/table/writes.ts';
import { countUsers, jobId, systemName } from '#test/fixtures/names.ts';
import { onEveryEngine, tableForEach } from '../engines/use-table.ts';

const project = findProject(findSystem(catalog, systemName('hpc_two')), 'proj_hpc_two_02');
const place = { hpc: project.hpc, project: project.name };
const hour = 3600;
const leader = '501';
const administrator = '100001';
const reason = 'a course';
const day = (written: string) => new Date(`${written}T08:30:00Z`);

onEveryEngine('statements on $name', (engine) => {
  const table = tableForEach(engine);
  const newUser = countUsers(1000);
  const add = (hours: number): QuotaChange => ({
    amounts: { mode: 'add', seconds: hours * hour },
  });
  const giveBudget = (hours: number, at: Date) =>
    changeBudget(table, { project, change: add(hours), reason, by: administrator }, at);
  const share = (user: UserId, hours: number, at: Date) =>
    grantQuota(
      table,
      catalog,
      { user, project, change: add(hours), reason, by: leader, fromBudget: true },
      at,
    );
  const grant = (user: UserId, hours: number, at: Date) =>
    grantQuota(table, catalog, { user, project, change: add(hours), reason, by: '7' }, at);
  const remove = (user: UserId, at: Date) =>
    removeQuota(table, { user, project, reason, by: administrator }, at);

  /** A job that holds two hours and uses one, or with `only` one half of that. */
  async function compute(user: UserId, id: string, at: Date, only?: 'hold' | 'settle') {
    const line = { user, ...place, at, by: 'slipway', reason, kilobytes: 0, jobId: jobId(id) };
    const hold: LedgerLine = { ...line, kind: 'hold', seconds: -2 * hour };
    const settle: LedgerLine = {
      ...line,
      kind: 'settle',
      seconds: hour,
      used: hour,
      end: { outcome: 'succeeded' },
    };
    const lines = [hold, settle].filter(({ kind }) => only === undefined || kind === only);
    await writeTransaction(table, lines.map(writeLedgerLine));
    const left = lines.reduce((sum, { seconds }) => sum + seconds, 0);
    await changeItem(table, quotaKey({ user, ...place }), { add: { time_left: left } });
  }

  const read = (month: string, now: Date, limits?: Parameters<typeof readStatement>[4]) =>
    readStatement(table, project, month, now, limits);
  /** Rows in hours, without what is 0. */
  const hoursOf = ({ rows }: Awaited<ReturnType<typeof read>>) =>
    rows.map(({ user, jobs, ...amounts }) => ({
      user,
      ...Object.fromEntries(
        Object.entries(amounts)
          .map(([part, { seconds }]) => [part, seconds / hour])
          .filter(([, hours]) => hours !== 0),
      ),
      ...(jobs > 0 && { jobs }),
    }));

  it('tell granting from sharing out, and attribute use to members', async () => {
    const [ada, bob] = [newUser(), newUser()];
    await giveBudget(100, day('2026-09-02'));
    await share(ada, 10, day('2026-10-03'));
    await grant(bob, 5, day('2026-10-04'));
    await compute(ada, 'A-1', day('2026-10-05'));
    await compute(ada, 'A-2', day('2026-10-31'), 'hold');
    await compute(ada, 'A-2', day('2026-11-01'), 'settle');
    await remove(bob, day('2026-11-02'));
    const now = day('2026-11-15');
    expect(hoursOf(await read('2026-08', now))).toEqual([]);
    expect(hoursOf(await read('2026-09', now))).toEqual([
      { user: budgetHolder, granted: 100, closing: 100 },
    ]);
    const october = await read('2026-10', now);
    expect(october).toMatchObject({ closed: true, until: new Date('2026-11-01T00:00:00Z') });
    expect(hoursOf(october)).toEqual([
      { user: budgetHolder, opening: 100, shared: -10, closing: 90 },
      { user: ada, shared: 10, used: 1, reserved: 2, closing: 7, jobs: 1 },
      { user: bob, granted: 5, closing: 5 },
    ]);
    const november = await read('2026-11', now);
    expect(november).toMatchObject({ closed: false, until: now });
    expect(hoursOf(november)).toEqual([
      { user: budgetHolder, opening: 90, closing: 90 },
      { user: ada, opening: 7, used: 1, reserved: -2, closing: 8, jobs: 1 },
      { user: bob, opening: 5, corrected: -5 },
    ]);
  });

  it('are closed an hour after the month, and never change again', async () => {
    const ada = newUser();
    await grant(ada, 10, day('2026-10-03'));
    const early = new Date('2026-11-01T00:59:59Z');
    expect(lastClosedMonth(early)).toBe('2026-09');
    expect((await read('2026-10', early)).closed).toBe(false);
    await compute(ada, 'A-1', new Date('2026-10-31T23:59:59.999Z'));
    const later = new Date('2026-11-01T01:00:00Z');
    const closed = await read('2026-10', later);
    expect(hoursOf(closed)).toEqual([{ user: ada, granted: 10, used: 1, closing: 9, jobs: 1 }]);
    await compute(ada, 'A-2', day('2026-10-20'));
    await compute(ada, 'A-3', later);
    expect(await read('2026-10', day('2027-03-01'))).toEqual(closed);
  });

  it('of many lines are drawn up by several requests', async () => {
    const ada = newUser();
    await grant(ada, 10, day('2026-06-03'));
    for (const month of ['06', '07', '08', '09']) {
      await compute(ada, `A-${month}`, day(`2026-${month}-05`));
    }
    const now = day('2026-11-15');
    const few = { inMonth: 100, together: 4 };
    await expect(read('2026-06', now, few)).rejects.toThrow(StatementNotReadyError);
    let refused = 1;
    let whole: Awaited<ReturnType<typeof read>> | undefined;
    while (!whole) {
      whole = await read('2026-06', now, few).catch((error: unknown) => {
        if (!(error instanceof StatementNotReadyError)) throw error;
        refused += 1;
        return undefined;
      });
    }
    expect(refused).toBe(2);
    expect(hoursOf(whole)).toEqual([{ user: ada, granted: 10, used: 1, closing: 9, jobs: 1 }]);
    await expect(read('2026-11', now, { inMonth: 0, together: 4 })).resolves.toBeDefined();
    await expect(read('2026-05', now, { inMonth: 1, together: 9 })).resolves.toBeDefined();
    await compute(ada, 'A-11', day('2026-11-05'));
    await expect(read('2026-11', now, { inMonth: 1, together: 9 })).rejects.toThrow(
      StatementTooLongError,
    );
  });
});
