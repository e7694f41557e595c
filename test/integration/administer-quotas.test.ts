import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { readAudit } from '#lib/audit/read-audit.ts';
import { banUser } from '#lib/bans/ban-user.ts';
import { changeBudget } from '#lib/budgets/change-budget.ts';
import { catalog, findProject, findSystem } from '#lib/catalog/catalog.ts';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import type { Renewal } from '#lib/catalog/renewal.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import {
  NoQuotaError,
  QuotaExceededError,
  QuotaInUseError,
  QuotaNotFoundError,
  SubmissionBannedError,
} from '#lib/quotas/errors.ts';
import type { QuotaChange } from '#lib/quotas/grants/change-quota.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import type { Quota } from '#lib/quotas/quota.ts';
import { readQuota, readQuotas } from '#lib/quotas/quota-store.ts';
import { readLedgerPage } from '#lib/quotas/read-ledger.ts';
import { readOwnQuotas } from '#lib/quotas/welcome.ts';
import { countUsers, systemName } from '#test/fixtures/names.ts';
import { interruptBefore } from '../engines/interrupt.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { createWorld } from '../fixtures/life.ts';

const project = (hpc: SystemName, name: string) => findProject(findSystem(catalog, hpc), name);
const first = project(systemName('hpc_one'), 'proj_hpc_one_01');
const second = project(systemName('hpc_two'), 'proj_hpc_two_02');
const by = '100001';
const at = new Date('2026-11-15T08:30:00Z');
const nextYear = new Date('2027-11-15T08:30:00Z');
const monthly: Renewal = {
  every: 'monthly',
  on: 1,
  month: 1,
  to: { seconds: 700, kilobytes: 0 },
  carryOver: { seconds: 0, kilobytes: 0 },
};
const time = (seconds: number): QuotaChange => ({ amounts: { mode: 'set', seconds } });
const add = (seconds: number): QuotaChange => ({ amounts: { mode: 'add', seconds } });

