import { beforeEach, describe, expect, it } from 'vitest';
import { judgeAccount, readAccount } from '#lib/accounts/judge-account.ts';
import { countAccounts, listAccounts } from '#lib/accounts/list-accounts.ts';
import { explainFinding, reconcileAccounts } from '#lib/accounts/reconcile-accounts.ts';
import { repairAccount } from '#lib/accounts/repair-account.ts';
import { readProgress, saveProgress, watchAccounts } from '#lib/accounts/watch-accounts.ts';
import { readAudit } from '#lib/audit/read-audit.ts';
import { catalog, findProject, findSystem } from '#lib/catalog/catalog.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { readLedgerPage } from '#lib/quotas/read-ledger.ts';
import type { Repair } from '#lib/quotas/reconcile.ts';
import { type AccountKey, quotaKey } from '#lib/table/keys.ts';
import { changeItem } from '#lib/table/writes.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';
import { interruptBefore } from '../engines/interrupt.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createWorld } from '../fixtures/life.ts';

const one = { hpc: systemName('hpc_one'), project: projectName('proj_hpc_one_01') };
const two = { hpc: systemName('hpc_two'), project: projectName('proj_hpc_two_01') };
const second = { hpc: systemName('hpc_two'), project: projectName('proj_hpc_two_02') };
const projects = catalog.systems.flatMap((system) => system.projects);
const account = { user: userId('7'), ...two };

const table = tableForEach();
let world: ReturnType<typeof createWorld>;
beforeEach(() => {
  world = createWorld(table, systemName('hpc_two'));
});

/** Changes a number by hand, past all rules. */
const meddle = (name: string, amount: number, { user, hpc, project }: AccountKey = account) =>
  changeItem(table, quotaKey({ user, hpc, project }), { add: { [name]: amount } });

/** Creates accounts of three users in both default projects, and of two of them in another one. */
async function seed(): Promise<void> {
  for (const user of ['7', '8', '9']) await world.submit(userId(user));
  const project = findProject(findSystem(catalog, 'hpc_two'), 'proj_hpc_two_02');
  const change = { amounts: { mode: 'set' as const, seconds: 5 } };
  for (const user of ['8', '9']) {
    const order = { user: userId(user), project, change, reason: 'a course', by: '100001' };
    await grantQuota(table, catalog, order);
  }
}

const everybody = [
  ...['7', '8', '9'].map((user) => ({ user, ...one })),
  ...['7', '8', '9'].map((user) => ({ user, ...two })),
  ...['8', '9'].map((user) => ({ user, ...second })),
];

describe('the list of all accounts', () => {
  async function list(pageSize: number, after?: AccountKey) {
    const pages = [];
    for await (const page of listAccounts(table, projects, pageSize, after)) pages.push(page);
    return pages;
  }

  it.each([1, 2, 3, 4, 100])('has each of them once, in pages of %d', async (pageSize) => {
    await seed();
    const pages = await list(pageSize);
    expect(pages.flat()).toEqual(everybody);
    expect(Math.max(...pages.map((page) => page.length))).toBe(Math.min(pageSize, 3));
    expect(pages).not.toContainEqual([]);
  });

  it('continues after any of them, and starts again after one that is in no project', async () => {
    await seed();
    for (const [index, after] of everybody.entries()) {
      const { user, ...project } = after;
      expect((await list(2, { user: userId(user), ...project })).flat()).toEqual(
        everybody.slice(index + 1),
      );
    }
    const unknown = { user: userId('8'), hpc: one.hpc, project: two.project };
    expect((await list(2, unknown)).flat()).toEqual(everybody);
  });

  it('has the announced length', async () => {
    expect(await countAccounts(table, projects)).toBe(0);
    await seed();
    expect(await countAccounts(table, projects)).toBe(8);
    expect(await countAccounts(table, projects.slice(0, 1))).toBe(3);
  });
});

describe('progress', () => {
  it('is saved, and cleared when the list has ended', async () => {
    expect(await readProgress(table)).toBeUndefined();
    await saveProgress(table, account);
    expect(await readProgress(table)).toEqual(account);
    await saveProgress(table, undefined);
    expect(await readProgress(table)).toBeUndefined();
  });
});

describe('a reading', () => {
  it('has the quota, what its jobs hold, and all its lines', async () => {
    expect(await readAccount(table, account)).toBeUndefined();
    await world.submit(account.user);
    await world.submit(account.user);
    expect(await readAccount(table, account)).toEqual({
      quota: await findQuota(table, account),
      holds: { seconds: 7200, kilobytes: 10, activeJobs: 2 },
      ledger: { seconds: 18_000_000 - 7200, kilobytes: 10_000_000 - 10 },
      changes: 3,
    });
  });
});

describe('reconciliation', () => {
  it('reports what is wrong with each account, in order, and repairs it if told to', async () => {
    await seed();
    await meddle('time_used', 5);
    const absent = { user: userId('6'), ...two };
    const accounts = [absent, account, { user: userId('8'), ...two }];
    const looked = await reconcileAccounts(table, accounts, { fix: false });
    expect(looked.map((finding) => [finding.account, finding.verdict.state])).toEqual([
      [absent, 'absent'],
      [account, 'drifting'],
      [accounts[2], 'sound'],
    ]);
    expect(looked.map(({ repaired }) => repaired)).toEqual([false, false, false]);
    expect(looked.map(explainFinding)).toEqual([
      [],
      ['18000000 seconds are granted, but 17996400 left, 3600 held and 5 used add up to 18000005'],
      [],
    ]);
    const fixed = await reconcileAccounts(table, accounts, { fix: true });
    expect(fixed.map(({ repaired }) => repaired)).toEqual([false, true, false]);
    expect(await judgeAccount(table, account)).toEqual({ state: 'sound' });
  });

  it('calls an account busy if it changed before it was repaired', async () => {
    await seed();
    await meddle('time_used', 5);
    interruptBefore(table, 'TransactWriteItemsCommand', () => meddle('time_left', -1));
    const [finding] = await reconcileAccounts(table, [account], { fix: true });
    expect(finding).toEqual({ account, verdict: { state: 'busy' }, repaired: false });
    expect((await findQuota(table, account)).time).toMatchObject({ used: 5 });
  });

  it('explains what cannot be read', () => {
    const verdict = { state: 'damaged', reason: 'It has no time_left.' } as const;
    expect(explainFinding({ account, verdict, repaired: false })).toEqual(['It has no time_left.']);
  });
});

