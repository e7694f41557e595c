import { describe, expect, it } from 'vitest';
import type { Batch } from '#lib/batches/batch.ts';
import { findOrder } from '#lib/batches/batch-store.ts';
import type { BatchSubmission } from '#lib/batches/batch-submission.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { readRequest } from '#lib/jobs/job-request.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createBatchWorld } from '../fixtures/batch-world.ts';
import { createWorld, readLedger } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';
import { pricedSystem } from '../fixtures/priced-systems.ts';
import { slurm } from '../model/job-steps.ts';

const owner = userId('1');
const table = tableForEach();

/** Accepts a batch on a system of a kind, and creates its jobs. */
async function unfold(system: Partial<HpcSystem>, change: Partial<BatchSubmission>) {
  const world = createWorld(table, systemName('hpc_one'), undefined, undefined, system);
  const batches = createBatchWorld(table, world);
  const accepted = await batches.submit(owner, change);
  await batches.attend(accepted);
  const batch = await batches.read(accepted);
  const jobs = await batches.listJobs(batch);
  const lives = await Promise.all(jobs.map((job) => findLife(table, accountOf(job), job.jobId)));
  return { world, batches, batch, jobs, lives };
}

const arrayOf = ({ id }: Batch) => `${id}-0`;

describe('the jobs of a batch', () => {
  it('are tasks of an array that is handed over once it is whole', async () => {
    const { batch, lives } = await unfold({ connector: slurm }, { shape: { count: 3 } });
    expect(lives.map(({ array }) => array)).toEqual(
      [0, 1, 2].map((task) => ({ name: arrayOf(batch), task })),
    );
    expect(lives.every(({ released, dueAt }) => released === true && dueAt)).toBe(true);
    expect(batch).toMatchObject({ limited: true, nextRelease: 3, released: 3 });
  });

  it('wait for the rest of their array', async () => {
    const world = createWorld(table, systemName('hpc_one'), undefined, undefined, {
      connector: slurm,
    });
    const batches = createBatchWorld(table, world);
    const batch = await batches.submit(owner, { shape: { count: 40 } });
    let groups = 0;
    const isOver = () => {
      groups += 1;
      return groups > 1;
    };
    await batches.attend(batch, { isOver });
    expect(await batches.read(batch)).toMatchObject({ unfolded: 33, nextRelease: 0, released: 0 });
    expect(await batches.listInFlight(batch)).toEqual([]);
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({ unfolded: 40, released: 40 });
    expect(await batches.listInFlight(batch)).toHaveLength(40);
  });

  it('tell a system with arrays how many of them may run at once', async () => {
    const { batch, lives } = await unfold(
      { connector: slurm },
      { shape: { count: 2 }, maxRunning: 1 },
    );
    expect(lives.map(({ array }) => array)).toEqual(
      [0, 1].map((task) => ({ name: arrayOf(batch), task, atOnce: 1 })),
    );
  });

  it('are in no array where the service fetches files for each, and wait for these', async () => {
    const { batch, lives } = await unfold(
      { connector: slurm, inputs: { hosts: ['data.example.org'], fetchedBy: 'service' } },
      {
        shape: { count: 2 },
        fetches: [{ from: 'https://data.example.org/{index}', to: 'a' }],
      },
    );
    expect(batch).toMatchObject({ serviceFetches: true });
    expect(lives).toMatchObject([
      { waiting: true, serviceFetches: true, dueAt: batch.submittedAt },
      { waiting: true, serviceFetches: true, dueAt: batch.submittedAt },
    ]);
    expect(lives.every(({ array }) => array === undefined)).toBe(true);
  });

  it('wait for their files in the same way when their turn comes', async () => {
    const { batches, batch, jobs } = await unfold(
      { inputs: { hosts: ['data.example.org'], fetchedBy: 'service' } },
      {
        shape: { count: 2 },
        maxRunning: 1,
        fetches: [{ from: 'https://data.example.org/{index}', to: 'a' }],
      },
    );
    const inQueue = expect.stringMatching(/^DUE#WAITING#/);
    const queues = () =>
      Promise.all(
        jobs.map((job) => readItem(table, jobLifeKey(accountOf(job), job.jobId), (item) => item)),
      );
    expect(await queues()).toMatchObject([{ due: inQueue }, { waiting: true }]);
    await batches.end(jobs[0]!);
    await batches.attend(batch);
    expect((await queues())[1]).toMatchObject({ due: inQueue, waiting: true, released: true });
    // And so when they run again.
    await batches.end(jobs[1]!, { failed: true });
    expect((await batches.repeat(batch)).batch).toMatchObject({ serviceFetches: true });
  });

  it('run as the account that the token of their owner names', async () => {
    const { lives } = await unfold(
      { runsAs: 'mapped', accountClaim: { name: 'uid' } },
      { shape: { count: 2 }, claims: { uid: 'ada' } },
    );
    expect(lives.map(({ login }) => login)).toEqual(['ada', 'ada']);
  });

  it('cost each its part of what the batch holds', async () => {
    const { batch, jobs } = await unfold(pricedSystem('hpc_one'), { shape: { count: 3 } });
    expect(batch.jobCost).toBeGreaterThan(0);
    expect(jobs.map(({ cost }) => cost)).toEqual([1, 2, 3].map(() => batch.jobCost));
  });

  it('fetch and send the same files when they run again', async () => {
    const hosts = ['data.example.org'];
    const { batches, batch, jobs } = await unfold(
      { inputs: { hosts }, outputs: { hosts } },
      {
        shape: { count: 2 },
        title: ' job {index} ',
        fetches: [{ from: 'https://data.example.org/in{index}', to: 'a' }],
        sends: [{ files: 'b', to: 'https://data.example.org/out{index}' }],
      },
    );
    const moved = {
      fetches: [{ from: 'https://data.example.org/in1', to: 'a' }],
      sends: [{ files: 'b', to: 'https://data.example.org/out1' }],
    };
    expect(await readRequest(table, jobs[1]!)).toMatchObject(moved);
    await batches.end(jobs[1]!, { failed: true });
    const { batch: again } = await batches.repeat(batch);
    expect(await findOrder(table, again)).toMatchObject({
      fetches: [{ from: 'https://data.example.org/in{index}', to: 'a' }],
      sends: [{ files: 'b', to: 'https://data.example.org/out{index}' }],
    });
    await batches.attend(again);
    const [repeated] = await batches.listJobs(again);
    expect(repeated).toMatchObject({ title: 'job 1' });
    expect(await readRequest(table, repeated!)).toMatchObject(moved);
    // One job is not several.
    const reasons = (await readLedger(table, batch)).map(({ reason }) => reason);
    expect(reasons).toContain('batch of 1 job submitted');
  });
});