onEveryEngine('administration of quotas on $name', (engine) => {
  const table = tableForAll(engine);
  const newUser = countUsers();

  const grant = (user: UserId, change: QuotaChange, where = second, now = at) =>
    grantQuota(table, catalog, { user, project: where, change, reason: 'a course', by }, now);
  const remove = (user: UserId, where = second, now = at) =>
    removeQuota(table, { user, project: where, reason: 'it is over', by }, now);
  const placeIn = (user: UserId, where = second) => ({
    user,
    hpc: where.hpc,
    project: where.name,
  });
  const ledger = async (user: UserId, where = second) => {
    const list = { ...placeIn(user, where), since: undefined, until: undefined };
    return (await readLedgerPage(table, list, 1000)).entries;
  };
  const acts = async (user: UserId) =>
    (await readAudit(table, { filter: { user } }, 100, undefined, at)).entries;

  async function expectSumsHold(user: UserId, where = second) {
    const quota = await readQuota(table, placeIn(user, where));
    const lines = await ledger(user, where);
    const sum = (of: 'seconds' | 'kilobytes') => lines.reduce((all, line) => all + line[of], 0);
    expect(sum('seconds')).toBe(quota?.time.left ?? 0);
    expect(sum('kilobytes')).toBe(quota?.space.left ?? 0);
    for (const { granted, left, held, used } of quota ? [quota.time, quota.space] : []) {
      expect(granted).toBe(left + held + used);
      expect(left).toBeGreaterThanOrEqual(0);
    }
  }

  it('has the same result whether the first contact or the grant came first', async () => {
    const [granted, seen] = [newUser(), newUser()];
    await readOwnQuotas(table, catalog, seen);
    expect((await grant(granted, add(100), first)).created).toBe(true);
    expect((await grant(seen, add(100), first)).created).toBe(false);
    const shapes = await Promise.all(
      [granted, seen].map(async (user) =>
        (await readQuotas(table, user)).map(({ id: _, user: __, ...rest }) => rest),
      ),
    );
    expect(shapes[0]).toHaveLength(2);
    expect(shapes[0]).toEqual(shapes[1]);
    expect(shapes[0]?.[0]?.time.granted).toBe(18_000_100);
    await expectSumsHold(granted, first);
  });

  it('comes after the first contact that it caused in the ledger', async () => {
    const [corrected, raised] = [newUser(), newUser()];
    await grant(corrected, time(14_400), first);
    await grant(raised, add(100), first);
    const shown = async (user: UserId) =>
      (await ledger(user, first)).map(({ kind, reason, left }) => [kind, reason, left.seconds]);
    expect(await shown(corrected)).toEqual([
      ['correction', expect.not.stringContaining('first contact'), 14_400],
      ['grant', 'first contact', 18_000_000],
    ]);
    expect(await shown(raised)).toEqual([
      ['grant', expect.not.stringContaining('first contact'), 18_000_100],
      ['grant', 'first contact', 18_000_000],
    ]);
  });

  it('opens, raises and lowers, and records each change once', async () => {
    const user = newUser();
    const opened = await grant(user, { amounts: { mode: 'set', seconds: 100, kilobytes: 7 } });
    expect(opened).toMatchObject({ created: true, quota: { time: { granted: 100, left: 100 } } });
    await grant(user, add(50));
    await grant(user, { amounts: { mode: 'add', seconds: 1, kilobytes: -7 } });
    await grant(user, time(20));
    const { quota, created } = await grant(user, time(20));
    expect(created).toBe(false);
    expect(quota).toMatchObject({ time: { granted: 20, left: 20 }, space: { granted: 0 } });
    const lines = (await ledger(user)).map(({ kind, seconds, kilobytes }) => ({
      kind,
      seconds,
      kilobytes,
    }));
    const byKind = (a: { seconds: number }, b: { seconds: number }) => a.seconds - b.seconds;
    // All from the same moment, so they sort by their acts.
    expect(lines.sort(byKind)).toEqual([
      { kind: 'correction', seconds: -131, kilobytes: 0 },
      { kind: 'correction', seconds: 1, kilobytes: -7 },
      { kind: 'grant', seconds: 50, kilobytes: 0 },
      { kind: 'grant', seconds: 100, kilobytes: 7 },
    ]);
    const told = await acts(user);
    expect(told.map(({ kind }) => kind).sort()).toEqual([
      'quota-corrected',
      'quota-corrected',
      'quota-granted',
      'quota-granted',
    ]);
    expect(told.map(({ details }) => details)).toContainEqual({
      time: { before: 151, after: 20 },
      space: { before: 0, after: 0 },
      valid_until: { before: null, after: null },
    });
    const actIds = (await ledger(user)).map(({ actId }) => actId);
    expect(actIds.sort()).toEqual(told.map(({ id }) => id).sort());
    await expectSumsHold(user);
  });

  it('keeps an account at exactly 0', async () => {
    const user = newUser();
    await grant(user, time(0));
    expect(await ledger(user)).toMatchObject([{ kind: 'grant', seconds: 0 }]);
    expect(await acts(user)).toMatchObject([{ kind: 'quota-granted' }]);
    await expect(grant(user, add(-1))).rejects.toThrow(QuotaInUseError);
    await grant(user, time(0));
    await grant(user, add(5));
    await grant(user, add(-5));
    await expect(grant(user, add(-1))).rejects.toThrow(QuotaInUseError);
    expect((await readQuota(table, placeIn(user)))?.time).toEqual({
      granted: 0,
      left: 0,
      held: 0,
      used: 0,
    });
    await expectSumsHold(user);
  });

  it('opens one account for simultaneous grants, and adds them all up', async () => {
    const user = newUser();
    const many = Array.from({ length: 12 }, (_, n) => grant(user, add(n + 1)));
    const answers = await Promise.all(many);
    expect(new Set(answers.map(({ quota }) => quota.id)).size).toBe(1);
    expect((await readQuota(table, placeIn(user)))?.time.left).toBe(78);
    expect(await ledger(user)).toHaveLength(12);
    expect(await acts(user)).toHaveLength(12);
    expect((await readQuotas(table, user)).map((each) => each.project.number)).toEqual([1, 2, 3]);
    await expectSumsHold(user);
  });

  it('applies simultaneous changes one after the other, and records each step', async () => {
    const user = newUser();
    await grant(user, time(5));
    const wanted = Array.from({ length: 8 }, (_, n) => 10 * (n + 1));
    await Promise.all(wanted.map((seconds) => grant(user, time(seconds))));
    const granted = (await readQuota(table, placeIn(user)))?.time.granted ?? 0;
    expect(wanted).toContain(granted);
    // Every step starts where another ended, from nothing to the last number.
    const steps = (await acts(user)).map(({ details }) => Object(details.time));
    const afters = steps.map(({ after }) => after);
    expect(afters.toSorted((a, b) => a - b)).toEqual([5, ...wanted]);
    const befores = new Set(steps.map(({ before }) => before));
    expect(befores).toEqual(new Set([0, ...afters.filter((after) => after !== granted)]));
    await expectSumsHold(user);
  });

  it('never takes what jobs hold at the same moment', async () => {
    const user = newUser();
    const world = createWorld(table, systemName('hpc_two'));
    const submit = () => world.submit(user, { project: second }); // 3600 seconds each.
    await grant(user, { amounts: { mode: 'set', seconds: 5 * 3600, kilobytes: 1000 } });
    const results = await Promise.allSettled([
      ...Array.from({ length: 4 }, submit),
      ...Array.from({ length: 4 }, () => grant(user, add(-3600))),
    ]);
    const refused = results.filter((each) => each.status === 'rejected');
    for (const { reason } of refused) {
      const known = reason instanceof QuotaInUseError || reason instanceof QuotaExceededError;
      expect(known, String(reason)).toBe(true);
    }
    expect(results.length - refused.length).toBe(5);
    expect((await readQuota(table, placeIn(user)))?.time.left).toBe(0);
    await expectSumsHold(user);
  });

  it('gives a new account the bans of its user, whichever is written first', async () => {
    const user = newUser();
    await banUser(table, catalog, { user, reason: 'a loop', by }, at);
    expect((await grant(user, time(7200))).quota.bans).toEqual({ everywhere: 'a loop' });
    const submit = createWorld(table, systemName('hpc_two')).submit(user, { project: second });
    await expect(submit).rejects.toThrow(SubmissionBannedError);
    const other = newUser();
    await readOwnQuotas(table, catalog, other);
    await Promise.all([
      banUser(table, catalog, { user: other, reason: 'a loop', by }, at),
      grant(other, time(1)),
    ]);
    const bans = (await readQuotas(table, other)).map((quota) => quota.bans.everywhere);
    expect(bans).toEqual(['a loop', 'a loop', 'a loop']);
  });

  const stored = async (user: UserId) => {
    const Key = { PK: `USER#${user}`, SK: 'QUOTA#hpc_two#proj_hpc_two_02' };
    const command = new GetCommand({ TableName: table.name, Key, ConsistentRead: true });
    return (await table.client.send(command)).Item;
  };

  it('keeps the moment when the end is due', async () => {
    const user = newUser();
    const end = (text: string) => new Date(`${text}T00:00:00Z`);
    const { quota } = await grant(user, { ...time(5), validUntil: end('2027-01-15') });
    const due = `DUE#EXPIRY#${quota.id % 4}`;
    expect(await stored(user)).toMatchObject({
      valid_until: '2027-01-15T00:00:00.000Z',
      due,
      due_at: '2026-12-16T00:00:00.000Z',
    });
    await grant(user, { validUntil: end('2026-11-20') });
    expect(await stored(user)).toMatchObject({ due, due_at: '2026-11-19T00:00:00.000Z' });
    // An amount alone changes neither the end nor its warnings.
    const before = await stored(user);
    await grant(user, add(1));
    expect(await stored(user)).toEqual({ ...before, time_granted: 6, time_left: 6 });
    await grant(user, { validUntil: null });
    const { due: none, due_at, valid_until, ...rest } = (await stored(user)) ?? {};
    expect([none, due_at, valid_until]).toEqual([undefined, undefined, undefined]);
    expect(rest.time_left).toBe(6);
    expect((await ledger(user)).map(({ seconds }) => seconds).sort()).toEqual([1, 5]);
    expect((await acts(user)).map(({ kind }) => kind).sort()).toEqual([
      'quota-corrected',
      'quota-corrected',
      'quota-granted',
      'quota-granted',
    ]);
  });

  it('keeps a renewal that is given right before an end is written', async () => {
    const user = newUser();
    await grant(user, time(100));
    interruptBefore(table, 'TransactWriteItemsCommand', () => grant(user, { renews: monthly }));
    const { quota } = await grant(user, { validUntil: nextYear });
    expect(quota).toMatchObject({ validUntil: nextYear, renewal: { rule: monthly } });
  });

  it('does not create an account from an end alone', async () => {
    const user = newUser();
    const change = { validUntil: new Date('2027-01-01T00:00:00Z') };
    await expect(grant(user, change)).rejects.toThrow(QuotaNotFoundError);
    expect(await readQuotas(table, user)).toEqual([]);
  });

  it('removes an unused quota, keeps its ledger, and continues it later', async () => {
    const user = newUser();
    const world = createWorld(table, systemName('hpc_two'));
    await grant(user, { amounts: { mode: 'set', seconds: 7200, kilobytes: 1000 } });
    const job = await world.submit(user, { project: second });
    await expect(remove(user)).rejects.toThrow(
      /active jobs: 1\): 3600 seconds and 5 kilobytes are held/,
    );
    await world.runToEnd(job);
    await expect(remove(user)).rejects.toThrow(
      /active jobs: 0\): 0 seconds and 5 kilobytes are held/,
    );
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    await expectSumsHold(user);
    const removed = await remove(user);
    expect(removed).toMatchObject({ time: { held: 0 }, space: { left: 1000 } });
    await expect(remove(user)).rejects.toThrow(QuotaNotFoundError);
    await expectSumsHold(user);
    expect((await ledger(user)).length).toBeGreaterThan(3);
    await expect(world.submit(user, { project: second })).rejects.toThrow(NoQuotaError);
    const again = await grant(user, time(10), second, new Date('2026-11-15T08:30:01Z'));
    expect(again.created).toBe(true);
    expect(again.quota.id).toBeGreaterThan(removed.id);
    await expectSumsHold(user);
    const [newest] = await acts(user);
    expect(newest).toMatchObject({ kind: 'quota-granted', by, reason: 'a course' });
  });

  /** Runs a task, and removes the quota of a user as soon as it is written. */
  async function removeAtOnce<T>(user: UserId, task: () => Promise<T>) {
    let removed: Quota | undefined;
    table.client.middlewareStack.add(
      (next, { commandName }) =>
        async (parameters) => {
          const result = await next(parameters);
          const isThere = async () => (await readQuota(table, placeIn(user))) !== undefined;
          const isWrite = commandName === 'TransactWriteItemsCommand' && !removed;
          if (isWrite && (await isThere())) removed = await remove(user);
          return result;
        },
      { step: 'initialize', name: 'remove at once' },
    );
    const result = await task().finally(() =>
      table.client.middlewareStack.remove('remove at once'),
    );
    return { result, removed };
  }

  it.each<{ what: string; first?: QuotaChange; change: QuotaChange; fromBudget?: true }>([
    { what: 'opened', change: { ...time(500), validUntil: nextYear } },
    { what: 'raised', first: time(500), change: { amounts: { mode: 'add', kilobytes: 9 } } },
    {
      what: 'lowered',
      first: { ...time(500), validUntil: nextYear },
      change: { ...add(-1), validUntil: null },
    },
    { what: 'renewed', first: time(500), change: { renews: monthly } },
    { what: 'shared', first: time(500), change: add(100), fromBudget: true },
  ])('answers with the quota as $what, even if it is removed at once', async (order) => {
    const user = newUser();
    const { fromBudget, change } = order;
    const budget = { project: second, change: time(10_000), reason: 'a year', by };
    if (fromBudget) await changeBudget(table, budget, at);
    const grantIt = (wanted: QuotaChange) => {
      const where = { user, project: second, reason: 'a course', by, fromBudget };
      return grantQuota(table, catalog, { ...where, change: wanted }, at);
    };
    if (order.first) await grantIt(order.first);
    const { result, removed } = await removeAtOnce(user, () => grantIt(change));
    expect(removed).toBeDefined();
    expect(result.quota).toEqual(removed);
    expect(result.created).toBe(order.first === undefined);
    expect(await readQuota(table, placeIn(user))).toBeUndefined();
    await expectSumsHold(user);
  });

  it('lets an ended job without input be deleted after its quota is gone', async () => {
    const user = newUser();
    const world = createWorld(table, systemName('hpc_two'));
    await grant(user, time(7200));
    const input = { fileName: 'a.zip', source: { kind: 'none' } } as const;
    const job = await world.submit(user, { project: second, input });
    await world.runToEnd(job);
    await remove(user);
    const deleted = await deleteJob(table, accountOf(job), job.jobId, world.now());
    expect(deleted.stage).toBe('DELETED');
    await expectSumsHold(user);
  });

  it('removes once, and never under a job that is submitted at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = newUser();
      const world = createWorld(table, systemName('hpc_two'));
      await grant(user, { amounts: { mode: 'set', seconds: 7200, kilobytes: 1000 } });
      const results = await Promise.allSettled([
        remove(user),
        remove(user),
        world.submit(user, { project: second }),
      ]);
      const won = results.map(({ status }) => status === 'fulfilled');
      expect([...won].filter(Boolean)).toHaveLength(1);
      expect(await readQuota(table, placeIn(user))).toEqual(
        won[2] ? expect.objectContaining({ activeJobs: 1 }) : undefined,
      );
      await expectSumsHold(user);
    }
  });
});
