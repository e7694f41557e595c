import { describe, expect, it } from 'vitest';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { resultsKey } from '#lib/files/object-keys.ts';
import type { JobRun, Observation, SubmittedJob } from '#lib/hpc/connector.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { removeFiles } from '#lib/jobs/cancel/remove-files.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife, noteSent } from '#lib/jobs/life/job-life-store.ts';
import { takeResults } from '#lib/jobs/passes/take-results.ts';
import { measureEfficiency } from '#lib/jobs/read/efficiency.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { interruptBefore } from '../engines/interrupt.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createWorld, expectAccountAddsUp, readLedger } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const table = tableForEach();

const lifeOf = (job: Job) => findLife(table, accountOf(job), job.jobId);

/** A job of one node and half an hour, of whose runs its system says what the test says. */
async function createRunning(change: Partial<HpcSystem> = {}) {
  let says: Observation | undefined;
  const asked: SubmittedJob[] = [];
  const world = createWorld(
    table,
    systemName('hpc_one'),
    (connector) => ({
      ...connector,
      pollFloorSeconds: 1,
      async lookUp(jobs) {
        asked.push(...jobs);
        const said = says;
        return new Map(said ? jobs.map(({ jobId }) => [jobId, said]) : []);
      },
    }),
    undefined,
    change,
  );
  const job = await world.submit(userId('1'), { nodes: 1 });
  await world.sweep();
  return {
    ...world,
    job,
    asked,
    async check(observation: Observation) {
      world.pass(60);
      says = observation;
      await world.sweep();
    },
    /** What a run asks for before it sends its results. */
    async announce(run: number, isCut = false) {
      const { results } = world.files;
      const announced = { run, isCut, bytes: 5 * run, before: 0, after: 0, at: world.now() };
      const { catalog } = world;
      await takeResults({ table, catalog, results }, accountOf(job), job.jobId, announced);
    },
    async readUsed() {
      await expectAccountAddsUp(table, job);
      return (await findQuota(table, accountOf(job))).time.used;
    },
  };
}

const living = { state: 'living', stage: 'RUNNING' } as const;
const ended = { state: 'ended', stage: 'SUCCESSFUL', failed: false, usedSeconds: 90 } as const;
const requeued: JobRun = { number: 1, seconds: 60, isLost: false, reason: 'Requeued.' };
const failed: JobRun = { number: 2, seconds: 30, isLost: true, reason: 'A node failed.' };

