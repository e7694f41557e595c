import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streams } from '#functions/streams.ts';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { newBatchToItem } from '#lib/batches/batch.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { cancelJob } from '#lib/jobs/cancel/cancel-job.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { attendEnd, attendWaiting, sweepWaiting } from '#lib/jobs/chains/attend-waiting.ts';
import { AwaitedFailedError, AwaitedNotFoundError } from '#lib/jobs/chains/errors.ts';
import type { WaitingContext } from '#lib/jobs/chains/prepare-input.ts';
import type { Waits } from '#lib/jobs/chains/waits.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { readRequest } from '#lib/jobs/job-request.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { endJob } from '#lib/jobs/life/end-job.ts';
import {
  askToFetch,
  claimTakeOver,
  findLife,
  postponeTakeOver,
  postponeWaiting,
  releaseLife,
} from '#lib/jobs/life/job-life-store.ts';
import { findStandingJobs } from '#lib/jobs/read/find-standing-jobs.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { distrustWaiting } from '#lib/jobs/run/hand-over/waiting-jobs.ts';
import { groupDueJobs } from '#lib/jobs/run/sweep/due-jobs.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import { holdSpace } from '#lib/quotas/holds.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { batchKey, jobLifeKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { changeItem, putItem } from '#lib/table/writes.ts';
import { inspectZip } from '#lib/zips/inspect-zip.ts';
import { listParts } from '#lib/zips/list-parts.ts';
import { matchesFilter } from '#local/stream/follow-stream.ts';
import { openInProcessTable } from '../engines/in-process.ts';
import { batchSample } from '../fixtures/batches.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { catalog } from '../fixtures/catalog.ts';
import { createWorld, readLedger } from '../fixtures/life.ts';
import { jobId, systemName, userId } from '../fixtures/names.ts';

const owner = userId('1');
const dispatchJobs = streams['dispatch-jobs'];

let opened: Awaited<ReturnType<typeof openInProcessTable>>;
let table: Table;
let one: ReturnType<typeof createWorld>;
let two: ReturnType<typeof createWorld>;
let context: WaitingContext;
beforeEach(async () => {
  opened = await openInProcessTable('slipway-chains');
  table = opened.table;
  one = createWorld(table, systemName('hpc_one'));
  two = createWorld(table, systemName('hpc_two'));
  context = {
    table,
    catalog,
    files: two.files,
    connect: async ({ name }) => (name === 'hpc_one' ? one : two).connector,
    now: () => two.now(),
  };
});
afterEach(() => opened.close());

const waitFor = (waits: Partial<Waits>): Partial<Submission> => ({
  waits: { after: [], afterAny: [], ...waits },
});

/** Lists the jobs that the stream announced because their wait was over. */
function released(): string[] {
  const changes = opened
    .readChanges()
    .filter(({ eventName }) => eventName === 'MODIFY')
    .filter((record) => dispatchJobs.filters.some((filter) => matchesFilter(record, filter)));
  const due = groupDueJobs(changes, two.now());
  return [...due].flatMap(([hpc, lives]) => lives.map(({ SK }) => `${hpc} ${SK}`));
}

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
    expect(released()).toEqual([`hpc_two LIFE#hpc_two#${second.project.name}#${second.jobId}`]);
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
    expect(released()).toEqual([]);
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
    expect(released()).toHaveLength(1);
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

  it('is looked for on its system first if its table was restored', async () => {
    const first = await one.submit(owner);
    const second = await two.submit(owner, waitFor({ after: [first.jobId] }));
    expect((await lifeOf(second)).claims).toBe(0);
    await distrustWaiting(table, systemName('hpc_two'));
    expect((await lifeOf(second)).claims).toBe(1);
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
        `You have no job or batch ${id}. Name what you have submitted, by its id.`,
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
    expect(released()).toHaveLength(1);
  });
});

