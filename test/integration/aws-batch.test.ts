import { describe, expect, it } from 'vitest';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { writeScript } from '#lib/jobs/passes/write-script.ts';
import {
  expectEndedOnce,
  handleOf,
  openAwsBatch,
  openMortalWorld,
  openWorld,
  server,
  table,
} from '../fixtures/aws-batch-lives.ts';
import { createBatchWorld } from '../fixtures/batch-world.ts';
import { catalog } from '../fixtures/catalog.ts';
import { killAtCall } from '../fixtures/kill-at-call.ts';

openAwsBatch();

describe('the life of a job on AWS Batch', () => {
  it('goes from the queue to its end, and is charged from start to end', async () => {
    const world = openWorld();
    const job = await world.submitOne();
    await world.sweep();
    const handle = (await handleOf(job)) ?? '';
    world.pass(31);
    await world.startContainers(job);
    await world.sweep();
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ stage: 'RUNNING' });
    world.pass(90);
    server.end(handle);
    await world.finish(job);
    await expectEndedOnce(job, 'SUCCESSFUL', 90);
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ ranSeconds: 90 });
    expect(server.listIds()).toEqual([handle]);
  });

  it('says why it waits, and stays cancellable while it waits for ever', async () => {
    const world = openWorld();
    const job = await world.submitOne();
    await world.sweep();
    world.pass(1200);
    await world.sweep();
    const life = await findLife(table, accountOf(job), job.jobId);
    expect(life.reason).toContain('no capacity');
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    for (let round = 0; round < 3; round += 1) {
      await world.sweep();
      world.pass(70);
    }
    expect(server.listIds().map(server.statusOf)).toEqual(['FAILED']);
    await expectEndedOnce(job, 'CANCELED', 0);
  });

  it.each([
    { when: 'before it ran, and costs nothing', runs: false, seconds: 0 },
    { when: 'while it ran, and costs what it may have used', runs: true, seconds: 1800 },
  ])('fails if AWS Batch forgot the job for an hour $when', async ({ runs, seconds }) => {
    const world = openWorld();
    const job = await world.submitOne();
    await world.sweep();
    if (runs) await world.startContainers(job);
    world.pass(31);
    await world.sweep();
    server.forget((await handleOf(job)) ?? '');
    for (let round = 0; round < 14; round += 1) {
      world.pass(300);
      await world.sweep();
    }
    await expectEndedOnce(job, 'FAILED', seconds);
  });
});

describe('the script of a job on AWS Batch', () => {
  it.each([
    { liveOutput: undefined, isSent: true },
    { liveOutput: true, isSent: true },
    { liveOutput: false, isSent: false },
  ])('sends its output unless liveOutput is false: $liveOutput', async (each) => {
    const { liveOutput, isSent } = each;
    const world = openWorld();
    const job = await world.submitOne();
    const [one, ...others] = catalog.systems;
    if (one?.name !== job.project.hpc) throw new Error('The job is not on the first system.');
    const connector = { kind: 'batch' as const, ...(liveOutput !== undefined && { liveOutput }) };
    const changed = { ...catalog, systems: [{ ...one, connector }, ...others] };
    const addresses = {
      input: '/i',
      output: '/to-output',
      results: '/to-results',
      fetch: '/fetch',
      send: '/send',
      script: '/s',
      array: '/a',
    };
    const script = await writeScript({ table, catalog: changed }, job, addresses);
    expect(script).toContain('/to-results');
    expect(script.includes('/to-output')).toBe(isSent);
    await world.finish(job);
  });
});

describe('a lost answer', () => {
  it('is found again by the name, not before the list can have the job', async () => {
    const world = openWorld();
    const job = await world.submitOne();
    server.lagMs = 45_000;
    server.failNext(/submitjob/, 'lost answer');
    await world.sweep();
    world.pass(50);
    await world.sweep();
    expect(server.listCalls().filter((call) => call.includes('listjobs'))).toEqual([]);
    world.pass(11);
    await world.finish(job);
    await expectEndedOnce(job);
    expect(server.listIds()).toHaveLength(1);
  });

  it('with a list that lags longer starts a second container, and runs the command once', async () => {
    const world = openWorld();
    const job = await world.submitOne();
    server.lagMs = 3_600_000;
    server.failNext(/submitjob/, 'lost answer');
    await world.sweep();
    world.pass(61);
    await world.finish(job);
    expect(server.listIds()).toHaveLength(2);
    expect(world.ran).toHaveLength(1);
    expect(world.ran[0]).toBe(`${job.jobId} ${await handleOf(job)}`);
    await expectEndedOnce(job);
  });

  it('whose run asked for its script meanwhile keeps that run, and ends the other', async () => {
    let submits = 0;
    let meanwhile = async () => {};
    const world = openWorld((connector) => ({
      ...connector,
      async submit(order) {
        const handle = await connector.submit(order);
        submits += 1;
        if (submits === 2) await meanwhile();
        return handle;
      },
    }));
    const job = await world.submitOne();
    server.lagMs = 3_600_000;
    server.failNext(/submitjob/, 'lost answer');
    await world.sweep();
    const [first = ''] = server.listIds();
    submits = 1;
    meanwhile = () => world.startContainer(job, first);
    world.pass(61);
    await world.sweep();
    const [, second = ''] = server.listIds();
    expect(await handleOf(job)).toBe(first);
    expect(server.statusOf(second)).toBe('FAILED');
    await world.finish(job);
    expect(world.ran).toEqual([`${job.jobId} ${first}`]);
    await expectEndedOnce(job);
  });
});