describe('a job that its system started again', () => {
  it('is charged for all runs but those that the system lost', async () => {
    const { job, check, readUsed } = await createRunning();
    await check({ ...ended, run: 3, earlierRuns: [requeued, failed] });
    expect(await readUsed()).toBe(150);
    const line = (await readLedger(table, job)).find(({ kind }) => kind === 'settle');
    expect(line?.reason).toContain('; 30 seconds in runs that the HPC system lost are not charged');
    expect(await lifeOf(job)).toMatchObject({ run: 3, runs: [requeued, failed] });
  });

  it('is charged for lost runs, too, if the catalog says so', async () => {
    const { check, readUsed } = await createRunning({ chargesLostRuns: true });
    await check({ ...ended, run: 3, earlierRuns: [requeued, failed] });
    expect(await readUsed()).toBe(180);
  });

  it('is charged no more than its hold', async () => {
    const { check, readUsed } = await createRunning();
    await check({ ...ended, run: 2, earlierRuns: [{ ...requeued, seconds: 1750 }] });
    expect(await readUsed()).toBe(1800);
  });

  it('costs nothing if its only run was lost', async () => {
    const { check, readUsed } = await createRunning();
    await check({ ...ended, stage: 'FAILED', failed: true, isLost: true });
    expect(await readUsed()).toBe(0);
  });

  it('is as efficient as its last run', async () => {
    const { job, check } = await createRunning();
    const measured = { cpuSeconds: 45, cores: 1 };
    await check({ ...ended, run: 2, earlierRuns: [requeued], measured });
    const current = await findJob(table, accountOf(job), job.jobId);
    expect(current.ranSeconds).toBe(150);
    expect(measureEfficiency(current, await lifeOf(job))).toMatchObject({
      time: { used: 90 },
      cpu: { used: 45, asked: 90 },
    });
  });

  it('says so while it runs, and its system is not asked twice for the same runs', async () => {
    const { job, asked, check } = await createRunning();
    await check({ ...living, run: 2, earlierRuns: [requeued] });
    expect(await lifeOf(job)).toMatchObject({ run: 2, runs: [requeued] });
    await check(living);
    expect(asked.map(({ knownRuns }) => knownRuns)).toEqual([0, 1]);
    expect(await lifeOf(job)).toMatchObject({ run: 2, runs: [requeued] });
  });

  it('is charged for earlier runs that its system has forgotten at the end', async () => {
    const { check, readUsed } = await createRunning();
    await check({ ...living, run: 2, earlierRuns: [requeued] });
    await check({ ...ended, run: 2 });
    expect(await readUsed()).toBe(150);
  });

  it('is charged once for a run that turns out to be the last, because no other began', async () => {
    const { job, check, readUsed } = await createRunning();
    await check({ ...living, stage: 'QUEUED', run: 2, earlierRuns: [requeued] });
    await check({ ...ended, stage: 'FAILED', failed: true, run: 1, usedSeconds: 60 });
    expect(await readUsed()).toBe(60);
    const life = await lifeOf(job);
    expect(life.run).toBe(1);
    expect(life.runs).toBeUndefined();
  });

  it('shows the results of the last run, and what the others sent in its timeline', async () => {
    const { job, check, announce } = await createRunning();
    await announce(1, true);
    await announce(2);
    // A run on a node that nobody reaches may be late.
    await announce(1, true);
    expect((await lifeOf(job)).run).toBe(2);
    await check({ ...ended, run: 2, earlierRuns: [requeued] });
    const { run, runs } = await lifeOf(job);
    expect(resultsKey({ owner: job.owner, jobId: job.jobId, run })).toMatch(/\.run-2\.zip$/);
    expect(runs).toMatchObject([{ number: 1, sentBytes: 5 }]);
  });

  it('does not keep a number that it made up', async () => {
    const { job, check, announce } = await createRunning();
    await announce(7);
    expect((await lifeOf(job)).run).toBe(7);
    await check({ ...ended, run: 2, earlierRuns: [requeued] });
    expect((await lifeOf(job)).run).toBe(2);
  });

  it('writes nothing for a first run that ends well', async () => {
    const { job, announce } = await createRunning();
    const before = await lifeOf(job);
    await announce(1);
    expect(await lifeOf(job)).toEqual(before);
  });

  it('is deleted with the results of all runs', async () => {
    const { job, check, announce, files } = await createRunning();
    const keys = [1, 2].map((run) => resultsKey({ owner: job.owner, jobId: job.jobId, run }));
    for (const key of keys) await files.results.put(key, Buffer.from('zip'));
    await announce(2);
    await check({ ...ended, run: 2, earlierRuns: [requeued] });
    const deleted = await deleteJob(table, accountOf(job), job.jobId);
    await removeFiles(table, files, deleted);
    for (const key of keys) expect(await files.results.measure(key)).toBeUndefined();
  });
});

describe('what runs announce', () => {
  it('is kept once for each of the last twenty, and the latest of them counts', async () => {
    const { job } = await createRunning();
    for (let run = 1; run <= 25; run += 1) await noteSent(table, job, { run, bytes: run });
    await noteSent(table, job, { run: 24, bytes: 7 });
    const { run, sent = [] } = await lifeOf(job);
    expect(run).toBe(25);
    expect(sent).toHaveLength(20);
    expect(sent.slice(-3)).toEqual([
      { run: 23, bytes: 23 },
      { run: 25, bytes: 25 },
      { run: 24, bytes: 7 },
    ]);
  });

  it('is not noted if a later run was noted at the same moment', async () => {
    const { job } = await createRunning();
    const later = { run: 3, bytes: 15 };
    interruptBefore(table, 'UpdateItemCommand', () => noteSent(table, job, later));
    await noteSent(table, job, { run: 2, bytes: 10 });
    expect(await lifeOf(job)).toMatchObject({ run: 3, sent: [later] });
  });
});

describe('a run that may not have sent its files', () => {
  const cutOff = { ...ended, stage: 'FAILED', failed: true, reason: 'Out of memory.' } as const;

  it('is told where they are', async () => {
    const { job, check } = await createRunning();
    await check({ ...cutOff, leftIn: '/scratch/A' });
    expect((await lifeOf(job)).reason).toBe(
      'Out of memory. What it wrote and did not send is in /scratch/A on the system.',
    );
  });

  it('is not told so if it sent them', async () => {
    const { job, check, announce } = await createRunning();
    await announce(1, true);
    await check({ ...cutOff, leftIn: '/scratch/A' });
    expect((await lifeOf(job)).reason).toBe('Out of memory.');
  });
});
