import { beforeEach, describe, expect, it } from 'vitest';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { catalog, defaultProject, findSystem } from '#lib/catalog/catalog.ts';
import type { Renewal } from '#lib/catalog/renewal.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { attendQuotas, carryOutPlan, planQuota } from '#lib/quotas/ends/attend-quotas.ts';
import { dueQuotaFromItem } from '#lib/quotas/ends/due-quota.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { openQuota } from '#lib/quotas/quota.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { walkLedger } from '#lib/quotas/read-ledger.ts';
import { createQuota } from '#lib/quotas/welcome.ts';
import { type AccountKey, ledgerRange, quotaKey } from '#lib/table/keys.ts';
import { DamagedItemError } from '#lib/table/parse-item.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { changeItem } from '#lib/table/writes.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';
import { onEveryEngine, tableForAll, tableForEach } from '../engines/use-table.ts';
import { createWorld, readLedger } from '../fixtures/life.ts';

/** Reads lines, newest first. */
async function readLines(table: Table, account: AccountKey) {
  const lines = [];
  for await (const line of walkLedger(table, account, ledgerRange())) lines.push(line);
  return lines;
}

const day = 24 * 3600;

onEveryEngine('the end of a quota on $name', (engine) => {
  const table = tableForAll(engine);
  let world: ReturnType<typeof createWorld>;
  beforeEach(() => {
    world = createWorld(table, systemName('hpc_two'));
    users += 1;
  });

  let users = 0;
  const user = () => userId(String(users));
  const place = () => ({
    user: user(),
    hpc: systemName('hpc_two'),
    project: projectName('proj_hpc_two_01'),
  });
  const sweep = () => attendQuotas(table, world.now);
  const daysFromNow = (days: number) => new Date(world.now().getTime() + days * day * 1000);

  async function endIn(days: number): Promise<Date> {
    const validUntil = daysFromNow(days);
    const [project] = world.system.projects;
    const order = { user: user(), project, reason: 'a test', by: '100001' };
    await grantQuota(table, catalog, { ...order, change: { validUntil } }, world.now());
    return validUntil;
  }

  /** Reads the stored attributes about the end. */
  async function readStored() {
    return Object(await readItem(table, quotaKey(place()), (item) => item));
  }

  async function expectSound() {
    expect(await judgeAccount(table, place())).toEqual({ state: 'sound' });
  }

  it('is warned a month, a week and a day before its end, and never twice', async () => {
    await deleteJobOf(await world.submit(user()));
    const end = await endIn(40);
    const seen: unknown[] = [];
    for (let passed = 0; passed < 40; passed += 1) {
      await sweep();
      const { expiry_warned: warned, due_at: dueAt } = await readStored();
      if (seen.at(-1) !== `${warned} ${dueAt}`) seen.push(`${warned} ${dueAt}`);
      world.pass(day);
    }
    const daysBefore = (days: number) => new Date(end.getTime() - days * day * 1000).toISOString();
    expect(seen).toEqual([
      `undefined ${daysBefore(30)}`,
      `month ${daysBefore(7)}`,
      `week ${daysBefore(1)}`,
      `day ${daysBefore(0)}`,
    ]);
  });

  it('takes back what remains once, and is no longer due', async () => {
    const job = await world.submit(user());
    await deleteJobOf(job);
    await endIn(1);
    world.pass(day);
    await sweep();
    await sweep();
    const { time, space } = await findQuota(table, place());
    expect({ time, space }).toEqual({
      time: { granted: 0, left: 0, held: 0, used: 0 },
      space: { granted: 0, left: 0, held: 0, used: 0 },
    });
    const stored = await readStored();
    expect(stored).not.toHaveProperty('due');
    expect(stored).not.toHaveProperty('due_at');
    const lines = await readLedger(table, job);
    expect(lines.filter(({ kind }) => kind === 'expiry')).toMatchObject([
      { seconds: -18_000_000, kilobytes: -10_000_000, by: 'slipway' },
    ]);
    await expectSound();
    await expect(world.submit(user())).rejects.toThrow('was valid until');
  });

  it('leaves jobs their holds, and takes back what they return', async () => {
    const job = await world.submit(user());
    const cancelled = await world.submit(user());
    await endIn(1);
    world.pass(day);
    await sweep();
    const held = await findQuota(table, place());
    expect(held.time).toEqual({ granted: 7200, left: 0, held: 7200, used: 0 });
    expect(held.space).toEqual({ granted: 10, left: 0, held: 10, used: 0 });
    await expectSound();

    await world.runToEnd(job, 5);
    await deleteJobOf(cancelled);
    await expectSound();
    const returned = await findQuota(table, place());
    expect(returned.time.left).toBeGreaterThan(0);

    world.pass(day);
    await sweep();
    const settled = await findQuota(table, place());
    expect(settled.time).toEqual({
      granted: returned.time.used,
      left: 0,
      held: 0,
      used: returned.time.used,
    });
    // The ended job keeps its input, so the account stays due.
    expect(settled.space).toEqual({ granted: 5, left: 0, held: 5, used: 0 });
    expect(await readStored()).toMatchObject({ due_at: daysFromNow(1).toISOString() });
    await expectSound();

    await deleteJobOf(job);
    world.pass(day);
    await sweep();
    expect((await findQuota(table, place())).space).toEqual({
      granted: 0,
      left: 0,
      held: 0,
      used: 0,
    });
    expect(await readStored()).not.toHaveProperty('due');
    await expectSound();
  });

  it('leaves a quota alone that was extended or used after it was read', async () => {
    await deleteJobOf(await world.submit(user()));
    await endIn(2);
    const submitted = dueQuotaFromItem(await readStored());
    world.pass(2 * day);
    const planned = planQuota(submitted, world.now());
    expect(planned).toHaveProperty('takeBack');
    const end = await endIn(60);
    await carryOutPlan(table, submitted, planned, world.now());
    const { validUntil, time } = await findQuota(table, place());
    expect(validUntil).toEqual(end);
    expect(time.left).toBe(18_000_000);
    expect(await readStored()).toMatchObject({ due_at: daysFromNow(30).toISOString() });

    const prolonged = dueQuotaFromItem(await readStored());
    await world.submit(user());
    await carryOutPlan(table, prolonged, planned, world.now());
    expect((await findQuota(table, place())).time.left).toBe(18_000_000 - 3600);
    await expectSound();
  });

  const rule: Renewal = {
    every: 'monthly',
    on: 1,
    month: 1,
    to: { seconds: 5000, kilobytes: 100 },
    carryOver: { seconds: 1000, kilobytes: 0 },
  };

  /** Starts on January 1st, so the first renewal is on February 1st. */
  async function renewBy(renews: Renewal | null): Promise<void> {
    const [project] = world.system.projects;
    const order = { user: user(), project, reason: 'a test', by: '100001' };
    await grantQuota(table, catalog, { ...order, change: { renews } }, world.now());
  }

  const renewalLines = async () =>
    (await readLines(table, place()))
      .filter(({ reason }) => reason.includes('renewal'))
      .map(({ kind, seconds, kilobytes, by, reason }) => ({
        kind,
        seconds,
        kilobytes,
        by,
        reason,
      }));

  it('renews: what remains lapses or carries over, and jobs keep their holds', async () => {
    const job = await world.submit(user());
    await renewBy(rule);
    await expectSound();
    world.pass(24 * day);
    await sweep();
    expect(await readStored()).toMatchObject({ renewal_announced: '2026-02-01T00:00:00.000Z' });
    world.pass(7 * day);
    // Simultaneous and repeated sweeps renew it once.
    await Promise.all([sweep(), sweep(), sweep(), sweep()]);
    await sweep();
    const renewed = await findQuota(table, place());
    expect(renewed.time).toEqual({ granted: 9600, left: 6000, held: 3600, used: 0 });
    expect(renewed.space).toEqual({ granted: 105, left: 100, held: 5, used: 0 });
    expect(renewed.renewal?.next).toEqual(new Date('2026-03-01T00:00:00Z'));
    const told = { by: 'slipway', reason: 'monthly renewal of 2026-02-01' };
    expect(await renewalLines()).toEqual([
      { kind: 'grant', seconds: 5000, kilobytes: 100, ...told },
      { kind: 'expiry', seconds: -17_995_400, kilobytes: -9_999_995, ...told },
    ]);
    await expectSound();

    // What comes back later belongs to the new period.
    await world.runToEnd(job, 5);
    const returned = await findQuota(table, place());
    expect(returned.time.left).toBe(9600 - returned.time.used);
    await expectSound();
  });

  it('is renewed once for all missed months, and then on time', async () => {
    await world.submit(user());
    await renewBy({ ...rule, carryOver: { seconds: 0, kilobytes: 0 } });
    world.pass(100 * day);
    await sweep();
    expect((await findQuota(table, place())).time.left).toBe(5000);
    expect((await renewalLines()).map(({ kind }) => kind)).toEqual(['grant', 'expiry']);
    world.pass(30 * day);
    await sweep();
    expect((await renewalLines()).map(({ reason }) => reason.slice(-10))).toEqual([
      '2026-05-01',
      '2026-05-01',
      '2026-02-01',
      '2026-02-01',
    ]);
    await expectSound();
  });

  it('is not renewed from a state before a job, a grant or another rule', async () => {
    const changes: (() => Promise<unknown>)[] = [
      () => world.submit(user()),
      () => renewBy({ ...rule, to: { seconds: 7, kilobytes: 7 } }),
      () => renewBy(null),
      () => endIn(60),
    ];
    await world.submit(user());
    for (const change of changes) {
      await renewBy(rule);
      // Already announced, so the quota is due exactly at its renewal, whatever changes.
      world.pass(24 * day);
      await sweep();
      world.pass(7 * day);
      const due = dueQuotaFromItem(await readStored());
      const planned = planQuota(due, world.now());
      expect(planned.renew).toBeDefined();
      await change();
      const before = await readStored();
      await carryOutPlan(table, due, planned, world.now());
      expect(await readStored()).toEqual(before);
      await sweep();
      await expectSound();
    }
  });

  it('that has ended and gets a rule neither renews nor loses what was granted since', async () => {
    await deleteJobOf(await world.submit(user()));
    await endIn(1);
    world.pass(2 * day);
    await sweep();
    const [project] = world.system.projects;
    const order = { user: user(), project, reason: 'a test', by: '100001' };
    const amounts = { mode: 'set' as const, seconds: 10 };
    await grantQuota(table, catalog, { ...order, change: { amounts } }, world.now());
    await renewBy(rule);
    expect(await readStored()).not.toHaveProperty('due');
    world.pass(60 * day);
    await sweep();
    expect((await findQuota(table, place())).time.left).toBe(10);
    // Once extended, the quota can be used, and renews from the next moment on.
    await endIn(60);
    world.pass(31 * day);
    await sweep();
    expect((await findQuota(table, place())).time.left).toBe(5010);
    await expectSound();
  });

  it('no longer renews once it is removed, and neither does a later grant there', async () => {
    const job = await world.submit(user());
    await deleteJobOf(job);
    await renewBy(rule);
    const [project] = world.system.projects;
    const order = { user: user(), project, reason: 'a test', by: '100001' };
    await removeQuota(table, order, world.now());
    const amounts = { mode: 'set' as const, seconds: 10 };
    await grantQuota(table, catalog, { ...order, change: { amounts } }, world.now());
    world.pass(60 * day);
    await sweep();
    expect(await findQuota(table, place())).toMatchObject({
      time: { left: 10 },
      renewal: undefined,
    });
    await expectSound();
  });

  async function deleteJobOf(job: Awaited<ReturnType<typeof world.submit>>) {
    await deleteJob(table, accountOf(job), job.jobId, world.now());
  }
});