describe.each([
  { when: 'before a call has its effect', effect: false },
  { when: 'after a call had its effect', effect: true },
])('a kill $when', ({ effect }) => {
  it.each([
    { name: 'handing it over', seconds: 0, lagMs: 0 },
    { name: 'handing it over, with a list that lags', seconds: 0, lagMs: 7_200_000 },
    { name: 'following it', seconds: 40, lagMs: 0 },
    { name: 'ending it', seconds: 100, lagMs: 0 },
  ])('while $name runs no command twice and settles once', async ({ seconds, lagMs }) => {
    let at = 0;
    let died = true;
    while (died) {
      at += 1;
      const world = openMortalWorld();
      server.lagMs = lagMs;
      const before = server.listIds().length;
      const job = await world.submitOne();
      if (seconds > 0) {
        await world.sweep();
        await world.startContainers(job);
        world.pass(seconds);
        if (seconds === 100) world.endContainers();
      }
      died = await killAtCall(world.sweep, at, effect);
      // Every other time, the container of a lost hand-over starts before the next one.
      if (at % 2 === 0) await world.startContainers(job);
      world.pass(420);
      await world.finish(job);
      expect(world.ran).toHaveLength(1);
      expect(server.listIds().length - before).toBeLessThanOrEqual(lagMs === 0 ? 1 : 2);
      await expectEndedOnce(job);
    }
    expect(at).toBeGreaterThan(4);
  });
});

describe('a batch on AWS Batch', () => {
  it('is one array, whose tasks run once each', async () => {
    const world = openWorld();
    const batches = createBatchWorld(table, world);
    const batch = await batches.submit(world.owner, { shape: { count: 7 } });
    await batches.attend(batch);
    await batches.attend(batch);
    await world.sweep();
    const [parent = '', ...others] = server.listIds();
    expect(others).toEqual([]);
    expect(server.orderOf(parent).arrayProperties).toEqual({ size: 7 });
    const jobs = await batches.listJobs(batch);
    const [first] = jobs;
    if (!first) throw new Error('The batch has no jobs.');
    expect(await Promise.all(jobs.map(handleOf))).toEqual(server.listUnits(parent));
    world.pass(31);
    await world.startContainers(first);
    world.pass(60);
    world.endContainers();
    for (let round = 0; round < 4; round += 1) {
      await world.sweep();
      world.pass(61);
    }
    expect((await batches.read(batch)).counts).toMatchObject({ done: 7 });
    expect(new Set(world.ran).size).toBe(7);
    await batches.expectExact(batch);
  });

  it('with a limit is released job by job, because arrays have no limit there', async () => {
    const world = openWorld();
    const batches = createBatchWorld(table, world);
    const batch = await batches.submit(world.owner, { shape: { count: 5 }, maxRunning: 2 });
    await batches.attend(batch);
    await batches.attend(batch);
    await world.sweep();
    const sent = server.listIds().map((id) => server.orderOf(id).arrayProperties);
    expect(sent).toEqual([undefined, undefined]);
    await batches.expectExact(batch);
  });

  it('whose answer was lost is not handed over again', async () => {
    const world = openWorld();
    const batches = createBatchWorld(table, world);
    const batch = await batches.submit(world.owner, { shape: { count: 7 } });
    await batches.attend(batch);
    await batches.attend(batch);
    server.failNext(/submitjob/, 'lost answer');
    await world.sweep();
    world.pass(70);
    await world.sweep();
    const [parent = '', ...others] = server.listIds();
    expect(others).toEqual([]);
    const jobs = await batches.listJobs(batch);
    expect(await Promise.all(jobs.map(handleOf))).toEqual(server.listUnits(parent));
    await batches.expectExact(batch);
  });
});
