import { beforeEach, describe, expect, it } from 'vitest';
import { readAudit } from '#lib/audit/read-audit.ts';
import { catalog, findProject, findSystem } from '#lib/catalog/catalog.ts';
import { carryOutPlan, planQuota, type QuotaPlan } from '#lib/quotas/ends/attend-quotas.ts';
import { dueQuotaFromItem } from '#lib/quotas/ends/due-quota.ts';
import {
  AccountChangedError,
  NoQuotaError,
  QuotaExceededError,
  QuotaExpiredError,
  QuotaInUseError,
  QuotaNotFoundError,
  SubmissionBannedError,
  TooManyJobsError,
} from '#lib/quotas/errors.ts';
import { changeQuota, type QuotaChange } from '#lib/quotas/grants/change-quota.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { holdQuota, settleQuota } from '#lib/quotas/holds.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { accountOf, type Hold, openQuota, type Quota } from '#lib/quotas/quota.ts';
import { quotaFromItem, quotaToItem } from '#lib/quotas/quota-item.ts';
import { readQuotas } from '#lib/quotas/quota-store.ts';
import { readLedgerPage } from '#lib/quotas/read-ledger.ts';
import { createQuota } from '#lib/quotas/welcome.ts';
import { quotaKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';
import { changeItem, putItem } from '#lib/table/writes.ts';
import { userId } from '#test/fixtures/names.ts';
import { interruptBefore } from '../engines/interrupt.ts';
import { meter } from '../engines/meter.ts';
import { tableForAll } from '../engines/use-table.ts';

const project = findProject(findSystem(catalog, 'hpc_one'), 'proj_hpc_one_01');
const now = new Date('2026-11-15T08:30:00Z');
const by = '100001';

type Attributes = Readonly<Record<string, unknown>>;

/**
 * Tests each condition of a write on the table itself: what it lets through, and what it refuses.
 */
describe('the account', () => {
  const table = tableForAll();
  let users = 0;
  let quota: Quota;
  beforeEach(() => {
    users += 1;
    quota = {
      ...openQuota({ id: 5, user: userId(String(users)), project }, { seconds: 0, kilobytes: 0 }),
      time: { granted: 100, left: 60, held: 30, used: 10 },
      space: { granted: 50, left: 30, held: 20, used: 0 },
      activeJobs: 2,
    };
  });

  const unused = (): Quota => ({
    ...quota,
    time: { granted: 100, left: 100, held: 0, used: 0 },
    space: { granted: 50, left: 50, held: 0, used: 0 },
    activeJobs: 0,
  });

  /** Writes past all rules, as after some history. */
  const put = (stored: Quota, more: Attributes = {}) =>
    putItem(table, { Item: { ...quotaToItem(stored), ...more } });

  const meddle = (change: Attributes) =>
    changeItem(table, quotaKey(accountOf(quota)), { set: change });

  const read = () => readItem(table, quotaKey(accountOf(quota)), (item) => item);

  const write = (...steps: Step[]) => writeTransaction(table, steps);

  async function expectRefused(step: Step, error: new (...parameters: never[]) => Error) {
    const before = await read();
    await expect(write(step)).rejects.toBeInstanceOf(error);
    expect(await read()).toEqual(before);
  }

  const readLines = async () =>
    (
      await readLedgerPage(table, { ...accountOf(quota), since: undefined, until: undefined }, 100)
    ).entries.map(({ kind, seconds, kilobytes }) => ({ kind, seconds, kilobytes }));

  const readActs = async () =>
    (await readAudit(table, { filter: { user: quota.user } }, 100, undefined, now)).entries;

  describe('lets a job hold', () => {
    const hold = (seconds: number, kilobytes: number, maxLivingJobs = 3) =>
      holdQuota(accountOf(quota), { seconds, kilobytes }, { maxLivingJobs, now });

    it('everything that remains, as the last allowed job', async () => {
      await put(quota);
      await write(hold(60, 30));
      expect(quotaFromItem(await read())).toMatchObject({
        time: { granted: 100, left: 0, held: 90, used: 10 },
        space: { granted: 50, left: 0, held: 50, used: 0 },
        activeJobs: 3,
      });
    });

    it('until the last moment of a quota that ends', async () => {
      const end = new Date(now.getTime() + 1);
      await put({ ...quota, validUntil: end });
      await write(hold(1, 1));
      await put({ ...quota, validUntil: now });
      await expectRefused(hold(1, 1), QuotaExpiredError);
    });

    it('no more time, space or jobs than there are', async () => {
      await put(quota);
      await expectRefused(hold(61, 0), QuotaExceededError);
      await expectRefused(hold(0, 31), QuotaExceededError);
      await expectRefused(hold(1, 1, 2), TooManyJobsError);
    });

    it.each([{ here: 'a loop' }, { everywhere: 'a loop' }])(
      'nothing if there is a ban: %j',
      async (bans) => {
        await put({ ...quota, bans });
        await expectRefused(hold(1, 1), SubmissionBannedError);
      },
    );

    it('nothing if there is no quota', async () => {
      await expectRefused(hold(1, 1), NoQuotaError);
    });
  });

  describe('settles what a job held', () => {
    const settle = (jobs: number) =>
      settleQuota(accountOf(quota), { used: 20, returned: 10, kilobytes: 20, jobs });

    it('if all of it is held', async () => {
      await put({ ...quota, activeJobs: 1 });
      await write(settle(1));
      expect(quotaFromItem(await read())).toMatchObject({
        time: { granted: 100, left: 70, held: 0, used: 30 },
        space: { granted: 50, left: 50, held: 0, used: 0 },
        activeJobs: 0,
      });
    });

    it('even for a job that ended before', async () => {
      await put({ ...quota, activeJobs: 0 });
      await write(settle(0));
      expect(await read()).toMatchObject({ living_jobs: 0, space_left: 50 });
    });

    it.each([{ time_held: 29 }, { space_held: 19 }, { living_jobs: 0 }])(
      'unless less is held: %j',
      async (less) => {
        await put(quota, less);
        await expectRefused(settle(1), Error);
      },
    );
  });

  describe('is opened', () => {
    const order = (change: QuotaChange) => ({
      user: quota.user,
      project: findProject(findSystem(catalog, 'hpc_two'), 'proj_hpc_two_02'),
      reason: 'a course',
      by,
      change,
    });

    it('under a number that no other has', async () => {
      const amounts = { mode: 'set' as const, kilobytes: 5 };
      await grantQuota(table, catalog, order({ amounts }), now);
      const ids = (await readQuotas(table, quota.user)).map(({ id }) => id);
      expect(ids).toHaveLength(3);
      expect(new Set(ids).size).toBe(3);
    });

    it('never by an end alone, even if it was removed after it was read', async () => {
      const ended = order({ validUntil: new Date('2027-01-01T00:00:00Z') });
      await grantQuota(table, catalog, order({ amounts: { mode: 'set', seconds: 5 } }), now);
      // The first read finds the quota, and the second does not.
      interruptBefore(table, 'GetItemCommand', async () => {
        interruptBefore(table, 'GetItemCommand', () => removeQuota(table, ended, now));
      });
      await expect(grantQuota(table, catalog, ended, now)).rejects.toBeInstanceOf(
        QuotaNotFoundError,
      );
      expect(await readQuotas(table, quota.user)).toHaveLength(2);
    });

    it('if there is none', async () => {
      await put(quota);
      await expectRefused(createQuota({ ...quota, id: 6 }), AccountChangedError);
    });
  });

  describe('is lowered', () => {
    const order = (change: { seconds?: number; kilobytes?: number }) => ({
      user: quota.user,
      project,
      reason: 'a course',
      by,
      change: { amounts: { mode: 'add' as const, ...change } },
    });
    const hold = (held: Hold) =>
      write(holdQuota(accountOf(quota), held, { maxLivingJobs: 9, now }));

    it.each([
      { what: 'time', change: { seconds: -60 }, held: { seconds: 1, kilobytes: 0 } },
      { what: 'space', change: { kilobytes: -30 }, held: { seconds: 0, kilobytes: 1 } },
    ])('but not below the $what that a job holds meanwhile', async ({ change, held }) => {
      await put(quota);
      interruptBefore(table, 'TransactWriteItemsCommand', () => hold(held));
      await expect(grantQuota(table, catalog, order(change), now)).rejects.toBeInstanceOf(
        QuotaInUseError,
      );
      expect(quotaFromItem(await read())).toMatchObject({
        time: { granted: 100, left: 60 - held.seconds },
        space: { granted: 50, left: 30 - held.kilobytes },
      });
      expect(await readLines()).toEqual([]);
      expect(await readActs()).toEqual([]);
    });

    it('by what remains besides a job’s new hold', async () => {
      await put(quota);
      interruptBefore(table, 'TransactWriteItemsCommand', () =>
        hold({ seconds: 10, kilobytes: 10 }),
      );
      await grantQuota(table, catalog, order({ seconds: -50, kilobytes: -20 }), now);
      expect(quotaFromItem(await read())).toMatchObject({
        time: { granted: 50, left: 0, held: 40, used: 10 },
        space: { granted: 30, left: 0, held: 30, used: 0 },
      });
      expect(await readLines()).toEqual([{ kind: 'correction', seconds: -50, kilobytes: -20 }]);
    });

    it.each([
      { id: 6 },
      { time_granted: 101 },
      { space_granted: 51 },
      { valid_until: '2027-01-01T00:00:00.000Z' },
    ])('only as it was read: %j', async (meanwhile) => {
      await put(quota, meanwhile);
      const planned = {
        added: { seconds: -1, kilobytes: -1 },
        validUntil: undefined,
        renewal: undefined,
      };
      await expectRefused(changeQuota(quota, planned, now), AccountChangedError);
    });

    it('only with the end that was read', async () => {
      const validUntil = new Date('2027-01-01T00:00:00Z');
      const change = changeQuota(
        { ...quota, validUntil },
        { added: { seconds: 1, kilobytes: 1 }, validUntil, renewal: undefined },
        now,
      );
      await put(quota);
      await expectRefused(change, AccountChangedError);
      await put({ ...quota, validUntil: new Date('2027-01-02T00:00:00Z') });
      await expectRefused(change, AccountChangedError);
      await put({ ...quota, validUntil });
      await write(change);
      expect(await read()).toMatchObject({ time_granted: 101, space_left: 31 });
    });
  });

  describe('is raised', () => {
    it.each([
      { seconds: 7, kilobytes: 0 },
      { seconds: 0, kilobytes: 7 },
    ])('with a ledger line, whatever is added: %j', async (added) => {
      await put(quota);
      const change = { amounts: { mode: 'add' as const, ...added } };
      const order = { user: quota.user, project, reason: 'a course', by, change };
      await grantQuota(table, catalog, order, now);
      expect(await readLines()).toEqual([{ kind: 'grant', ...added }]);
    });
  });

  describe('is given another end', () => {
    const validUntil = new Date('2027-01-01T00:00:00Z');
    const change = (end: Date | undefined) =>
      changeQuota(
        { ...quota, validUntil },
        { added: { seconds: 0, kilobytes: 0 }, validUntil: end, renewal: undefined },
        now,
      );
    const warned = { due: 'DUE#EXPIRY#1', due_at: 'a moment', expiry_warned: 'month' };

    it('and its warnings start again', async () => {
      await put({ ...quota, validUntil }, warned);
      await write(change(new Date('2026-11-20T00:00:00Z')));
      const stored = await read();
      expect(stored).toMatchObject({
        valid_until: '2026-11-20T00:00:00.000Z',
        due: 'DUE#EXPIRY#1',
        due_at: '2026-11-19T00:00:00.000Z',
      });
      expect(stored).not.toHaveProperty('expiry_warned');
    });

    it('or none, and nothing of it remains', async () => {
      await put({ ...quota, validUntil }, warned);
      await write(change(undefined));
      expect(await read()).toEqual(quotaToItem(quota));
    });

    it('or the same, and its warnings stay', async () => {
      await put({ ...quota, validUntil }, warned);
      const before = await read();
      await write(change(validUntil));
      expect(await read()).toEqual(before);
    });
  });

  describe('is removed', () => {
    const remove = () =>
      removeQuota(table, { user: quota.user, project, reason: 'it is over', by }, now);

    it.each([
      { meanwhile: { id: 6 }, removed: { id: 6 } },
      { meanwhile: { time_left: 99 }, removed: { time: { left: 99 } } },
      { meanwhile: { space_left: 49 }, removed: { space: { left: 49 } } },
    ])('as it is, and not as it was before: $meanwhile', async ({ meanwhile, removed }) => {
      await put(unused());
      interruptBefore(table, 'TransactWriteItemsCommand', () => meddle(meanwhile));
      const answer = await remove();
      expect(answer).toMatchObject(removed);
      expect(await read()).toBeUndefined();
      const { time, space } = answer;
      expect(await readLines()).toEqual([
        { kind: 'correction', seconds: -time.left, kilobytes: -space.left },
      ]);
      expect(await readActs()).toHaveLength(1);
    });

    it.each([{ time_held: 1 }, { space_held: 1 }, { living_jobs: 1 }])(
      'but not under a job that comes meanwhile: %j',
      async (meanwhile) => {
        await put(unused());
        interruptBefore(table, 'TransactWriteItemsCommand', () => meddle(meanwhile));
        await expect(remove()).rejects.toBeInstanceOf(QuotaInUseError);
        expect(await read()).toMatchObject(meanwhile);
        expect(await readLines()).toEqual([]);
        expect(await readActs()).toEqual([]);
      },
    );
  });

  describe('expires', () => {
    const validUntil = new Date('2026-11-15T08:00:00Z');
    const due = { due: 'DUE#EXPIRY#1', due_at: validUntil.toISOString() };

    async function expire(meanwhile: Attributes, plan?: QuotaPlan) {
      const expiring = dueQuotaFromItem(await read());
      if (Object.keys(meanwhile).length > 0) await meddle(meanwhile);
      const before = await read();
      await carryOutPlan(table, expiring, plan ?? planQuota(expiring, now), now);
      return { before, after: await read() };
    }

    it('as it was read', async () => {
      await put({ ...unused(), validUntil }, due);
      const { after } = await expire({});
      expect(after).toMatchObject({ time_left: 0, time_granted: 0, space_left: 0 });
      expect(after).not.toHaveProperty('due');
      expect(await readLines()).toEqual([{ kind: 'expiry', seconds: -100, kilobytes: -50 }]);
    });

    it.each([
      { time_left: 99 },
      { space_left: 49 },
      { due_at: '2026-12-01T00:00:00.000Z' },
      { valid_until: '2027-01-01T00:00:00.000Z' },
    ])('unless it has changed since: %j', async (meanwhile) => {
      await put({ ...unused(), validUntil }, due);
      const { before, after } = await expire(meanwhile);
      expect(after).toEqual(before);
      expect(await readLines()).toEqual([]);
    });

    it.each([{ warn: 'day', dueAgain: validUntil } as const, { dueAgain: undefined }])(
      'and is neither warned nor rescheduled from an older state: %j',
      async (plan) => {
        for (const meanwhile of [{ due_at: 'later' }, { valid_until: 'later' }]) {
          await put({ ...unused(), validUntil }, due);
          const { before, after } = await expire(meanwhile, plan);
          expect(after).toEqual(before);
        }
      },
    );

    it('with a line in its ledger, or not at all', async () => {
      await put({ ...unused(), validUntil }, due);
      const before = await read();
      const line = {
        ...accountOf(quota),
        seconds: 1,
        kilobytes: 1,
        at: now,
        reason: 'it is there',
      };
      await write(writeLedgerLine({ ...line, kind: 'expiry', by: 'slipway' }));
      await expect(expire({})).rejects.toThrow('already');
      expect(await read()).toEqual(before);
    });

    it('unless it had no end before and has one now', async () => {
      await put(unused(), due);
      const { before, after } = await expire({ valid_until: '2027-01-01T00:00:00.000Z' });
      expect(after).toEqual(before);
      await put(unused(), due);
      expect((await expire({})).after).not.toHaveProperty('due_at');
    });
  });

  describe('has a ledger', () => {
    it('whose pages cost what they show, however long the ledger is', async () => {
      await put(quota);
      for (const minute of [1, 2, 3, 4, 5, 6]) {
        const at = new Date(now.getTime() + minute * 60_000);
        const line = { ...accountOf(quota), kind: 'grant' as const, by, reason: 'a course' };
        await write(writeLedgerLine({ ...line, seconds: minute, kilobytes: 0, at }));
      }
      const list = { ...accountOf(quota), since: undefined, until: undefined };
      const { cost } = meter(table);
      const page = await cost(async () => {
        const { entries: lines, next } = await readLedgerPage(table, list, 2);
        expect(lines.map(({ seconds }) => seconds)).toEqual([6, 5]);
        expect(next?.left).toEqual({ seconds: 60 - 11, kilobytes: 30 });
      });
      // The account before and after, and three lines of a few hundred bytes.
      expect(page).toEqual({ readUnits: 3, writeUnits: 0 });
    });

    it('in which a line is written once', async () => {
      await put(quota);
      const line = {
        ...accountOf(quota),
        kind: 'grant' as const,
        seconds: 1,
        kilobytes: 2,
        at: now,
        by,
        reason: 'a course',
      };
      await write(writeLedgerLine(line));
      await expect(write(writeLedgerLine({ ...line, seconds: 9 }))).rejects.toThrow('already');
      expect(await readLines()).toEqual([{ kind: 'grant', seconds: 1, kilobytes: 2 }]);
    });
  });
});
