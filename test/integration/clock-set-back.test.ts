import { expect, it } from 'vitest';
import { SystemBusyError } from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { createRecovery } from '#lib/jobs/run/create-recovery.ts';
import { beginHandOver } from '#lib/jobs/run/hand-over/begin-hand-over.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { onEveryEngine, tableForEach } from '../engines/use-table.ts';
import { createWorld, expectAccountAddsUp } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const hpc = systemName('hpc_one');
const owner = userId('1');
const anHour = 3600;

onEveryEngine('a clock that is set back, on $name', (engine) => {
  const table = tableForEach(engine);

  const lifeOf = (job: Job) => findLife(table, accountOf(job), job.jobId);
  const reload = (job: Job) => findJob(table, accountOf(job), job.jobId);

  /** Sweeps as the schedule does, with a look for what is too far ahead each time. */
  function createSwept(wrap?: Parameters<typeof createWorld>[2]) {
    const world = createWorld(table, hpc, wrap);
    return {
      ...world,
      sweep: () => advanceJobs({ ...world.plan(), recover: createRecovery() }),
    };
  }

  it('keeps no job from its end, and no end comes before its beginning', async () => {
    const world = createSwept();
    const handed = await world.submit(owner);
    await world.sweep();
    world.pass(60);
    const waiting = await world.submit(owner);
    world.pass(-anHour);
    for (let round = 0; round < 60; round += 1) {
      await world.sweep();
      world.pass(2);
    }
    for (const job of [handed, waiting]) {
      const { terminal, endedAt } = await reload(job);
      expect(terminal).toBe(true);
      expect(endedAt?.getTime()).toBeGreaterThanOrEqual(job.submittedAt.getTime());
      const moments = (await lifeOf(job)).stages.map(({ at }) => at.getTime());
      expect(moments).toEqual(moments.toSorted((a, b) => a - b));
      await expectAccountAddsUp(table, job);
    }
  });

  it('lets a system hear of a cancel at once, and dates the end no earlier than the job', async () => {
    const cancelled: string[] = [];
    const world = createSwept((connector) => ({
      ...connector,
      async cancel({ jobId }) {
        cancelled.push(jobId);
      },
    }));
    const job = await world.submit(owner);
    await world.sweep();
    world.pass(-anHour);
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    expect((await reload(job)).endedAt).toEqual(job.submittedAt);
    await world.sweep();
    expect(cancelled).toEqual([job.jobId]);
  });

  it('leaves a hand-over alone that may be under way, until nobody can have it any more', async () => {
    const world = createSwept();
    const job = await world.submit(owner);
    const life = await lifeOf(job);
    const until = addSeconds(world.now(), 310);
    await beginHandOver(world.plan(), { job, life }, world.now(), until);
    world.pass(-anHour);
    await world.sweep();
    expect((await lifeOf(job)).handle).toBeUndefined();
    world.pass(309);
    await world.sweep();
    expect((await lifeOf(job)).handle).toBeUndefined();
    world.pass(1);
    await world.sweep();
    expect((await lifeOf(job)).handle).toBeDefined();
  });

  it('is not what a system means that asks to be left alone for a day', async () => {
    let tries = 0;
    const world = createSwept((connector) => ({
      ...connector,
      async submit() {
        tries += 1;
        throw new SystemBusyError('Not today.', 24 * anHour);
      },
    }));
    await world.submit(owner);
    await world.sweep();
    for (let round = 0; round < 3; round += 1) {
      world.pass(anHour);
      await world.sweep();
    }
    expect(tries).toBe(1);
  });

  it('is looked for every half minute, by a clock that nobody sets', async () => {
    let elapsedMs = 0;
    const recover = createRecovery(() => elapsedMs);
    const world = createSwept();
    const job = await world.submit(owner);
    const sweep = () => advanceJobs({ ...world.plan(), recover });
    await sweep();
    world.pass(-anHour);
    elapsedMs = 29_999;
    expect(await sweep()).toBe(0);
    elapsedMs = 30_000;
    expect(await sweep()).toBe(1);
    expect((await lifeOf(job)).dueAt?.getTime()).toBeLessThan(world.now().getTime() + 60_000);
  });
});