describe('a repair', () => {
  const now = new Date('2026-11-15T08:30:00Z');
  const readActs = async () =>
    (await readAudit(table, { filter: {} }, 100, undefined, now)).entries;

  async function planned(): Promise<Repair> {
    const verdict = await judgeAccount(table, account);
    if (verdict.state !== 'drifting') throw new Error(verdict.state);
    return verdict.repair;
  }

  it('is recorded in ledger and audit, with only what changed', async () => {
    await world.submit(account.user);
    await meddle('time_used', 5);
    await meddle('living_jobs', 2);
    const repair = await planned();
    expect(await repairAccount(table, account, repair, now)).toBe(true);
    const reason =
      'reconciliation: 18000000 seconds are granted, but 17996400 left, 3600 held and 5 used ' +
      'add up to 18000005; 3 active jobs are counted, but there are 1';
    expect(await readActs()).toEqual([
      {
        id: expect.any(String),
        kind: 'quota-corrected',
        at: now,
        by: 'slipway',
        reason,
        subject: account,
        details: {
          time_used: { before: 5, after: 0 },
          living_jobs: { before: 3, after: 1 },
        },
      },
    ]);
    const list = { ...account, since: now, until: undefined };
    const { entries: lines } = await readLedgerPage(table, list, 100);
    const [act] = await readActs();
    expect(lines).toMatchObject([
      {
        kind: 'correction',
        seconds: 0,
        kilobytes: 0,
        at: now,
        by: 'slipway',
        reason,
        actId: act?.id,
      },
    ]);
  });

  it.each([
    'time_granted',
    'time_left',
    'time_held',
    'time_used',
    'space_granted',
    'space_left',
    'space_held',
    'space_used',
    'living_jobs',
  ])('is not written if %s has changed since', async (name) => {
    await world.submit(account.user);
    await meddle('time_used', 5);
    const repair = await planned();
    await meddle(name, 1);
    const before = await findQuota(table, account);
    expect(await repairAccount(table, account, repair, now)).toBe(false);
    expect(await findQuota(table, account)).toEqual(before);
    expect(await readActs()).toEqual([]);
  });

  it.each([
    { length: 484, told: 500 },
    { length: 485, told: 500 },
    { length: 900, told: 500 },
    { length: 483, told: 499 },
  ])('shows $told characters of $length and what precedes them', async ({ length, told }) => {
    await world.submit(account.user);
    await meddle('time_used', 5);
    const repair = await planned();
    const drifts = repair.drifts.map((drift) => ({ ...drift, words: 'x'.repeat(length) }));
    await repairAccount(table, account, { ...repair, drifts }, now);
    const [act] = await readActs();
    expect(act?.reason).toHaveLength(told);
    expect(act?.reason.endsWith('…')).toBe(length > 484);
    expect(act?.reason).toMatch(/^reconciliation: x+…?$/);
  });

  it('fails if the table does, and does not call that a change', async () => {
    await world.submit(account.user);
    await meddle('time_used', 5);
    const repair = await planned();
    const gone = { ...table, name: 'no-such-table' };
    await expect(repairAccount(gone, account, repair, now)).rejects.toThrow();
  });
});

describe('the watch over all accounts', () => {
  /** A clock that stands still until the first page is read, and then jumps. */
  function clockThatGoes(ms: number) {
    let calls = 0;
    return () => {
      calls += 1;
      return calls === 1 ? 0 : ms;
    };
  }

  it('ends after the page in which its time is over, and the next run continues there', async () => {
    await seed();
    await meddle('time_used', 5, { user: userId('9'), ...two });
    const found: string[] = [];
    const watch = (ms: number) =>
      watchAccounts(table, catalog, (finding) => found.push(finding.account.user), {
        clock: clockThatGoes(ms),
        pageSize: 3,
      });
    expect(await watch(35_001)).toBe(0);
    expect(await readProgress(table)).toEqual({ user: '9', ...one });
    expect(await watch(35_001)).toBe(1);
    expect(found).toEqual(['9']);
    expect(await watch(35_001)).toBe(0);
    expect(await readProgress(table)).toEqual({ user: '9', ...second });
    expect(await watch(35_001)).toBe(0);
    expect(await readProgress(table)).toBeUndefined();
    expect(await watch(35_000)).toBe(1);
    expect(await readProgress(table)).toBeUndefined();
    expect(await findQuota(table, { user: userId('9'), ...two })).toMatchObject({
      time: { used: 5 },
    });
  });

  it('reports what cannot be read, too', async () => {
    await seed();
    await meddle('banned_here', 1);
    const found: string[] = [];
    const wrong = await watchAccounts(table, catalog, (finding) =>
      found.push(finding.verdict.state),
    );
    expect([wrong, found]).toEqual([1, ['damaged']]);
  });
});
