import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import {
  attendEnd,
  attendWaiting,
  sweepWaiting,
  type WaitingContext,
} from '#lib/jobs/after/attend-waiting.ts';
import { AwaitedFailedError, AwaitedNotFoundError } from '#lib/jobs/after/errors.ts';
import type { Waits } from '#lib/jobs/after/waits.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { embedded } from '../engines/engines.ts';
import { type OpenedTable, openTableOn } from '../engines/open-table-on.ts';
import { createWorld } from '../fixtures/life.ts';
import { jobId, systemName, userId } from '../fixtures/names.ts';

const owner = userId('1');

let opened: OpenedTable;
let table: Table;
let one: ReturnType<typeof createWorld>;
let two: ReturnType<typeof createWorld>;
let released: string[];
let context: WaitingContext;
beforeEach(async () => {
  opened = await openTableOn(embedded, 'slipway-chains');
  table = opened.table;
  one = createWorld(table, systemName('hpc_one'));
  two = createWorld(table, systemName('hpc_two'));
  released = [];
  context = {
    table,
    now: () => two.now(),
    onRelease: (hpc, { SK }) => released.push(`${hpc} ${SK}`),
  };
});
afterEach(() => opened.close());

const waitFor = (waits: Partial<Waits>): Partial<Submission> => ({
  waits: { after: [], afterAny: [], ...waits },
});
const current = (job: Job) => findJob(table, accountOf(job), job.jobId);
const lifeOf = (job: Job) => findLife(table, accountOf(job), job.jobId);
const reasonOf = async (job: Job) =>
  (await readTimeline(table, accountOf(job), job.jobId)).life.reason;

function pass(seconds: number): void {
  one.pass(seconds);
  two.pass(seconds);
}

/** Runs a job on hpc_one to its end, on both clocks. */
async function runFirst(job: Job): Promise<void> {
  const before = one.now().getTime();
  await one.runToEnd(job);
  two.pass((one.now().getTime() - before) / 1000);
}

/** Every account agrees with its jobs and its ledger. */
async function expectExact(...jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) {
    expect(await judgeAccount(table, accountOf(job))).toEqual({ state: 'sound' });
  }
}

describe('a job after another one', () => {
  it('waits with its quota held, and is released when the other has ended well', async () => {
    const first = await one.submit(owner);
    const second = await two.submit(owner, waitFor({ after: [first.jobId] }));
    expect(await lifeOf(second)).toMatchObject({ waiting: true });
    expect((await findQuota(table, accountOf(second))).time.held).toBe(second.hold.seconds);
    expect(await reasonOf(second)).toBe(`Waiting for ${first.jobId} (queued on hpc_one).`);
    pass(10);
    await two.sweep();
    expect((await lifeOf(second)).handle).toBeUndefined();
    await runFirst(first);
    await attendEnd(context, owner, first.jobId);
    expect(released).toEqual([`hpc_two LIFE#hpc_two#${second.project.name}#${second.jobId}`]);
    expect(await two.runToEnd(second)).toEqual(['QUEUE', 'SUBMITTED', 'COMPLETED']);
    await expectExact(first, second);
  });

  it('ends as cancelled when the other fails, and so does the one after it', async () => {
    const first = await one.submit(owner, { title: 'sim:fail' });
    const second = await two.submit(owner, waitFor({ after: [first.jobId] }));
    const third = await one.submit(owner, waitFor({ after: [second.jobId] }));
    await runFirst(first);
    await attendEnd(context, owner, first.jobId);
    for (const job of [second, third]) {
      expect(await current(job)).toMatchObject({ stage: ownStages.canceled, failed: false });
      const life = await lifeOf(job);
      expect(life).toMatchObject({ waiting: false, cancelPending: false });
      expect(life.dueAt).toBeUndefined();
    }
    expect(await reasonOf(second)).toBe(`Cancelled because ${first.jobId} on hpc_one has failed.`);
    expect(await reasonOf(third)).toBe(
      `Cancelled because ${second.jobId} on hpc_two was cancelled.`,
    );
    expect(released).toEqual([]);
    expect((await findQuota(table, accountOf(second))).activeJobs).toBe(0);
    await expectExact(first, second, third);
  });

  it('with after_any, runs however the other ended', async () => {
    const first = await one.submit(owner, { title: 'sim:fail' });
    const second = await two.submit(owner, waitFor({ afterAny: [first.jobId] }));
    await runFirst(first);
    await attendEnd(context, owner, first.jobId);
    expect(await two.runToEnd(second)).toEqual(['QUEUE', 'SUBMITTED', 'COMPLETED']);
    await expectExact(first, second);
  });

  it('waits for all of them', async () => {
    const first = await one.submit(owner);
    const other = await one.submit(owner);
    const second = await two.submit(owner, waitFor({ after: [first.jobId, other.jobId] }));
    await deleteJob(table, accountOf(other), other.jobId, one.now());
    await attendEnd(context, owner, other.jobId);
    expect(await current(second)).toMatchObject({ stage: ownStages.canceled });
    expect(await reasonOf(second)).toBe(
      `Cancelled because ${other.jobId} on hpc_one was cancelled.`,
    );
    expect(await current(first)).toMatchObject({ terminal: false });
    await expectExact(first, second);
  });

  it('runs at once if the other has already ended', async () => {
    const first = await one.submit(owner);
    await runFirst(first);
    const second = await two.submit(owner, waitFor({ after: [first.jobId] }));
    expect(await lifeOf(second)).toMatchObject({ waiting: false });
    expect(await two.runToEnd(second)).toEqual(['QUEUE', 'SUBMITTED', 'COMPLETED']);
  });

  it('is released by the clock if the news of the end was lost', async () => {
    const first = await one.submit(owner);
    const second = await two.submit(owner, waitFor({ after: [first.jobId] }));
    expect(await sweepWaiting(context)).toEqual([]);
    await runFirst(first);
    pass(300);
    expect(await sweepWaiting(context)).toEqual([]);
    expect(released).toHaveLength(1);
    expect(await two.runToEnd(second)).toEqual(['QUEUE', 'SUBMITTED', 'COMPLETED']);
  });

  it('is checked every five minutes while it waits', async () => {
    const first = await one.submit(owner);
    const second = await two.submit(owner, waitFor({ after: [first.jobId] }));
    const due = async () => ((await lifeOf(second)).dueAt?.getTime() ?? 0) - two.now().getTime();
    expect(await due()).toBe(300_000);
    pass(301);
    await sweepWaiting(context);
    expect(await due()).toBe(300_000);
    expect(await lifeOf(second)).toMatchObject({ waiting: true });
    // A clock that was set back does not make it wait for longer.
    pass(-3600);
    await sweepWaiting(context);
    expect(await due()).toBe(300_000);
  });

  it('can be cancelled while it waits, and its system is not called', async () => {
    const first = await one.submit(owner);
    const second = await two.submit(owner, waitFor({ after: [first.jobId] }));
    const third = await one.submit(owner, waitFor({ after: [second.jobId] }));
    await deleteJob(table, accountOf(second), second.jobId, two.now());
    expect(await reasonOf(second)).toBe('Cancelled by its owner.');
    expect(await lifeOf(second)).toMatchObject({ waiting: false, cancelPending: false });
    await attendEnd(context, owner, second.jobId);
    expect(await current(third)).toMatchObject({ stage: ownStages.canceled });
    expect(await current(first)).toMatchObject({ terminal: false });
    await expectExact(first, second);
  });

  it('shows in both timelines', async () => {
    const first = await one.submit(owner, { title: 'the first' });
    const second = await two.submit(owner, {
      title: 'the second',
      ...waitFor({ after: [first.jobId] }),
    });
    const ofFirst = await readTimeline(table, accountOf(first), first.jobId);
    expect(ofFirst.successors.map(({ jobId }) => jobId)).toEqual([second.jobId]);
    expect(ofFirst.after).toEqual([]);
    const ofSecond = await readTimeline(table, accountOf(second), second.jobId);
    expect(ofSecond.successors).toEqual([]);
    expect(ofSecond.after).toMatchObject([
      { id: first.jobId, hpc: 'hpc_one', title: 'the first', state: 'active', anyEnd: false },
    ]);
  });
});

