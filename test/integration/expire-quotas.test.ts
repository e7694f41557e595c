import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { expireQuota } from '#lib/quotas/expiry/expire-quota.ts';
import { expireQuotas } from '#lib/quotas/expiry/expire-quotas.ts';
import { expiringFromItem } from '#lib/quotas/expiry/expiring-quota.ts';
import { planExpiry } from '#lib/quotas/expiry/plan-expiry.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { quotaKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';
import { engines } from '../engines/engines.ts';
import { type OpenedTable, openTableOn } from '../engines/open-table-on.ts';
import { createWorld, readLedger } from '../fixtures/life.ts';

const day = 24 * 3600;

describe.each(engines.filter(({ available }) => available))(
  'the end of a quota on $name',
  (engine) => {
    let opened: OpenedTable;
    let table: Table;
    let world: ReturnType<typeof createWorld>;
    beforeAll(async () => {
      opened = await openTableOn(engine, 'slipway-expiry');
      table = opened.table;
    });
    beforeEach(() => {
      world = createWorld(table, systemName('hpc_two'));
      users += 1;
    });
    afterAll(() => opened.close());

    let users = 0;
    const user = () => userId(String(users));
    const place = () => ({
      user: user(),
      hpc: systemName('hpc_two'),
      project: projectName('proj_hpc_two_01'),
    });
    const sweep = () => expireQuotas(table, world.now);
    const daysFromNow = (days: number) => new Date(world.now().getTime() + days * day * 1000);

    async function endIn(days: number): Promise<Date> {
      const validUntil = daysFromNow(days);
      const [project] = world.system.projects;
      const order = { user: user(), project, reason: 'a test', by: '100001' };
      await grantQuota(table, catalog, { ...order, change: { validUntil } }, world.now());
      return validUntil;
    }

    /** As the table holds it, and as far as its end is concerned. */
    async function readStored() {
      const Key = quotaKey(place());
      const { Item } = await table.client.send(
        new GetCommand({ TableName: table.name, Key, ConsistentRead: true }),
      );
      return Object(Item);
    }

    async function expectSound() {
      expect(await judgeAccount(table, place())).toEqual({ state: 'sound' });
    }

    it('is warned of a month, a week and a day before, and never twice', async () => {
      await deleteJobOf(await world.submit(user()));
      const end = await endIn(40);
      const seen: unknown[] = [];
      for (let passed = 0; passed < 40; passed += 1) {
        await sweep();
        const { expiry_warned: warned, due_at: dueAt } = await readStored();
        if (seen.at(-1) !== `${warned} ${dueAt}`) seen.push(`${warned} ${dueAt}`);
        world.pass(day);
      }
      const daysBefore = (days: number) =>
        new Date(end.getTime() - days * day * 1000).toISOString();
      expect(seen).toEqual([
        `undefined ${daysBefore(30)}`,
        `month ${daysBefore(7)}`,
        `week ${daysBefore(1)}`,
        `day ${daysBefore(0)}`,
      ]);
    });

    it('takes back what is left, once, and is due no more', async () => {
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

    it('leaves jobs what they hold, and takes what they give back', async () => {
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
      // The ended job keeps its input, so the account is still looked at.
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

    it('does not come for a quota that was prolonged or used after it was read', async () => {
      await deleteJobOf(await world.submit(user()));
      await endIn(2);
      const submitted = expiringFromItem(await readStored());
      world.pass(2 * day);
      const planned = planExpiry(submitted, world.now());
      expect(planned.kind).toBe('take-back');
      const end = await endIn(60);
      await expireQuota(table, submitted, planned, world.now());
      const { validUntil, time } = await findQuota(table, place());
      expect(validUntil).toEqual(end);
      expect(time.left).toBe(18_000_000);
      expect(await readStored()).toMatchObject({ due_at: daysFromNow(30).toISOString() });

      const prolonged = expiringFromItem(await readStored());
      const late = { ...planned, left: { seconds: 18_000_000, kilobytes: 10_000_000 } };
      await world.submit(user());
      await expireQuota(table, prolonged, late, world.now());
      expect((await findQuota(table, place())).time.left).toBe(18_000_000 - 3600);
      await expectSound();
    });

    async function deleteJobOf(job: Awaited<ReturnType<typeof world.submit>>) {
      await deleteJob(table, accountOf(job), job.jobId, world.now());
    }
  },
);
