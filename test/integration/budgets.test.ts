import { expect, it } from 'vitest';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { listAccounts } from '#lib/accounts/list-accounts.ts';
import { readAudit } from '#lib/audit/read-audit.ts';
import { readBudget, readBudgetLedger, readLedProject } from '#lib/budgets/budget.ts';
import { changeBudget } from '#lib/budgets/change-budget.ts';
import { setLeaders } from '#lib/budgets/leaders.ts';
import { isLeader, listLedProjects } from '#lib/budgets/led-projects.ts';
import { catalog, findProject, findSystem } from '#lib/catalog/catalog.ts';
import { budgetHolder, type UserId } from '#lib/catalog/identifiers.ts';
import { attendQuotas } from '#lib/quotas/ends/attend-quotas.ts';
import {
  BudgetEndsError,
  BudgetNotFoundError,
  BudgetTooSmallError,
  NotFromBudgetError,
  QuotaInUseError,
} from '#lib/quotas/errors.ts';
import type { QuotaChange } from '#lib/quotas/grants/change-quota.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { budgetOf } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { readLedgerPage } from '#lib/quotas/read-ledger.ts';
import { askForQuota } from '#lib/requests/ask-for-quota.ts';
import { approveRequest } from '#lib/requests/decide-request.ts';
import { findRequest } from '#lib/requests/request-store.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import { type AccountKey, leadersKey, quotaKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { changeItem } from '#lib/table/writes.ts';
import { countUsers, systemName, userId } from '#test/fixtures/names.ts';
import { interruptBefore } from '../engines/interrupt.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';

const project = findProject(findSystem(catalog, systemName('hpc_two')), 'proj_hpc_two_02');
const place = { hpc: project.hpc, project: project.name };
const budget = budgetOf(place);
const at = new Date('2026-11-15T08:30:00Z');
const later = (days: number) => new Date(at.getTime() + days * 24 * 3600 * 1000);
const leader = '501';
const administrator = '100001';
const reason = 'a course';

