import { describe, expect, it } from 'vitest';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import {
  expectEndedOnce,
  handleOf,
  openAwsBatch,
  openMortalWorld,
  openWorld,
  server,
  table,
} from '../fixtures/aws-batch-lives.ts';
import { killAtCall } from '../fixtures/kill-at-call.ts';
import type { Fault } from '../upstreams/start-upstream.ts';

openAwsBatch();

const throttling: Fault = {
  status: 429,
  headers: { 'x-amzn-errortype': 'TooManyRequestsException' },
  body: '{"message":"Too Many Requests"}',
};

describe('throttling', () => {
  it('for a moment delays no hand-over to the next sweep', async () => {
    const world = openWorld();
    const job = await world.submitOne();
    server.failNext(/submitjob/, throttling, 4);
    await world.sweep();
    expect(await handleOf(job)).toBe(server.listIds()[0]);
    await world.finish(job);
    await expectEndedOnce(job);
    expect(server.listIds()).toHaveLength(1);
  });

  it('of every call leaves the job waiting, and it is handed over once', async () => {
    const world = openWorld();
    const job = await world.submitOne();
    server.failNext(/submitjob/, throttling, 5);
    await world.sweep();
    expect(server.listIds()).toEqual([]);
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ terminal: false });
    world.pass(420);
    await world.finish(job);
    await expectEndedOnce(job);
    expect(server.listIds()).toHaveLength(1);
  });

  it('of checks ends no job', async () => {
    const world = openWorld();
    const job = await world.submitOne();
    await world.sweep();
    await world.startContainers(job);
    world.pass(60);
    server.failNext(/describejobs/, throttling, 5);
    await world.sweep();
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ terminal: false });
    world.pass(420);
    await world.finish(job);
    await expectEndedOnce(job);
  });
});

describe('a reclaimed host', () => {
  it('repeats the run under the same handle, and the lost run is told and not charged', async () => {
    const world = openWorld(undefined, { spot: true });
    const job = await world.submitOne();
    await world.sweep();
    const handle = (await handleOf(job)) ?? '';
    await world.startContainers(job);
    world.pass(50);
    await world.sweep();
    server.reclaim(handle);
    expect(server.statusOf(handle)).toBe('RUNNABLE');
    world.pass(40);
    await world.sweep();
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ stage: 'QUEUED' });
    await world.startContainers(job);
    world.pass(90);
    server.end(handle);
    await world.finish(job);
    await expectEndedOnce(job, 'SUCCESSFUL', 90);
    expect(await findLife(table, accountOf(job), job.jobId)).toMatchObject({
      run: 2,
      lastRunSeconds: 90,
      runs: [{ number: 1, seconds: 50, isLost: true }],
    });
    expect(world.ran).toEqual([`${job.jobId} ${handle}`, `${job.jobId} ${handle}`]);
    expect(server.listIds()).toEqual([handle]);
  });

  it('ends the job on a system without spare capacity, in the words of AWS, for nothing', async () => {
    const world = openWorld();
    const job = await world.submitOne();
    await world.sweep();
    await world.startContainers(job);
    world.pass(50);
    server.reclaim((await handleOf(job)) ?? '');
    await world.finish(job);
    await expectEndedOnce(job, 'FAILED', 0);
    const { reason } = await findLife(table, accountOf(job), job.jobId);
    expect(reason).toContain('Your Spot Task was interrupted.');
  });
});

describe('overrides that are too long', () => {
  it('fail the job with the reason of AWS Batch, and cost nothing', async () => {
    const world = openWorld((connector) => ({
      ...connector,
      submit: (order) => connector.submit({ ...order, scriptAddress: 'x'.repeat(8192) }),
    }));
    const job = await world.submitOne();
    await world.sweep();
    await expectEndedOnce(job, 'FAILED', 0);
    const { reason } = await findLife(table, accountOf(job), job.jobId);
    expect(reason).toContain('Container Overrides length must be at most 8192.');
    expect(server.listIds()).toEqual([]);
  });
});

/** An owner whose cancel was lost sees that the job is still there, and cancels it again. */
async function cancelUnlessCancelled(job: Job, at: Date): Promise<void> {
  const { cancelPending } = await findLife(table, accountOf(job), job.jobId);
  const { terminal } = await findJob(table, accountOf(job), job.jobId);
  if (!cancelPending && !terminal) await deleteJob(table, accountOf(job), job.jobId, at);
}

describe.each([
  { when: 'before a call has its effect', effect: false },
  { when: 'after a call had its effect', effect: true },
])('a kill $when', ({ effect }) => {
  it('while one of two runs asks for the script lets one of them run it', async () => {
    let at = 0;
    let died = true;
    while (died) {
      at += 1;
      const before = server.listIds().length;
      const world = openMortalWorld((connector) => ({
        ...connector,
        submit: async (order) => {
          await connector.submit(order);
          throw new SystemUnavailableError('The answer was lost.');
        },
      }));
      const job = await world.submitOne();
      // The list of AWS Batch does not have the first run yet, so there is a second one.
      server.lagMs = 7_200_000;
      await world.sweep();
      world.pass(60);
      await world.sweep();
      const [first = '', second = ''] = server.listIds().slice(before);
      expect(server.listIds()).toHaveLength(before + 2);
      died = await killAtCall(() => world.startContainer(job, first), at, effect);
      // Every other time, the second run asks before the first one asks again.
      const order = at % 2 === 0 ? [second, first] : [first, second];
      for (const run of order) await world.startContainer(job, run);
      const handle = await handleOf(job);
      expect(world.ran).toEqual([`${job.jobId} ${handle}`]);
      const ends = [first, second].map((run) => server.statusOf(run));
      expect(ends.toSorted()).toEqual(['FAILED', 'RUNNING']);
      await world.finish(job);
      await expectEndedOnce(job);
    }
    // Reads of the job and of its life, and the write of its handle.
    expect(at).toBeGreaterThan(3);
  });

  it.each([
    { state: 'waits', isRunning: false },
    { state: 'runs', isRunning: true },
  ])('while a job that $state is cancelled ends it, and settles once', async ({ isRunning }) => {
    let at = 0;
    let died = true;
    while (died) {
      at += 1;
      const world = openMortalWorld();
      const job = await world.submitOne();
      await world.sweep();
      const handle = (await handleOf(job)) ?? '';
      if (isRunning) {
        await world.startContainers(job);
        world.pass(40);
        await world.sweep();
        world.pass(40);
      }
      const cancel = () => deleteJob(table, accountOf(job), job.jobId, world.now());
      died = await killAtCall(() => cancel().then(world.sweep), at, effect);
      await cancelUnlessCancelled(job, world.now());
      for (let round = 0; round < 8; round += 1) {
        world.pass(70);
        await world.sweep();
      }
      expect(server.statusOf(handle)).toBe('FAILED');
      await expectEndedOnce(job, 'CANCELED');
      const seconds = server.secondsOf(handle);
      expect(isRunning ? seconds >= 80 : seconds === 0).toBe(true);
    }
    expect(at).toBeGreaterThan(4);
  });
});
