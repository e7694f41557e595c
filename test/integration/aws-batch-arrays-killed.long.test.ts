import { describe, expect, it } from 'vitest';
import type { Batch } from '#lib/batches/batch.ts';
import { discardBatch } from '#lib/batches/cancel-batch.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import type { Job } from '#lib/jobs/job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { openAwsBatch, openMortalWorld, server, table } from '../fixtures/aws-batch-lives.ts';
import { createBatchWorld } from '../fixtures/batch-world.ts';
import { killAtCall } from '../fixtures/kill-at-call.ts';
import { readLedger } from '../fixtures/life.ts';

openAwsBatch();

/** Tasks 0 and 1 become an array, and the same call of the connector hands task 3 over alone. */
const count = 4;
const gap = 2;

/** A batch, and what brings it forward after a kill. */
async function openBatch(wrap?: (connector: Connector) => Connector) {
  const world = openMortalWorld(wrap);
  const batches = createBatchWorld(table, world);
  const before = server.listIds().length;
  const batch = await batches.submit(world.owner, { shape: { count }, requestedRuntime: 1 });
  await batches.attend(batch);
  await batches.attend(batch);
  const [first, ...others] = await batches.listJobs(batch);
  const missing = others[gap - 1];
  if (!first || !missing) throw new Error('The batch lacks jobs.');
  await deleteJob(table, accountOf(batch), missing.jobId, world.now());
  const listIds = () => server.listIds().slice(before);
  const startAll = async () => {
    for (const id of listIds()) await world.startContainer(first, id);
  };
  const counts = async () => (await batches.read(batch)).counts;
  /** Sweeps until the batch is as far as expected. A dead sweep has left jobs for some minutes. */
  async function recover(isThere: (counts: Batch['counts']) => boolean, between = startAll) {
    world.pass(420);
    for (let round = 0; round < 12; round += 1) {
      await world.sweep();
      await between();
      if (isThere(await counts())) return;
      world.pass(61);
    }
    throw new Error(`The batch has stopped: ${JSON.stringify(await counts())}`);
  }
  return { world, batches, batch, first, missing, listIds, startAll, recover };
}

type Opened = Awaited<ReturnType<typeof openBatch>>;

/** Each task ran once, was charged for the seconds of that run alone, and was settled once. */
async function expectExact({ world, batches, batch, first, missing }: Opened): Promise<void> {
  const jobs = await batches.listJobs(batch);
  const runs = world.ran.map((each) => each.split(' '));
  const idsOf = (some: readonly Job[]) => some.map(({ jobId }) => jobId).toSorted();
  expect(runs.map(([jobId]) => jobId).toSorted()).toEqual(
    idsOf(jobs.filter(({ jobId }) => jobId !== missing.jobId)),
  );
  const { time } = await findQuota(table, accountOf(batch));
  const ranSeconds = runs.map(([, run = '']) => server.secondsOf(run));
  expect(time).toMatchObject({ held: 0, used: ranSeconds.reduce((sum, each) => sum + each, 0) });
  const settled = (await readLedger(table, first)).filter(({ kind }) => kind === 'settle');
  expect(settled.map(({ job_id }) => job_id).toSorted()).toEqual(idsOf(jobs));
  await batches.expectExact(batch);
}

describe.each([
  { when: 'before a call has its effect', effect: false },
  { when: 'after a call had its effect', effect: true },
])('kills $when', ({ effect }) => {
  it.each([
    { list: 'a list', lagMs: 0 },
    { list: 'a list that lags', lagMs: 7_200_000 },
  ])('at every call of an array, with $list, run no task twice', async ({ lagMs }) => {
    const reached = { handOver: 0, check: 0, end: 0, cancel: 0 };
    let died = true;
    for (let at = 1; died; at += 1) {
      const opened = await openBatch();
      const { world, batches, batch, startAll, recover } = opened;
      server.lagMs = lagMs;
      died = false;
      const killIn = async (phase: keyof typeof reached, action: () => Promise<unknown>) => {
        if (!(await killAtCall(action, at, effect))) return;
        died = true;
        reached[phase] = at;
      };
      await killIn('handOver', world.sweep);
      // Every other time, the containers of a lost hand-over start before the next one.
      if (at % 2 === 0) await startAll();
      await recover(({ running }) => running === count - 1);
      if (lagMs === 0) expect(opened.listIds().flatMap(server.listUnits)).toHaveLength(count - 1);

      world.pass(61);
      await killIn('check', world.sweep);
      await recover(({ running }) => running === count - 1);

      const [one = '', other = ''] = world.ran.map((each) => each.split(' ')[1]);
      server.end(one);
      server.end(other, 1);
      world.pass(61);
      await killIn('end', world.sweep);
      await recover(({ done, failed }) => done === 1 && failed === 1);

      const cancel = async () => {
        await discardBatch(table, batch, world.now());
        await batches.attend(batch);
      };
      await killIn('cancel', async () => {
        await cancel();
        await world.sweep();
      });
      await recover(({ cancelled }) => cancelled === count - 2, cancel);
      await recover(() => opened.listIds().flatMap(server.listUnits).every(hasEnded));
      await expectExact(opened);
    }
    expect(Math.min(...Object.values(reached))).toBeGreaterThan(10);
  });
});

/** Hands everything over, but the first answers are lost, so that no job has a handle. */
function loseFirstAnswers(connector: Connector): Connector {
  const lost = new Set<string>();
  const lose = <T>(id: string, answer: T): T => {
    if (lost.has(id)) return answer;
    lost.add(id);
    throw new SystemUnavailableError('The answer was lost.');
  };
  return {
    ...connector,
    submit: async (order) => lose(order.jobId, await connector.submit(order)),
    submitArray: async (orders, again) =>
      lose(orders[0]?.jobId ?? '', await connector.submitArray!(orders, again)),
  };
}

describe('kills at every call of tasks that ask for their scripts', () => {
  it('run no task twice, and none is lost', async () => {
    let at = 0;
    let died = true;
    while (died) {
      at += 1;
      const opened = await openBatch(loseFirstAnswers);
      const { world, startAll, recover } = opened;
      await world.sweep();
      // To die after a call is to die before the next one.
      died = await killAtCall(startAll, at, true);
      await startAll();
      expect(world.ran).toHaveLength(opened.listIds().flatMap(server.listUnits).length);
      await recover(({ running }) => running === count - 1);
      world.endContainers();
      await recover(({ done }) => done === count - 1);
      await expectExact(opened);
    }
    expect(at).toBeGreaterThan(10);
  });
});

function hasEnded(id: string): boolean {
  return ['SUCCEEDED', 'FAILED'].includes(server.statusOf(id));
}