onEveryEngine('budgets on $name', (engine) => {
  const table = tableForAll(engine);
  const newUser = countUsers(1000);

  const amounts = (mode: 'set' | 'add', seconds: number, kilobytes = 0): QuotaChange => ({
    amounts: { mode, seconds, kilobytes },
  });
  const change = (wanted: QuotaChange, now = at) =>
    changeBudget(table, { project, change: wanted, reason, by: administrator }, now);
  const share = (user: UserId, wanted: QuotaChange, now = at) =>
    grantQuota(
      table,
      catalog,
      { user, project, change: wanted, reason, by: leader, fromBudget: true },
      now,
    );
  const grant = (user: UserId, wanted: QuotaChange, now = at) =>
    grantQuota(table, catalog, { user, project, change: wanted, reason, by: administrator }, now);
  const remove = (user: UserId, fromBudget: boolean) =>
    removeQuota(table, { user, project, reason, by: leader, fromBudget }, at);
  const account = (user: UserId): AccountKey => ({ user, ...place });
  const isBudget = ({ user }: AccountKey) => user === budgetHolder;
  const left = async (of: AccountKey) => {
    const quota = await (isBudget(of) ? readBudget(table, project) : readQuota(table, of));
    return quota && [quota.time.left, quota.space.left];
  };
  const ledger = async (of: AccountKey) => {
    const list = { ...of, since: undefined, until: undefined };
    const read = () => readLedgerPage(table, list, 1000);
    return (await (isBudget(of) ? readBudgetLedger(place, read) : read())).entries;
  };
  const sound = async (...accounts: AccountKey[]) => {
    for (const each of accounts) expect((await judgeAccount(table, each)).state).toBe('sound');
  };

  it('belong to a project, are changed like quotas, and are in ledger and audit', async () => {
    const none = new BudgetNotFoundError(place);
    await expect(change({ validUntil: later(365) })).rejects.toThrow(none);
    await expect(share(newUser(), amounts('add', 1))).rejects.toThrow(none);
    await expect(ledger(budget)).rejects.toThrow(none);
    const away = new Error('The table is away.');
    await expect(readBudgetLedger(place, () => Promise.reject(away))).rejects.toThrow(away);
    const last = await takeNumbers(table, 'quota');
    await change({ ...amounts('set', 10_000, 500), validUntil: later(365) });
    await change(amounts('add', -1000), later(0.1));
    await change(amounts('set', 9000, 500), later(0.2));
    const led = await readLedProject(table, project);
    expect(led).toMatchObject({
      leaders: [],
      budget: {
        id: last + 1,
        time: { granted: 9000, left: 9000 },
        space: { left: 500 },
        validUntil: later(365),
      },
    });
    expect((await ledger(budget)).map(({ kind, seconds }) => [kind, seconds])).toEqual([
      ['correction', -1000],
      ['grant', 10_000],
    ]);
    const { entries } = await readAudit(table, { filter: {} }, 10, undefined, later(1));
    expect(entries.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['budget-changed', place],
      ['budget-changed', place],
    ]);
    await sound(budget);
    const listed: AccountKey[] = [];
    for await (const page of listAccounts(table, [project], 10)) listed.push(...page);
    expect(listed).toEqual([budget]);
  });

  it('have leaders, who are known at once and no longer', async () => {
    // One of them has fewer digits.
    const [one, two] = [userId('999'), newUser()];
    const set = (...leaders: UserId[]) =>
      setLeaders(table, { project: place, leaders, reason, by: administrator }, at);
    await set(two, one, two);
    const stored = (item: object) => item;
    expect(await readItem(table, leadersKey(place), stored)).toMatchObject({ leaders: [one, two] });
    expect((await readLedProject(table, project)).leaders).toEqual([one, two]);
    expect(await listLedProjects(table, one)).toMatchObject([place]);
    expect(await isLeader(table, account(two))).toBe(true);
    await set(two);
    expect(await isLeader(table, account(one))).toBe(false);
    expect(await listLedProjects(table, one)).toEqual([]);
    await set(two);
    await set(one);
    expect(await isLeader(table, account(two))).toBe(false);
    const { entries } = await readAudit(
      table,
      { filter: { kind: 'leaders-changed' } },
      10,
      undefined,
      at,
    );
    const [first, second, third] = [
      { before: null, after: `${one}, ${two}` },
      { before: `${one}, ${two}`, after: two },
      { before: two, after: one },
    ];
    const told = entries.map(({ subject, details }) => [subject.user, details.leaders]);
    // Everybody who begins or ceases to lead has an entry.
    const expected = [
      [one, first],
      [two, first],
      [one, second],
      [two, third],
      [one, third],
    ];
    expect(told).toHaveLength(expected.length);
    expect(told).toEqual(expect.arrayContaining(expected));
    await set();
  });

  it('have the leaders of one order, if several come at once', async () => {
    const users = Array.from({ length: 6 }, newUser);
    await Promise.all(
      users.map((user) =>
        setLeaders(table, { project: place, leaders: [user], reason, by: administrator }, at),
      ),
    );
    const { leaders } = await readLedProject(table, project);
    expect(leaders).toHaveLength(1);
    const led = await Promise.all(users.map((user) => listLedProjects(table, user)));
    expect(users.filter((_, number) => led[number]?.length)).toEqual(leaders);
    await setLeaders(table, { project: place, leaders: [], reason, by: administrator }, at);
  });

  it('give what leaders grant, in both ledgers, and take back what they correct', async () => {
    const user = newUser();
    const [before] = (await left(budget)) ?? [];
    const { quota } = await share(user, amounts('add', 600, 100));
    expect(quota).toMatchObject({
      time: { granted: 600, left: 600 },
      share: { seconds: 600, kilobytes: 100 },
      // No share lasts longer than the budget.
      validUntil: later(365),
    });
    await share(user, amounts('set', 400), later(0.2));
    expect(await left(budget)).toEqual([(before ?? 0) - 400, 500]);
    const { entries } = await readAudit(table, { filter: { user } }, 10, undefined, later(1));
    expect(entries).toMatchObject([
      { details: { budget_time: 200, budget_space: 100 } },
      { details: { budget_time: -600, budget_space: -100 } },
    ]);
    const lines = await ledger(budget);
    const [last, first] = lines.filter(({ kind }) => kind === 'share');
    expect([first, last]).toMatchObject([
      { kind: 'share', seconds: -600, kilobytes: -100, member: user, by: leader },
      { kind: 'share', seconds: 200, kilobytes: 100, member: user, by: leader },
    ]);
    expect((await ledger(account(user))).map(({ kind, actId }) => [kind, actId])).toEqual([
      ['correction', last?.actId],
      ['grant', first?.actId],
    ]);
    await sound(budget, account(user));
    await remove(user, true);
    expect(await left(budget)).toEqual([before, 500]);
    await sound(budget);
  });

  it('are never oversold, however many share them out at once', async () => {
    const [before = 0] = (await left(budget)) ?? [];
    const members = Array.from({ length: 12 }, newUser);
    const each = Math.floor(before / 7);
    const results = await Promise.allSettled(
      members.map((user) => share(user, amounts('add', each))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(BudgetTooSmallError);
    }
    expect(await left(budget)).toEqual([before - 7 * each, 500]);
    await sound(budget, ...members);
    for (const [index, result] of results.entries()) {
      const user = members[index];
      if (result.status === 'fulfilled' && user) await remove(user, true);
    }
    expect(await left(budget)).toEqual([before, 500]);

    async function sound(...accounts: (AccountKey | UserId)[]) {
      for (const of of accounts) {
        const key = typeof of === 'string' ? account(of) : of;
        expect(['sound', 'absent']).toContain((await judgeAccount(table, key)).state);
      }
    }
  });

  it('get back what lapses at the end of a share, but not what an administrator granted', async () => {
    const user = newUser();
    const [before = 0] = (await left(budget)) ?? [];
    await share(user, { ...amounts('add', 600), validUntil: later(2) });
    await grant(user, amounts('add', 50));
    await attendQuotas(table, () => later(3));
    expect(await left(account(user))).toEqual([0, 0]);
    expect(await left(budget)).toEqual([before, 500]);
    expect((await ledger(budget))[0]).toMatchObject({
      kind: 'share',
      seconds: 600,
      member: user,
      by: 'slipway',
    });
    expect((await readQuota(table, account(user)))?.share).toEqual({ seconds: 0, kilobytes: 0 });
    await sound(budget, account(user));
  });

  it('leave to administrators what these granted', async () => {
    const user = newUser();
    await grant(user, amounts('set', 1000));
    await share(user, amounts('add', 300));
    await expect(share(user, amounts('add', -301))).rejects.toThrow(NotFromBudgetError);
    await expect(share(user, { validUntil: later(3) })).rejects.toThrow(NotFromBudgetError);
    await expect(remove(user, true)).rejects.toThrow(NotFromBudgetError);
    const [before = 0] = (await left(budget)) ?? [];
    // An administrator may take all of it; the budget gets nothing of a correction.
    await grant(user, amounts('set', 200));
    expect((await readQuota(table, account(user)))?.share).toEqual({ seconds: 200, kilobytes: 0 });
    await remove(user, false);
    expect(await left(budget)).toEqual([before + 200, 500]);
    await sound(budget);
  });

  it('take nothing back of a share that ends right before', async () => {
    const user = newUser();
    await share(user, amounts('add', 300));
    const setShare = (seconds: number) =>
      changeItem(table, quotaKey(account(user)), { set: { share_seconds: seconds } });
    interruptBefore(table, 'TransactWriteItemsCommand', () => setShare(0));
    await expect(share(user, amounts('add', -200))).rejects.toThrow(NotFromBudgetError);
    await setShare(300);
    await remove(user, true);
  });

  it('are not lowered below what was shared out, and shares end with them', async () => {
    const user = newUser();
    await share(user, amounts('add', 300));
    await expect(change(amounts('set', 299))).rejects.toThrow(QuotaInUseError);
    await expect(share(user, { validUntil: later(366) })).rejects.toThrow(BudgetEndsError);
    await expect(share(user, { validUntil: null })).rejects.toThrow(BudgetEndsError);
    await expect(share(user, amounts('add', 1), later(366))).rejects.toThrow(BudgetEndsError);
    await remove(user, true);
  });

  it('pay for the requests that leaders approve, once', async () => {
    const user = newUser();
    const wanted = { seconds: 250, kilobytes: 0 };
    const [before = 0] = (await left(budget)) ?? [];
    const request = await askForQuota(table, { user, project, wanted, reason }, at);
    const tooMuch = { request: request.id, by: leader, reason, fromBudget: true };
    const much = { ...tooMuch, granted: { seconds: before + 1, kilobytes: 0 } };
    await expect(approveRequest(table, catalog, much, at)).rejects.toThrow(BudgetTooSmallError);
    expect((await findRequest(table, request.id)).state).toBe('open');
    await approveRequest(table, catalog, tooMuch, at);
    expect(await left(budget)).toEqual([before - 250, 500]);
    expect(await left(account(user))).toEqual([250, 0]);
    await sound(budget, account(user));
    await remove(user, true);
  });

  it('renew and end like quotas', async () => {
    const to = { seconds: 700, kilobytes: 500 };
    const renews = {
      every: 'monthly' as const,
      on: 1,
      month: 1,
      to,
      carryOver: { seconds: 0, kilobytes: 0 },
    };
    await change({ renews });
    const next = new Date('2026-12-01T00:05:00Z');
    await attendQuotas(table, () => next);
    expect(await left(budget)).toEqual([700, 500]);
    await attendQuotas(table, () => later(366));
    expect(await left(budget)).toEqual([0, 0]);
    await sound(budget);
  });
});