describe('a job after a batch', () => {
  const batch = { ...batchSample, owner };
  const put = (counts: Partial<typeof batch.counts> = {}) =>
    putItem(table, { Item: newBatchToItem({ ...batch, counts: { ...batch.counts, ...counts } }) });
  const count = (ended: Readonly<Record<string, number>>) =>
    changeItem(table, batchKey(owner, batch.id), { add: ended });

  it('waits until all of its jobs have ended well', async () => {
    await put({ done: 1 });
    const second = await two.submit(owner, waitFor({ after: [batch.id] }));
    expect(await reasonOf(second)).toBe(`Waiting for ${batch.id} (running on hpc_one).`);
    await attendEnd(context, owner, batch.id);
    expect(released()).toEqual([]);
    await count({ done: 2 });
    await attendEnd(context, owner, batch.id);
    expect(released()).toHaveLength(1);
  });

  it('is cancelled if one of its jobs has failed, unless any end will do', async () => {
    await put();
    const second = await two.submit(owner, waitFor({ after: [batch.id] }));
    const third = await two.submit(owner, waitFor({ afterAny: [batch.id] }));
    await count({ done: 2, failed: 1 });
    await attendEnd(context, owner, batch.id);
    expect(await reasonOf(second)).toBe(`Cancelled because ${batch.id} on hpc_one has failed.`);
    expect(await lifeOf(third)).toMatchObject({ waiting: false });
    await expectExact(second, third);
    await expect(two.submit(owner, waitFor({ after: [batch.id] }))).rejects.toThrow(
      AwaitedFailedError,
    );
  });
});

