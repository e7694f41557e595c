import { buffer } from 'node:stream/consumers';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import type { JobOrder } from '#lib/hpc/connector.ts';
import {
  CredentialsRefusedError,
  JobRefusedError,
  SystemBusyError,
  SystemUnavailableError,
  TransferTooSlowError,
} from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { jobRequestKey } from '#lib/table/keys.ts';
import { tableForEach } from '../engines/use-table.ts';
import { captureLog } from '../fixtures/captured-log.ts';
import { createWorld, expectAccountAddsUp, tellAddresses } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';
import { zipOf } from '../fixtures/zip.ts';

const hpc = systemName('hpc_one');
const owner = userId('1');

const table = tableForEach();

const lifeOf = (job: Job) => findLife(table, accountOf(job), job.jobId);
const reload = (job: Job) => findJob(table, accountOf(job), job.jobId);

/** A world whose system is asked to take jobs, and does what the test says. */
function createTaker(
  submit: (order: JobOrder, handOver: number) => Promise<string>,
  wrapFiles?: (files: JobFiles) => JobFiles,
) {
  const orders: JobOrder[] = [];
  let searches = 0;
  const world = createWorld(
    table,
    hpc,
    (connector) => ({
      ...connector,
      pollFloorSeconds: 7,
      findByTag: async () => {
        searches += 1;
        return undefined;
      },
      submit: (order) => {
        orders.push(order);
        return submit(order, orders.length);
      },
    }),
    wrapFiles,
  );
  return { ...world, orders, searches: () => searches };
}

