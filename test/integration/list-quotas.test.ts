import { afterEach, describe, expect, it } from 'vitest';
import { catalog } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import {
  listQuotas,
  listQuotasOfUser,
  type QuotaPosition,
} from '#lib/quotas/grants/list-quotas.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { readOwnQuotas } from '#lib/quotas/welcome.ts';
import { userId } from '#test/fixtures/names.ts';
import { openInProcessTable } from '../engines/in-process.ts';
import { meter } from '../engines/meter.ts';
import type { OpenedTable } from '../engines/open-table-on.ts';
import { allProjects, seedAccounts } from '../fixtures/accounts.ts';
import { walkAccounts } from '../fixtures/walk-accounts.ts';

let open: OpenedTable | undefined;
afterEach(() => open?.close());

async function openTable() {
  open = await openInProcessTable('slipway-accounts');
  return open.table;
}

async function walk(accounts: number, limit: number) {
  const table = await openTable();
  await seedAccounts(table, accounts);
  return walkAccounts(table, limit);
}

const names = (quotas: readonly { readonly project: { number: number }; user: UserId }[]) =>
  quotas.map(({ project, user }) => `${project.number} ${user}`);

describe('all users’ quotas', () => {
  it('cost the same per page among 150 and among 5,100 accounts, first page and last', async () => {
    const few = await walk(150, 25);
    await open?.close();
    const table = await openTable();
    await seedAccounts(table, 5100);
    const { cost } = meter(table);
    const costOfPage = (after?: QuotaPosition) =>
      cost(async () => {
        const { entries: quotas } = await listQuotas(table, allProjects, 25, after);
        expect(quotas).toHaveLength(25);
      });
    // 1,700 users in each of three projects. There are 25 accounts after this one.
    const last = { project: 3, user: userId('1001674') };
    // 25 accounts, and the size of 26 index entries, halved.
    const page = { readUnits: 25.5, writeUnits: 0 };
    expect(few.costs).toHaveLength(6);
    expect([few.costs[0], few.costs.at(-1)]).toEqual([page, page]);
    expect([await costOfPage(), await costOfPage(last)]).toEqual([page, page]);
    // At the end of a project, one entry of the next one shows that the list continues.
    expect(Math.max(...few.costs.map(({ readUnits }) => readUnits))).toBe(26);
    expect([...few.commands].sort()).toEqual(['BatchGetItemCommand', 'QueryCommand']);
  });

  it('are listed once each, by project and then by user number', async () => {
    const { quotas, costs } = await walk(400, 50);
    expect(costs).toHaveLength(8);
    expect(new Set(names(quotas)).size).toBe(400);
    const order = quotas.map(({ project, user }) => project.number * 1e9 + Number(user));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('are sorted by number and not by text', async () => {
    const table = await openTable();
    const users = ['10', '9', '7', '1'.repeat(32)].map(userId);
    for (const user of users) await readOwnQuotas(table, catalog, user);
    const { entries: quotas, next } = await listQuotas(table, allProjects.slice(0, 1), 100);
    expect(quotas.map(({ user }) => user)).toEqual(['7', '9', '10', '1'.repeat(32)]);
    expect(next).toBeUndefined();
  });

  it('continue only if there is more, across empty projects', async () => {
    const table = await openTable();
    for (const user of ['1', '2'].map(userId)) await readOwnQuotas(table, catalog, user);
    const page = await listQuotas(table, allProjects, 2);
    expect(names(page.entries)).toEqual(['1 1', '1 2']);
    expect(page.next).toEqual({ project: 1, user: userId('2') });
    const last = await listQuotas(table, allProjects, 2, page.next);
    expect(names(last.entries)).toEqual(['2 1', '2 2']);
    expect(last.next).toBeUndefined();
    expect(await listQuotas(table, allProjects, 1, { project: 2, user: userId('2') })).toEqual({
      entries: [],
      next: undefined,
    });
  });

  it('of one user continue only if there is more', async () => {
    const table = await openTable();
    const user = userId('1');
    await readOwnQuotas(table, catalog, user);
    const list = (limit: number, after?: QuotaPosition) =>
      listQuotasOfUser(table, allProjects, user, limit, after);
    const whole = await list(2);
    expect(names(whole.entries)).toEqual(['1 1', '2 1']);
    expect(whole.next).toBeUndefined();
    const page = await list(1);
    expect(page).toEqual({ entries: whole.entries.slice(0, 1), next: { project: 1, user } });
    expect(await list(1, page.next)).toEqual({ entries: whole.entries.slice(1), next: undefined });
  });

  it('continue after an account that is gone', async () => {
    const table = await openTable();
    for (const user of ['1', '2', '3'].map(userId)) await readOwnQuotas(table, catalog, user);
    const { next } = await listQuotas(table, allProjects.slice(0, 1), 2);
    const [project] = allProjects;
    if (!project) throw new Error('There are no projects.');
    await removeQuota(table, { user: userId('2'), project, reason: 'gone', by: '9' });
    const rest = await listQuotas(table, allProjects.slice(0, 1), 2, next);
    expect(names(rest.entries)).toEqual(['1 3']);
  });
});