describe('the results of a job as the input of the next', () => {
  const noInput = { input: { fileName: 'in.zip', source: { kind: 'none' as const } } };
  const inline = (content: Uint8Array<ArrayBuffer>) => ({
    input: { fileName: 'in.zip', source: { kind: 'inline' as const, content, sha256: '' } },
  });

  async function listInput(job: Job): Promise<string[]> {
    const { input } = (await readRequest(table, job)) ?? {};
    if (input?.key === undefined) return [];
    const content = two.files.inputs.objects.get(input.key);
    expect(content?.length).toBe(input.bytes);
    await inspectZip(content ?? new Uint8Array());
    const parts = await listParts(two.files.inputs, input.key, input.bytes);
    return parts.map(({ name }) => name);
  }

  it('is put together when the first has ended, and its space is charged', async () => {
    const first = await one.submit(owner);
    const wish = { ...noInput, ...waitFor({ input: { from: first.jobId } }) };
    const second = await two.submit(owner, wish);
    expect(second.hold.kilobytes).toBe(0);
    await runFirst(first);
    await attendEnd(context, owner, first.jobId);
    expect(released()).toHaveLength(1);
    expect(await listInput(second)).toEqual(['stdout', 'stderr', 'listing.txt']);
    const { hold } = await current(second);
    expect(hold.kilobytes).toBe(1);
    await expectExact(first, second);
    const line = (await readLedger(table, second)).find(({ reason }) =>
      String(reason).startsWith('input'),
    );
    expect(line).toMatchObject({
      kind: 'hold',
      kilobytes: -1,
      reason: `input from ${first.jobId}`,
    });
    expect(await two.runToEnd(second)).toEqual(['QUEUE', 'SUBMITTED', 'COMPLETED']);
    await expectExact(second);
    await deleteJob(table, accountOf(second), second.jobId, two.now());
    await expectExact(second);
    expect((await findQuota(table, accountOf(second))).space.held).toBe(0);
  });

  it('is taken at once from a job that has ended already', async () => {
    const first = await one.submit(owner);
    await runFirst(first);
    const wish = { ...noInput, ...waitFor({ input: { from: first.jobId, folder: 'before' } }) };
    const second = await two.submit(owner, wish);
    expect(await lifeOf(second)).toMatchObject({ waiting: true, dueAt: two.now() });
    pass(1);
    expect(await sweepWaiting(context)).toEqual([]);
    expect(await listInput(second)).toEqual([
      'before/stdout',
      'before/stderr',
      'before/listing.txt',
    ]);
  });

  it('is joined with the own zip, whose files win', async () => {
    const first = await one.submit(owner);
    const own = buildZip([
      { name: 'stdout', content: 'mine' },
      { name: 'main.py', content: 'print(1)' },
    ]);
    const wish = { ...inline(own), ...waitFor({ input: { from: first.jobId } }) };
    const second = await two.submit(owner, wish);
    const { input: before } = (await readRequest(table, second)) ?? {};
    await runFirst(first);
    await attendEnd(context, owner, first.jobId);
    expect(await listInput(second)).toEqual(['stdout', 'main.py', 'stderr', 'listing.txt']);
    expect(two.files.inputs.objects.has(before?.key ?? '')).toBe(false);
    await expectExact(second);
  });

  it('ends the job if there is no space for it, and gives everything back', async () => {
    const first = await one.submit(owner);
    const second = await two.submit(owner, {
      ...noInput,
      ...waitFor({ input: { from: first.jobId } }),
    });
    await runFirst(first);
    const { space } = await findQuota(table, accountOf(second));
    // Another job takes all the space that remains.
    await writeTransaction(table, [
      holdSpace(accountOf(second), space.left),
      writeLedgerLine({
        ...accountOf(second),
        kind: 'hold',
        seconds: 0,
        kilobytes: -space.left,
        at: two.now(),
        by: 'test',
        reason: 'all of it',
      }),
    ]);
    await attendEnd(context, owner, first.jobId);
    expect(await current(second)).toMatchObject({ stage: ownStages.canceled });
    expect(await reasonOf(second)).toMatch(
      `Cancelled because the results of ${first.jobId} cannot be its input: `,
    );
    expect(await reasonOf(second)).toContain('kilobytes');
    expect(two.files.inputs.objects.size).toBe(0);
    const after = await findQuota(table, accountOf(second));
    expect(after.space).toMatchObject({ held: space.left, left: 0 });
    expect(after.activeJobs).toBe(0);
  });

  it('waits while the system of the first cannot be reached, and is tried again', async () => {
    const first = await one.submit(owner);
    const second = await two.submit(owner, waitFor({ input: { from: first.jobId } }));
    await runFirst(first);
    const away = {
      ...context,
      connect: async () => {
        throw new SystemUnavailableError('away');
      },
    };
    await attendEnd(away, owner, first.jobId);
    expect(await lifeOf(second)).toMatchObject({ waiting: true, takeOvers: 0 });
    expect(await reasonOf(second)).toBe(
      `The results of ${first.jobId} on hpc_one cannot be reached right now. It will be tried again.`,
    );
    pass(60);
    await sweepWaiting(context);
    expect(released()).toHaveLength(1);
    expect(await reasonOf(second)).toBeUndefined();
    await expectExact(second);
  });

  it('is given up after three tries that were cut off', async () => {
    const first = await one.submit(owner);
    const second = await two.submit(owner, waitFor({ input: { from: first.jobId } }));
    await runFirst(first);
    const broken = { ...context, connect: () => Promise.reject(new TypeError('a bug')) };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(attendEnd(broken, owner, first.jobId)).rejects.toThrow('a bug');
      // Somebody may still be at it.
      await attendEnd(context, owner, first.jobId);
      expect(released()).toEqual([]);
      pass(310);
    }
    await attendEnd(context, owner, first.jobId);
    expect(await reasonOf(second)).toBe(
      `Cancelled because the results of ${first.jobId} could not be taken over in 3 tries.`,
    );
    await expectExact(second);
  });

  it('is discarded if the job is cancelled while it is put together', async () => {
    const first = await one.submit(owner);
    const wish = { ...noInput, ...waitFor({ input: { from: first.jobId } }) };
    const second = await two.submit(owner, wish);
    await runFirst(first);
    const racing: WaitingContext = {
      ...context,
      connect: async (system) => {
        await deleteJob(table, accountOf(second), second.jobId, two.now());
        return context.connect(system);
      },
    };
    await attendEnd(racing, owner, first.jobId);
    expect(await current(second)).toMatchObject({ stage: ownStages.canceled });
    expect(released()).toEqual([]);
    expect(two.files.inputs.objects.size).toBe(0);
    await expectExact(second);
  });

  it('is given back whole if the job is cancelled right after it was charged', async () => {
    const first = await one.submit(owner);
    const wish = { ...noInput, ...waitFor({ input: { from: first.jobId } }) };
    const second = await two.submit(owner, wish);
    await runFirst(first);
    await attendEnd(context, owner, first.jobId);
    // As read before its input was charged.
    await cancelJob(table, second, two.now(), {});
    expect(await current(second)).toMatchObject({ stage: ownStages.canceled });
    expect((await findQuota(table, accountOf(second))).space.held).toBe(0);
    await expectExact(second);
  });
});