describe('a hand-over', () => {
  it('gives the system all that it needs, with addresses of the job alone', async () => {
    const world = createTaker(async () => '77');
    const job = await world.submit(owner, {
      program: 'ls',
      nodes: 3,
      coresPerNode: 4,
      requestedRuntime: 2,
      title: 'a title',
      extras: { queue: 'fast' },
    });
    await world.sweep();
    const [order] = world.orders;
    const { input, ...rest } = order ?? {};
    expect(rest).toEqual({
      jobId: job.jobId,
      owner,
      project: job.project.name,
      program: 'ls',
      nodes: 3,
      coresPerNode: 4,
      hours: 2,
      title: 'a title',
      extras: { queue: 'fast' },
      isFirst: true,
      resultsAddress: tellAddresses(job, world.now()).results,
      outputAddress: tellAddresses(job, world.now()).output,
    });
    expect(input).toMatchObject({
      fileName: 'a.zip',
      address: tellAddresses(job, world.now()).input,
    });
    // As often as there are tries.
    for (const _ of [1, 2]) {
      const opened = await input?.open();
      expect(opened?.bytes).toBe(zipOf(5000).length);
      expect(opened && (await buffer(opened.stream))).toEqual(zipOf(5000));
    }
    expect(world.searches()).toBe(0);
  });

  it('names no input where there is none', async () => {
    const world = createTaker(async () => '77');
    await world.submit(owner, { input: { fileName: 'a.zip', source: { kind: 'none' } } });
    await world.sweep();
    expect(world.orders).toHaveLength(1);
    expect(world.orders[0]).not.toHaveProperty('input');
  });

  it('is remembered with the handle, and the job is looked at when the floor of its system is over', async () => {
    const world = createTaker(async () => '77');
    const job = await world.submit(owner);
    await world.sweep();
    expect(await lifeOf(job)).toMatchObject({
      handle: '77',
      claims: 1,
      handOvers: [{ at: world.now() }],
    });
    world.pass(6);
    expect(await world.sweep()).toBe(0);
    world.pass(1);
    expect(await world.sweep()).toBe(1);
  });

  it.each([
    {
      what: 'a system that does not answer',
      error: new SystemUnavailableError('PUT SECRET.example:8443: HTTP 502.'),
      reason: 'The HPC system did not answer. It will be tried again.',
    },
    {
      what: 'a busy system',
      error: new SystemBusyError('POST SECRET.example:8443: HTTP 429.', 2),
      reason: 'The HPC system accepts no more jobs right now. It will be tried again.',
    },
    {
      what: 'a system that answers with an error of its own',
      error: new SystemUnavailableError('submit: SECRET', { said: 'Slurm says: Sorry (1).' }),
      reason: 'Slurm says: Sorry (1). It will be tried again.',
    },
    {
      what: 'a busy system that says why',
      error: new SystemBusyError('submit: SECRET', 2, { said: 'Slurm says: Drained (2070).' }),
      reason: 'Slurm says: Drained (2070). It will be tried again.',
    },
    {
      what: 'an input that takes too long',
      error: new TransferTooSlowError('PUT SECRET.example:8443: the transfer took too long.'),
      reason: 'The input did not reach the HPC system in time. It will be sent again.',
    },
    {
      what: 'refused credentials',
      error: new CredentialsRefusedError('SECRET'),
      reason: 'The HPC system does not accept the credentials of this service.',
    },
  ])('that fails by $what tells its owner why, and is begun again', async ({ error, reason }) => {
    const log = captureLog();
    const world = createTaker(async (_, handOver) => {
      if (handOver === 1) throw error;
      return '77';
    });
    const job = await world.submit(owner);
    await world.sweep();
    const at = world.now();
    const life = await lifeOf(job);
    expect(life).toMatchObject({ reason, handOvers: [{ reason }] });
    expect(life).not.toHaveProperty('handle');
    expect(log).toHaveLength(1);
    expect(JSON.parse(log[0] ?? '')).toMatchObject({
      level: 'WARN',
      message: 'hand-over failed',
      hpc,
      jobId: job.jobId,
      error: { name: error.name, message: error.message },
    });
    world.pass(2);
    await world.sweep();
    expect(world.searches()).toBe(1);
    expect(await lifeOf(job)).toMatchObject({
      handle: '77',
      claims: 2,
      reason: '',
      handOvers: [{ at, reason }, { at: world.now() }],
    });
  });

  it('that fails by a mistake of ours is begun again, harms no other, and does not go unnoticed', async () => {
    const log = captureLog();
    const reason = 'The job could not be handed over. It will be tried again.';
    const world = createTaker(async ({ title }, handOver) => {
      if (title === 'poison' && handOver <= 2) throw new TypeError('SECRET');
      return '77';
    });
    const poisonous = await world.submit(owner, { title: 'poison' });
    const other = await world.submit(owner);
    await expect(world.sweep()).rejects.toThrow('could not be advanced');
    expect(await lifeOf(other)).toMatchObject({ handle: '77' });
    const life = await lifeOf(poisonous);
    expect(life).toMatchObject({ reason });
    expect(life).not.toHaveProperty('handle');
    expect(log.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        level: 'ERROR',
        hpc,
        error: expect.objectContaining({
          name: 'TypeError',
          stack: expect.stringContaining('hand-over.test.ts'),
        }),
      }),
    );
    world.pass(2);
    await world.sweep();
    expect(await lifeOf(poisonous)).toMatchObject({ handle: '77' });
  });

  it('waits as long as a busy system says', async () => {
    const world = createTaker(async () => {
      throw new SystemBusyError('It is full.', 100);
    });
    await world.submit(owner);
    await world.sweep();
    world.pass(99);
    expect(await world.sweep()).toBe(0);
    world.pass(1);
    expect(await world.sweep()).toBe(1);
    expect(world.orders).toHaveLength(2);
  });

  it('ends a job that the system will never take: failed, with its reason, and nothing charged', async () => {
    const world = createTaker(async () => {
      throw new JobRefusedError('There is no such queue.');
    });
    const job = await world.submit(owner);
    await world.sweep();
    expect(await reload(job)).toMatchObject({
      stage: 'FAILED',
      terminal: true,
      failed: true,
      endedAt: world.now(),
    });
    const reason = 'There is no such queue.';
    expect(await lifeOf(job)).toMatchObject({ reason, handOvers: [{ at: world.now(), reason }] });
    expect(await reload(job)).not.toHaveProperty('ranSeconds');
    world.pass(3600);
    expect(await world.sweep()).toBe(0);
    await expectAccountAddsUp(table, job);
  });

  it('of a job that is cancelled meanwhile and then refused leaves it cancelled', async () => {
    const world = createTaker(async () => {
      await deleteJob(table, accountOf(job), job.jobId, world.now());
      throw new JobRefusedError('There is no such queue.');
    });
    const job = await world.submit(owner);
    await world.sweep();
    expect(await reload(job)).toMatchObject({ stage: 'CANCELED', failed: false });
    expect((await lifeOf(job)).reason).toBe('Cancelled by its owner.');
    await expectAccountAddsUp(table, job);
  });

  it('fails, and harms no other, where nobody knows what the job was to run', async () => {
    const world = createTaker(async () => '77');
    const lost = await world.submit(owner);
    const other = await world.submit(owner);
    const Key = jobRequestKey(accountOf(lost), lost.jobId);
    await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
    expect(await world.sweep()).toBe(2);
    expect(world.orders.map(({ jobId }) => jobId)).toEqual([other.jobId]);
    expect((await lifeOf(lost)).reason).toBe(
      'The job could not be handed over. It will be tried again.',
    );
  });
});

describe('an input that goes through this process', () => {
  it('is tried again where the storage does not have it', async () => {
    const world = createTaker(async ({ input }) => String((await input?.open())?.bytes));
    const job = await world.submit(owner);
    world.files.inputs.objects.clear();
    await world.sweep();
    expect(await reload(job)).toMatchObject({ terminal: false });
    expect((await lifeOf(job)).handle).toBeUndefined();
  });
});
