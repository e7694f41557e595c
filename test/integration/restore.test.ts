import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { catalog } from '#lib/catalog/catalog.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { SystemBusyError } from '#lib/hpc/errors.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import type { Table } from '#lib/table/table.ts';
import { findUnknownJobs, listJobIds, prepareTable } from '#tools/backup/restore.ts';
import { reconcileAll } from '#tools/reconcile/reconcile-all.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createBatchWorld } from '../fixtures/batch-world.ts';
import { createWorld, readLedger } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const hpc = systemName('hpc_one');
const [ada, ben, eve] = [userId('1'), userId('2'), userId('3')];
const leaveOut = 1000;

const lost = tableForEach();
const restored = tableForEach();

/** As it is now, with nothing of what comes later: what a restore to a point in time gives back. */
async function copyTable(from: Table, to: Table): Promise<void> {
  for await (const { Items = [] } of paginateScan(
    { client: from.client },
    { TableName: from.name },
  )) {
    for (const Item of Items) await to.client.send(new PutCommand({ TableName: to.name, Item }));
  }
}

/** All that a system knows of, as its operator would list it. */
async function listSystem(table: Table): Promise<string> {
  const names: string[] = [];
  for await (const { Items = [] } of paginateScan(
    { client: table.client },
    { TableName: table.name },
  )) {
    names.push(...Items.flatMap(({ PK, SK }) => (PK === `SIMULATOR#${hpc}` ? [String(SK)] : [])));
  }
  return names.join('\n');
}

/**
 * Yesterday a job has ended, one is with its system, and two wait. Since then the table was copied,
 * two of them ended, one is still refused because the system is full, and somebody new came. Then
 * the table was lost; the copy is served, before the same system.
 */
async function loseADay() {
  let isFull = true;
  const before = createWorld(lost, hpc, (connector) => ({
    ...connector,
    submit: (order) =>
      isFull && order.title === 'late'
        ? Promise.reject(new SystemBusyError('Too many jobs.', 1))
        : connector.submit(order),
  }));
  const ended = await before.submit(ada);
  await before.runToEnd(ended);
  const living = await before.submit(ada);
  await before.sweep();
  const waiting = await before.submit(ada);
  const late = await before.submit(ben, { title: 'late' });
  await copyTable(lost, restored);

  await before.runToEnd(living);
  await before.runToEnd(waiting);
  const between = await before.submit(eve);
  await before.sweep();

  isFull = false;
  const submitted: JobId[] = [];
  const after = createWorld(
    restored,
    hpc,
    () => ({
      ...before.connector,
      submit: (order) => {
        submitted.push(order.jobId);
        return before.connector.submit(order);
      },
    }),
    () => before.files,
  );
  after.pass((before.now().getTime() - after.now().getTime()) / 1000);
  /** Long enough for all that is there, by the clock of both. */
  const serve = async () => {
    for (let round = 0; round < 15; round += 1) {
      await after.sweep();
      before.pass(10);
      after.pass(10);
    }
  };
  return { ended, living, waiting, late, between, after, submitted, serve };
}

const prepare = () => prepareTable(restored, catalog.systems, leaveOut);

const reload = (table: Table, job: Job) => findJob(table, accountOf(job), job.jobId);
const linesOf = async (table: Table, job: Job) =>
  (await readLedger(table, job))
    .filter(({ job_id }) => job_id === job.jobId)
    // When a line was written is another moment, and all else is the same.
    .map(({ kind, seconds, kilobytes, used, reason, outcome }) => ({
      kind,
      seconds,
      kilobytes,
      used,
      reason,
      outcome,
    }));