describe('a submission after another job', () => {
  it('is refused if the id is unknown, or of somebody else, in the same words', async () => {
    const theirs = await one.submit(userId('2'));
    for (const id of [theirs.jobId, jobId('3A5F')]) {
      const refused = two.submit(owner, waitFor({ after: [id] }));
      await expect(refused).rejects.toThrow(AwaitedNotFoundError);
      await expect(refused).rejects.toThrow(
        `You have no job ${id}. Name jobs that you have submitted, by their job_id.`,
      );
    }
    expect(two.files.inputs.objects.size).toBe(0);
  });

  it('is refused if the other has already failed', async () => {
    const first = await one.submit(owner, { title: 'sim:fail' });
    await runFirst(first);
    const refused = two.submit(owner, waitFor({ after: [first.jobId] }));
    await expect(refused).rejects.toThrow(AwaitedFailedError);
    await expect(refused).rejects.toThrow(`${first.jobId} on hpc_one has failed, so a job`);
    expect(two.files.inputs.objects.size).toBe(0);
  });

  it('that races with the end is decided again, and never waits for nothing', async () => {
    const first = await one.submit(owner);
    let raced = false;
    // The first job ends after it was read, and before the second is written.
    table.client.middlewareStack.add(
      (next, { commandName }) =>
        async (parameters) => {
          if (commandName === 'TransactWriteItemsCommand' && !raced) {
            raced = true;
            await deleteJob(table, accountOf(first), first.jobId, one.now());
          }
          return next(parameters);
        },
      { step: 'initialize' },
    );
    await expect(two.submit(owner, waitFor({ after: [first.jobId] }))).rejects.toThrow(
      AwaitedFailedError,
    );
    expect(raced).toBe(true);
    expect((await current(first)).awaited).toBeUndefined();
  });

  it('attended twice at the same time is released once', async () => {
    const first = await one.submit(owner);
    const second = await two.submit(owner, waitFor({ after: [first.jobId] }));
    await runFirst(first);
    const key = jobLifeKey(accountOf(second), second.jobId);
    await Promise.all([1, 2, 3].map(() => attendWaiting(context, key)));
    expect(released).toHaveLength(1);
  });
});