describe('a sweep over quotas that end', () => {
  const end = new Date('2026-11-15T08:00:00Z');
  const start = new Date('2026-11-15T08:30:00Z').getTime();
  const table = tableForEach();

  const project = defaultProject(findSystem(catalog, 'hpc_two'));
  const accountNumber = (id: number) => ({
    user: userId(String(id)),
    hpc: project.hpc,
    project: project.name,
  });

  /** Puts one quota into each shard, with the numbers 4 to 7. */
  async function seed(...ids: number[]): Promise<void> {
    for (const id of ids) {
      const quota = openQuota(
        { id, user: userId(String(id)), project },
        { seconds: 10, kilobytes: 10 },
        { validUntil: end },
      );
      await writeTransaction(table, [createQuota(quota, new Date(start))]);
    }
  }

  async function listEnded(...ids: number[]): Promise<number[]> {
    const quotas = await Promise.all(ids.map((id) => findQuota(table, accountNumber(id))));
    return quotas.filter(({ time }) => time.left === 0).map(({ id }) => id);
  }

  /** A clock that shows one moment after the other, in milliseconds after the start. */
  function clockShowing(...moments: number[]) {
    return () => new Date(start + (moments.shift() ?? Number.NaN));
  }

  it('reads no page after half a minute, and leaves the rest to the next sweep', async () => {
    await seed(4, 5, 6, 7);
    await attendQuotas(table, clockShowing(0, 0, 30_000, 30_001));
    expect(await listEnded(4, 5, 6, 7)).toEqual([4, 5]);
    await attendQuotas(table, () => new Date(start));
    expect(await listEnded(4, 5, 6, 7)).toEqual([4, 5, 6, 7]);
  });

  it('fails with all failures after handling all others', async () => {
    await seed(4, 5, 6, 7);
    for (const id of [4, 6]) {
      await changeItem(table, quotaKey(accountNumber(id)), {
        set: { living_jobs: undefined },
      });
    }
    const sweep = attendQuotas(table, () => new Date(start));
    await expect(sweep).rejects.toMatchObject({
      errors: [expect.any(DamagedItemError), expect.any(DamagedItemError)],
    });
    expect(await listEnded(5, 7)).toEqual([5, 7]);
  });
});