describe('the end of a job that waits', () => {
  it('changes nothing if the job was released meanwhile', async () => {
    const first = await two.submit(owner);
    const second = await two.submit(owner, waitFor({ after: [first.jobId] }));
    await two.runToEnd(first);
    await attendEnd(context, owner, first.jobId);
    const end = {
      stage: ownStages.canceled,
      outcome: 'cancelled',
      endedAt: two.now(),
      ranSeconds: 0,
      onlyWhile: 'waiting',
    } as const;
    expect(await endJob(table, second, end, two.now())).toBe('too late');
    expect(await current(second)).toMatchObject({ terminal: false });
  });
});

describe('a wait that is over', () => {
  it.each<[what: string, late: (job: Job, seen: Date, at: Date) => Promise<unknown>]>([
    ['releases', (job, _, at) => releaseLife(table, job, at)],
    ['asks for files', (job, seen, at) => askToFetch(table, job, seen, at)],
    ['claims', (job, seen, at) => claimTakeOver(table, job, seen, { began: at, until: at })],
    ['gives up a try', (job, _, at) => postponeTakeOver(table, job, at, 'It is away.')],
    ['waits on', (job, seen, at) => postponeWaiting(table, job, seen, at)],
  ])('is not changed by a process that %s too late', async (_, late) => {
    const first = await one.submit(owner);
    const second = await two.submit(owner, waitFor({ after: [first.jobId] }));
    const read = () => findLife(table, accountOf(second), second.jobId);
    const { dueAt = two.now() } = await read();
    await deleteJob(table, accountOf(second), second.jobId, two.now());
    const over = await read();
    expect(over).toMatchObject({ waiting: false });
    await late(second, dueAt, two.now());
    expect(await read()).toEqual(over);
  });

  it('is claimed by one process at a time', async () => {
    const first = await one.submit(owner);
    const second = await two.submit(owner, waitFor({ input: { from: first.jobId } }));
    const { dueAt = two.now() } = await findLife(table, accountOf(second), second.jobId);
    const until = new Date(two.now().getTime() + 310_000);
    const claim = () => claimTakeOver(table, second, dueAt, { began: two.now(), until });
    expect([await claim(), await claim()]).toEqual([true, false]);
    expect(await findLife(table, accountOf(second), second.jobId)).toMatchObject({
      takingOverSince: two.now(),
      takeOvers: 1,
      dueAt: until,
    });
  });
});

describe('a chain that stands still', () => {
  const standing = (job: Job) => findStandingJobs(table, accountOf(job), two.now());
  const cancelHint = ({ project, jobId: id }: Job) =>
    `Its owner or an administrator can cancel it, which gives back what it holds: DELETE /jobs/${project.hpc}/${project.name}/${id}/`;

  it('is none while its jobs wait, run and end', async () => {
    const first = await two.submit(owner);
    const second = await two.submit(owner, waitFor({ after: [first.jobId] }));
    expect(await standing(second)).toEqual([]);
    await two.runToEnd(first);
    expect(await standing(second)).toEqual([]);
    await attendEnd(context, owner, first.jobId);
    await two.runToEnd(second);
    expect(await standing(second)).toEqual([]);
  });

  it('is found if nobody attends to its next job, with what to do', async () => {
    const first = await two.submit(owner);
    const second = await two.submit(owner, waitFor({ after: [first.jobId] }));
    const dueAt = (await lifeOf(second)).dueAt!;
    two.pass(2 * 3600);
    expect(await standing(second)).toEqual([
      `the job ${second.jobId} waits for others and stands still, because nobody has attended to it since ${dueAt.toISOString()}. ${cancelHint(second)}`,
    ]);
    await sweepWaiting(context);
    expect(await standing(second)).toEqual([]);
  });

  it('is found if a job of it is not due any more', async () => {
    const job = await two.submit(owner);
    await changeItem(table, jobLifeKey(accountOf(job), job.jobId), {
      set: { due: undefined, due_at: undefined },
    });
    expect(await standing(job)).toEqual([
      `the job ${job.jobId} stands still, because it is not due. ${cancelHint(job)}`,
    ]);
  });
});