describe('a table of yesterday before the systems of today', () => {
  it('finds what was handed over meanwhile by its tag, and runs nothing twice', async () => {
    const day = await loseADay();
    expect(await findLife(restored, accountOf(day.waiting), day.waiting.jobId)).toMatchObject({
      claims: 0,
    });
    expect(await prepare()).toMatchObject({ doubted: 2 });
    await day.serve();
    // What the system never got is handed over now.
    expect(day.submitted).toEqual([day.late.jobId]);
    const { handOvers } = await findLife(restored, accountOf(day.waiting), day.waiting.jobId);
    expect(handOvers).toEqual([{ at: expect.any(Date) }]);
    for (const job of [day.living, day.waiting, day.late]) {
      expect(await reload(restored, job)).toMatchObject({ stage: 'SUCCESSFUL' });
    }
  });

  it('settles what ended meanwhile once, with the same amounts as before', async () => {
    const day = await loseADay();
    await prepare();
    await day.serve();
    for (const job of [day.ended, day.living, day.waiting]) {
      const again = await linesOf(restored, job);
      expect(again.map(({ kind }) => kind)).toEqual(['hold', 'settle']);
      expect(again).toEqual(await linesOf(lost, job));
      expect(await reload(restored, job)).toEqual(await reload(lost, job));
    }
    const account = accountOf(day.living);
    expect(await findQuota(restored, account)).toEqual(await findQuota(lost, account));
  });

  it('has accounts that add up, without a repair', async () => {
    const day = await loseADay();
    await prepare();
    await day.serve();
    const projects = catalog.systems.flatMap((system) => system.projects);
    const silent = {
      onFinding: () => undefined,
      onStanding: () => undefined,
      onProgress: () => undefined,
    };
    expect(await reconcileAll(restored, { projects, fix: false }, silent)).toEqual({
      checked: 2 * catalog.systems.length,
      wrong: 0,
      repaired: 0,
      busy: 0,
    });
  });

  it('tells which jobs of its system it does not know', async () => {
    const day = await loseADay();
    const all = await listSystem(lost);
    expect(await findUnknownJobs(restored, all)).toEqual({
      named: 4,
      unknown: [day.between.jobId],
    });
    expect(await findUnknownJobs(lost, all)).toEqual({ named: 4, unknown: [] });
  });

  it('gives no number that was given meanwhile', async () => {
    const day = await loseADay();
    const { next } = await prepare();
    const job = await day.after.submit(eve);
    expect(job.id).toBeGreaterThan(day.between.id);
    expect(job.id).toBe(next.job);
    const [before, now] = [lost, restored].map((table) => findQuota(table, accountOf(job)));
    expect((await now)?.id).toBeGreaterThan((await before)?.id ?? Number.NaN);
    // Numbers of projects and of users are counted as well.
    expect(next).toMatchObject({ project: leaveOut + 1, user: leaveOut + 1 });
  });
});

describe('the ids in a text', () => {
  it.each([
    { text: '306328/AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA.zip', names: 1 },
    { text: '"NGBW-JOB-NEURON74_TG-0123456789ABCDEF0123456789ABCDEF"', names: 1 },
    { text: 'JOB#hpc_one#proj#AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA', names: 1 },
    {
      text: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA|AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA|',
      names: 1,
    },
    { text: 'af17d39a-9e15-4fe3-9f84-0eaeb4cc94aa RUNNING 2026-11-15 JOB-7', names: 0 },
  ])('$text: $names', ({ text, names }) => {
    expect(listJobIds(text)).toHaveLength(names);
  });
});

describe('a batch in a restored table', () => {
  it('has each job looked up that its system may already have, and none runs twice', async () => {
    const world = createWorld(lost, hpc);
    const batches = createBatchWorld(lost, world);
    const half = await batches.submit(ada, { shape: { count: 40 } });
    let groups = 0;
    await batches.attend(half, {
      isOver: () => {
        groups += 1;
        return groups > 1;
      },
    });
    const limited = await batches.submit(ben, { shape: { count: 3 }, maxRunning: 1 });
    await batches.attend(limited);
    await copyTable(lost, restored);
    // What the systems saw of the jobs since then.
    await batches.attend(half);
    const [first] = await batches.listJobs(limited);
    await batches.end(first!);
    await batches.attend(limited);
    const handed = [...(await batches.listJobs(half)), ...(await batches.listJobs(limited))];

    await prepareTable(restored, catalog.systems, leaveOut);
    const after = createBatchWorld(restored, createWorld(restored, hpc));
    await after.attend(half);
    const [again] = await after.listJobs(limited);
    await after.end(again!);
    await after.attend(limited);
    const jobs = [...(await after.listJobs(half)), ...(await after.listJobs(limited))];
    expect(jobs.map(({ jobId }) => jobId)).toEqual(handed.map(({ jobId }) => jobId));
    const lives = await Promise.all(
      jobs
        .filter(({ terminal }) => !terminal)
        .map((job) => findLife(restored, accountOf(job), job.jobId)),
    );
    const due = lives.filter(({ dueAt }) => dueAt !== undefined);
    expect(due).toHaveLength(41);
    expect(due.every(({ claims }) => claims === 1)).toBe(true);
  });
});
