import { describe, expect, it } from 'vitest';
import { makeBatchId } from '#lib/batches/batch.ts';
import { JobRefusedError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { createJob, findJob } from '#lib/jobs/job-store.ts';
import type { LifeTerms } from '#lib/jobs/life/job-life.ts';
import { beginJobLife, findLife, saveHandle } from '#lib/jobs/life/job-life-store.ts';
import { claimRun } from '#lib/jobs/passes/claim-run.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { tableForEach } from '../engines/use-table.ts';
import { hpcOne, jobFixture } from '../fixtures/jobs.ts';
import { createWorld } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const hpc = systemName('hpc_one');
const owner = userId('1');

const table = tableForEach();

const lifeOf = (job: Job) => findLife(table, accountOf(job), job.jobId);

function claim(job: Job, run: string, task?: number, at = new Date('2026-01-01T00:01:00Z')) {
  return claimRun(table, accountOf(job), job.jobId, { run, task }, at);
}

/** A system whose answers to hand-overs are lost. */
function createLosingWorld() {
  let handOvers = 0;
  const world = createWorld(table, hpc, (connector) => ({
    ...connector,
    findByTag: async () => undefined,
    submit: async () => {
      handOvers += 1;
      throw new SystemUnavailableError('The answer was lost.');
    },
  }));
  return { ...world, handOvers: () => handOvers };
}

describe('a run that asks for the script of its job', () => {
  it('becomes the handle if none is known, and no other run gets the script', async () => {
    const world = createLosingWorld();
    const job = await world.submit(owner);
    await world.sweep();
    const claims = ['a', 'b', 'c', 'd'].map((run) => claim(job, run).then(() => run));
    const settled = await Promise.allSettled(claims);
    const winners = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const losers = settled.flatMap((each) =>
      each.status === 'rejected' ? [each.reason.name] : [],
    );
    expect(winners).toHaveLength(1);
    expect(losers).toEqual(Array.from({ length: 3 }, () => 'JobRunsElsewhereError'));
    expect((await lifeOf(job)).handle).toBe(winners[0]);
  });

  it('is not handed over again, but checked', async () => {
    const world = createLosingWorld();
    const job = await world.submit(owner);
    await world.sweep();
    await claim(job, 'a', undefined, world.now());
    world.pass(3600);
    await world.sweep();
    expect(world.handOvers()).toBe(1);
    const life = await lifeOf(job);
    expect(life).toMatchObject({ handle: 'a', cutOffs: 0 });
    expect(life.tryingSince).toBeUndefined();
    // The simulator was asked for it, and does not know it.
    expect(life.unknownSince).toBeDefined();
  });

  it.each([
    { what: 'refused', error: new JobRefusedError('There is no such queue.') },
    { what: 'not answered', error: new SystemUnavailableError('The answer was lost.') },
  ])('keeps its job if a second hand-over is $what meanwhile', async ({ error }) => {
    let handOvers = 0;
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      findByTag: async () => undefined,
      submit: async () => {
        handOvers += 1;
        if (handOvers === 1) throw new SystemUnavailableError('The answer was lost.');
        await claim(job, 'a', undefined, world.now());
        throw error;
      },
    }));
    const job = await world.submit(owner);
    await world.sweep();
    world.pass(60);
    await world.sweep();
    expect(handOvers).toBe(2);
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ terminal: false });
    expect(await lifeOf(job)).toMatchObject({ handle: 'a', dueAt: world.now() });
    expect((await claim(job, 'a')).jobId).toBe(job.jobId);
  });

  it('may ask again, and changes nothing then', async () => {
    const job = await createLosingWorld().submit(owner);
    await claim(job, 'a');
    const before = await lifeOf(job);
    expect((await claim(job, 'a', undefined, new Date('2026-01-02'))).jobId).toBe(job.jobId);
    expect(await lifeOf(job)).toEqual(before);
  });

  it('is refused if the hand-over has stored another handle', async () => {
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      submit: async () => 'stored',
    }));
    const job = await world.submit(owner);
    await world.sweep();
    await expect(claim(job, 'other')).rejects.toThrow('Another run of this job has begun');
    expect((await claim(job, 'stored')).jobId).toBe(job.jobId);
  });

  it('finds no job that was cancelled, waits for others, or waits for its turn', async () => {
    const cancelled = await createLosingWorld().submit(owner);
    await deleteJob(table, accountOf(cancelled), cancelled.jobId);
    const waiting = await store(1, { waitsUntil: new Date('2026-02-01') });
    const parked = await store(2, { parked: true });
    for (const job of [cancelled, waiting, parked]) {
      await expect(claim(job, 'a')).rejects.toThrow('Job not found');
      expect((await lifeOf(job)).handle).toBeUndefined();
    }
  });
});

const [batch, otherBatch] = [makeBatchId(new Date(1)), makeBatchId(new Date(2))];

async function store(id: number, terms: LifeTerms, change: Partial<Job> = {}): Promise<Job> {
  const active = { project: hpcOne, stage: 'QUEUED', terminal: false, endedAt: null };
  const job: Job = { ...jobFixture(owner, 1000 + id), ...active, ...change };
  await writeTransaction(table, [createJob(job), beginJobLife(job, terms)]);
  return job;
}

describe('the handle of a job', () => {
  it('is the first one stored, also once the job has ended', async () => {
    const world = createLosingWorld();
    const job = await world.submit(owner);
    const save = (handle: string) => saveHandle(table, job, { dueAt: world.now(), handle });
    expect([await save('a'), await save('a'), await save('b')]).toEqual([
      undefined,
      undefined,
      'a',
    ]);
    await world.sweep();
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    expect([await save('a'), await save('b')]).toEqual([undefined, 'a']);
    expect((await lifeOf(job)).handle).toBe('a');
  });
});

describe('a task of an array that asks for its script', () => {
  const place = (task: number, name = 'array-0') => ({ array: { name, task } });
  const within = { batch: { id: batch, index: 1 } };

  it('gets the job of its number, by the pass of any job of the array', async () => {
    const jobs = await Promise.all([3, 4, 5].map((task) => store(task, place(task), within)));
    const [first, , last] = jobs;
    if (!first || !last) throw new Error('Jobs are missing.');
    expect((await claim(first, 'parent:2', 5)).jobId).toBe(last.jobId);
    expect((await claim(last, 'parent:0', 3)).jobId).toBe(first.jobId);
    expect((await Promise.all(jobs.map(lifeOf))).map(({ handle }) => handle)).toEqual([
      'parent:0',
      undefined,
      'parent:2',
    ]);
    await expect(claim(first, 'second:2', 5)).rejects.toThrow('Another run of this job has begun');
  });

  it('gets no job outside of the array, however it is numbered', async () => {
    const first = await store(1, place(0), within);
    await store(2, place(0, 'array-1'), within);
    await store(3, place(2), { batch: { id: otherBatch, index: 1 } });
    await store(4, {});
    for (const task of [1, 2, 3, 4, 99_999]) {
      await expect(claim(first, 'a', task)).rejects.toThrow('Job not found');
    }
    const alone = await store(5, {});
    await expect(claim(alone, 'a', 0)).rejects.toThrow('Job not found');
  });
});
