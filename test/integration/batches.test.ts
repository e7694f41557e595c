import { beforeEach, describe, expect, it } from 'vitest';
import { removeAccount } from '#lib/accounts/remove-account.ts';
import { type Batch, countInFlight } from '#lib/batches/batch.ts';
import { findOrder, listBatches } from '#lib/batches/batch-store.ts';
import { BatchInputGoneError, NothingFailedError } from '#lib/batches/errors.ts';
import { explainStanding, findStanding } from '#lib/batches/find-standing.ts';
import { repeatFailed } from '#lib/batches/repeat-failed.ts';
import { defaultProject } from '#lib/catalog/catalog.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, accountOf as accountOfBatch, type Job } from '#lib/jobs/job.ts';
import { readRequest } from '#lib/jobs/job-request.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { readJobs } from '#lib/jobs/read/read-jobs.ts';
import { findQuota, readQuota } from '#lib/quotas/quota-store.ts';
import { batchKey } from '#lib/table/keys.ts';
import { updateItem } from '#lib/table/writes.ts';
import { AccountMissingError } from '#lib/users/logins/errors.ts';
import { interruptBefore } from '../engines/interrupt.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createBatchWorld, noInput, tableInput } from '../fixtures/batch-world.ts';
import { createWorld, readLedger } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const owner = userId('1');

const table = tableForEach();
let world: ReturnType<typeof createWorld>;
let batches: ReturnType<typeof createBatchWorld>;
beforeEach(() => {
  world = createWorld(table, systemName('hpc_one'));
  batches = createBatchWorld(table, world);
});

const cancel = (job: Job) => deleteJob(table, accountOf(job), job.jobId, world.now());
const stored = () => [...world.files.inputs.objects.keys()].sort();

/** Counts what an action wrote. */
async function countWrites(action: () => Promise<unknown>): Promise<number> {
  let writes = 0;
  const name = 'count-writes';
  table.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (parameters) => {
        if (/^(Put|Update|Delete|Transact)/.test(commandName)) writes += 1;
        return next(parameters);
      },
    { step: 'initialize', name },
  );
  await action();
  table.client.middlewareStack.remove(name);
  return writes;
}

describe('creating the jobs of a batch', () => {
  it('gives each job its number, its texts and its environment', async () => {
    const input = tableInput('alpha,n\n0.1,x\n0.2,"y, z"\n');
    const batch = await batches.unfold(owner, {
      shape: { table: 'params.csv' },
      input,
      program: 'run {alpha} "{n}" {other} {index}',
      fetches: [{ from: 'https://data.example.org/{alpha}', to: 'a' }],
      system: { ...world.system, inputs: { hosts: ['data.example.org'] } },
    });
    const jobs = await batches.listJobs(batch);
    expect(jobs).toMatchObject([
      { id: batch.firstId, title: 'job 0', batch: { id: batch.id, index: 0 } },
      { id: batch.firstId + 1, title: 'job 1', batch: { id: batch.id, index: 1 } },
    ]);
    expect(await readRequest(table, jobs[1]!)).toMatchObject({
      program: 'run 0.2 "y, z" {other} 1',
      fetches: [{ from: 'https://data.example.org/0.2', to: 'a' }],
      environment: { SLIPWAY_INDEX: '1', SLIPWAY_ALPHA: '0.2', SLIPWAY_N: 'y, z' },
    });
    await batches.expectExact(batch);
  });

  it('gives each job the tasks, memory, GPUs, class and image of the batch', async () => {
    const resources = {
      tasksPerNode: 1,
      memoryMegabytes: 16_000,
      gpusPerNode: 2,
      gpuKind: 'a100',
      className: 'gpu',
      image: 'ghcr.io/org/tool:2',
    };
    const batch = await batches.unfold(owner, { shape: { count: 2 }, ...resources });
    const [, last] = await batches.listJobs(batch);
    expect(await readRequest(table, last!)).toMatchObject(resources);
  });

  it('takes a transaction for each 33 jobs, and one attempt more creates nothing', async () => {
    const batch = await batches.submit(owner, { shape: { count: 100 } });
    expect(await countWrites(() => batches.attend(batch))).toBe(4);
    await batches.expectExact(batch);
    expect(await countWrites(() => batches.attend(batch))).toBe(0);
    expect(await batches.read(batch)).toMatchObject({ unfolded: 100, released: 100 });
  });

  it('creates each job once if several processes do so at once', async () => {
    const batch = await batches.submit(owner, { shape: { count: 100 } });
    await Promise.all(Array.from({ length: 6 }, () => batches.attend(batch)));
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({ unfolded: 100, released: 100 });
    await batches.expectExact(batch);
  });

  it('goes on where its time was up, when the clock asks next', async () => {
    const batch = await batches.submit(owner, { shape: { count: 100 } });
    let groups = 0;
    const isOver = () => {
      groups += 1;
      return groups > 2;
    };
    await batches.attend(batch, { isOver });
    expect(await batches.read(batch)).toMatchObject({ unfolded: 66, dueAt: world.now() });
    await batches.expectExact(batch);
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({ unfolded: 100 });
    await batches.expectExact(batch);
  });

  it('lets no other process begin for a minute after each group', async () => {
    const batch = await batches.submit(owner, { shape: { count: 40 } });
    await batches.attend(batch);
    const { dueAt } = await batches.read(batch);
    expect(dueAt).toEqual(new Date(world.now().getTime() + 60_000));
  });

  it('keeps the account exact after each group', async () => {
    const batch = await batches.submit(owner, { shape: { count: 70 } });
    for (const done of [33, 66, 70]) {
      let groups = 0;
      await batches.attend(batch, {
        isOver: () => {
          groups += 1;
          return groups > 1;
        },
      });
      expect(await batches.read(batch)).toMatchObject({ unfolded: done });
      await batches.expectExact(batch);
    }
  });

  it('runs to the end on a simulator', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 6 } });
    const [, , last] = await batches.listJobs(batch);
    await world.runToEnd(last!);
    for (let more = 0; more < 5; more += 1) {
      world.pass(20);
      await world.sweep();
    }
    const { counts, held, usedSeconds } = await batches.read(batch);
    expect(counts).toEqual({ running: 0, done: 6, failed: 0, cancelled: 0 });
    expect(held).toEqual({ seconds: 0, kilobytes: 5 });
    const { time } = await findQuota(table, accountOfBatch(batch));
    expect(usedSeconds).toBe(time.used);
    await batches.expectExact(batch);
  });
});

describe('max_running', () => {
  const shape = { count: 50 };
  const maxRunning = 4;
  const expectAtMost = async (batch: Batch) => {
    const inFlight = await batches.listInFlight(batch);
    expect(inFlight.length).toBeLessThanOrEqual(maxRunning);
    expect(countInFlight(await batches.read(batch))).toBe(inFlight.length);
    return inFlight;
  };

  it('gives a job its turn when another ends, and never more', async () => {
    const batch = await batches.unfold(owner, { shape, maxRunning });
    for (let ended = 0; ended < shape.count; ended += 1) {
      const inFlight = await expectAtMost(batch);
      expect(inFlight).toHaveLength(Math.min(maxRunning, shape.count - ended));
      await batches.end(inFlight[ended % inFlight.length]!);
      await Promise.all([batches.attend(batch), batches.attend(batch)]);
    }
    expect(await batches.read(batch)).toMatchObject({ counts: { done: 50 }, released: 50 });
    await batches.expectExact(batch);
  });

  it('holds when jobs that wait for their turn are cancelled one by one', async () => {
    const batch = await batches.unfold(owner, { shape, maxRunning });
    const jobs = await batches.listJobs(batch);
    for (const job of jobs.slice(4, 40)) {
      await cancel(job);
      await batches.attend(batch);
      expect(await expectAtMost(batch)).toHaveLength(4);
    }
    for (const job of jobs.slice(0, 4)) {
      await cancel(job);
      await batches.attend(batch);
    }
    const inFlight = await expectAtMost(batch);
    expect(inFlight.map(({ batch: place }) => place?.index)).toEqual([40, 41, 42, 43]);
    await batches.expectExact(batch);
  });

  it('does not tell the system of a cancelled job whose turn never came', async () => {
    const batch = await batches.unfold(owner, { shape, maxRunning });
    const job = (await batches.listJobs(batch))[10]!;
    await cancel(job);
    const life = await findLife(table, accountOf(job), job.jobId);
    expect(life.dueAt).toBeUndefined();
    expect(await batches.read(batch)).toMatchObject({ endedParked: 1, counts: { cancelled: 1 } });
  });

  it('counts once a job that is cancelled right before its release is written', async () => {
    const batch = await batches.unfold(owner, { shape, maxRunning });
    const jobs = await batches.listJobs(batch);
    await batches.end(jobs[0]!);
    interruptBefore(table, 'TransactWriteItemsCommand', () => cancel(jobs[4]!));
    await batches.attend(batch);
    await batches.attend(batch);
    const inFlight = await expectAtMost(batch);
    expect(inFlight.map(({ batch: place }) => place?.index)).toEqual([1, 2, 3, 5]);
    await batches.expectExact(batch);
  });

  it('counts once a job that is released right before its cancel is written', async () => {
    const batch = await batches.unfold(owner, { shape, maxRunning });
    const jobs = await batches.listJobs(batch);
    await batches.end(jobs[0]!);
    interruptBefore(table, 'TransactWriteItemsCommand', () => batches.attend(batch));
    expect(await cancel(jobs[4]!)).toMatchObject({ stage: 'CANCELED' });
    expect(await batches.read(batch)).toMatchObject({ endedParked: 0, counts: { cancelled: 1 } });
    await batches.attend(batch);
    const inFlight = await expectAtMost(batch);
    expect(inFlight.map(({ batch: place }) => place?.index)).toEqual([1, 2, 3, 5]);
    await batches.expectExact(batch);
  });

  it('releases nothing of a batch that is cancelled right before it is written', async () => {
    const batch = await batches.unfold(owner, { shape, maxRunning });
    const jobs = await batches.listJobs(batch);
    await batches.end(jobs[0]!);
    interruptBefore(table, 'TransactWriteItemsCommand', () => batches.discard(batch));
    await batches.attend(batch);
    const life = await findLife(table, accountOfBatch(batch), jobs[4]!.jobId);
    expect(life).not.toHaveProperty('released');
    expect(life.dueAt).toBeUndefined();
  });

  it('holds while releases, ends and cancels race', async () => {
    const batch = await batches.unfold(owner, { shape, maxRunning });
    for (let round = 0; round < 40; round += 1) {
      const active = (await batches.listJobs(batch)).filter(({ terminal }) => !terminal);
      if (active.length === 0) break;
      const [first, second = first, , , fifth = first, sixth = first] = active;
      await Promise.all([
        batches.end(first!),
        cancel(sixth!),
        batches.attend(batch),
        cancel(second!),
        batches.attend(batch),
        cancel(fifth!),
      ]);
      await batches.attend(batch);
      await expectAtMost(batch);
    }
    const { counts, released, endedParked } = await batches.read(batch);
    expect(counts.done + counts.cancelled).toBe(50);
    expect(released + endedParked).toBe(50);
    await batches.expectExact(batch);
  });

  it('is larger than a group and kept while jobs are created and end', async () => {
    const batch = await batches.submit(owner, { shape: { count: 150 }, maxRunning: 50 });
    for (let round = 0; round < 6; round += 1) {
      let groups = 0;
      const isOver = () => {
        groups += 1;
        return groups > 1;
      };
      await batches.attend(batch, { isOver });
      const inFlight = await batches.listInFlight(batch);
      expect(inFlight.length).toBeLessThanOrEqual(50);
      for (const job of inFlight.slice(0, 7)) await batches.end(job);
    }
    await batches.attend(batch);
    expect(await batches.listInFlight(batch)).toHaveLength(50);
    await batches.expectExact(batch);
  });

  it('needs no write for a batch of which nothing has changed', async () => {
    const batch = await batches.unfold(owner, { shape, maxRunning });
    expect(await countWrites(() => batches.attend(batch))).toBe(0);
  });
});

describe('the counts of a batch', () => {
  it('know jobs that start, are requeued, end, fail and are cancelled', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 5 } });
    const read = async () => (await batches.read(batch)).counts;
    const at = async (place: number) => (await batches.listJobs(batch))[place]!;
    for (const job of await batches.listJobs(batch)) await batches.start(job);
    expect(await read()).toEqual({ running: 5, done: 0, failed: 0, cancelled: 0 });
    // A repeated check has no second effect.
    await batches.start(await at(0));
    await batches.requeue(await at(0));
    expect(await read()).toMatchObject({ running: 4 });
    await batches.end(await at(0));
    await batches.end(await at(1), { failed: true });
    await cancel(await at(2));
    await cancel(await at(2));
    expect(await read()).toEqual({ running: 2, done: 1, failed: 1, cancelled: 1 });
    expect((await batches.read(batch)).usedSeconds).toBe(1200);
    await batches.expectExact(batch);
  });

  it('count a start once that two checks have seen, and none after the end', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 2 } });
    const [first, second] = await batches.listJobs(batch);
    expect([await batches.start(first!), await batches.start(first!)]).toEqual([true, false]);
    expect((await batches.read(batch)).counts).toMatchObject({ running: 1 });
    await batches.end(second!);
    expect(await batches.start(second!)).toBe(false);
    expect((await batches.read(batch)).counts).toMatchObject({ running: 1, done: 1 });
    await batches.expectExact(batch);
  });

  it('are right if a job starts right before its end or cancel is written', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 2 } });
    const [first, second] = await batches.listJobs(batch);
    interruptBefore(table, 'TransactWriteItemsCommand', () => batches.start(first!));
    expect(await batches.end(first!)).toBe('ended');
    interruptBefore(table, 'TransactWriteItemsCommand', () => batches.start(second!));
    expect(await cancel(second!)).toMatchObject({ terminal: true });
    expect(await batches.read(batch)).toMatchObject({
      counts: { running: 0, done: 1, failed: 0, cancelled: 1 },
    });
    await batches.expectExact(batch);
  });

  it('are told at most once a minute, by one of several processes', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 10 }, maxRunning: 2 });
    const told: string[] = [];
    const note = async () => {
      const { told: last } = await batches.read(batch);
      if (last && last.at.toISOString() !== told.at(-1)) told.push(last.at.toISOString());
    };
    for (let second = 0; second < 180; second += 10) {
      world.pass(10);
      const [job] = await batches.listInFlight(batch);
      if (job && second % 20 === 0) await batches.end(job);
      await batches.attend(batch);
      await note();
    }
    expect(told.length).toBeGreaterThan(1);
    expect(told.length).toBeLessThanOrEqual(4);
    const gaps = told.slice(1).map((at, place) => Date.parse(at) - Date.parse(told[place]!));
    expect(Math.min(...gaps)).toBe(60_000);
  });

  it('are told by one of two processes that read the same', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 10 } });
    await batches.end((await batches.listJobs(batch))[0]!);
    world.pass(120);
    interruptBefore(table, 'UpdateItemCommand', async () => {
      await batches.attend(batch);
      world.pass(1);
    });
    const before = world.now();
    await batches.attend(batch);
    expect((await batches.read(batch)).told?.at).toEqual(before);
  });
});

describe('cancelling a batch', () => {
  it('gives back at once what was not created, and the rest once', async () => {
    const batch = await batches.submit(owner, { shape: { count: 100 } });
    let groups = 0;
    const isOver = () => {
      groups += 1;
      return groups > 2;
    };
    await batches.attend(batch, { isOver });
    const [first, second] = await batches.listJobs(batch);
    await batches.end(first!);
    await batches.start(second!);
    expect(await batches.discard(batch)).toMatchObject({
      dropped: 34,
      counts: { cancelled: 34, done: 1 },
      held: { seconds: 65 * 1800 },
    });
    await batches.expectExact(batch);
    expect(await batches.discard(batch)).toMatchObject({ dropped: 34, discard: 'cancel' });
    await Promise.all([batches.attend(batch), batches.attend(batch)]);
    await batches.attend(batch);
    const current = await batches.read(batch);
    expect(current).toMatchObject({
      counts: { running: 0, done: 1, failed: 0, cancelled: 99 },
      held: { seconds: 0, kilobytes: 0 },
      cancelPending: false,
    });
    expect(current.dueAt).toBeUndefined();
    expect(stored()).toEqual([]);
    await batches.expectExact(batch);
    const { time, space, activeJobs } = await findQuota(table, accountOfBatch(batch));
    expect({ held: time.held, space: space.held, activeJobs }).toEqual({
      held: 0,
      space: 0,
      activeJobs: 0,
    });
    const lines = await readLedger(table, batch);
    expect(lines.filter(({ kind }) => kind === 'settle')).toHaveLength(66);
    expect(lines.filter(({ kind }) => kind === 'refund')).toHaveLength(2);
  });

  it('wins over a group that is being created', async () => {
    const batch = await batches.submit(owner, { shape: { count: 40 } });
    interruptBefore(table, 'TransactWriteItemsCommand', () => batches.discard(batch));
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({ unfolded: 0, counts: { cancelled: 40 } });
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({ held: { seconds: 0, kilobytes: 0 } });
    await batches.expectExact(batch);
  });

  it('decides again if a group was created a moment ago', async () => {
    const batch = await batches.submit(owner, { shape: { count: 40 } });
    interruptBefore(table, 'TransactWriteItemsCommand', () => batches.attend(batch));
    expect(await batches.discard(batch)).toMatchObject({ unfolded: 40, dropped: 0 });
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({ counts: { cancelled: 40 } });
    await batches.expectExact(batch);
  });

  it('does not delete anything if the same request comes a second time after the end', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 3 } });
    const [first] = await batches.listJobs(batch);
    await batches.end(first!);
    await batches.discard(batch);
    await batches.attend(batch);
    expect(await batches.discard(batch)).toMatchObject({ discard: 'cancel', cancelPending: false });
    expect((await batches.listJobs(batch)).map(({ stage }) => stage)).toEqual([
      'SUCCESSFUL',
      'CANCELED',
      'CANCELED',
    ]);
    expect(await batches.discard(batch, 'delete')).toMatchObject({ discard: 'delete' });
    await batches.attend(batch);
    const stages = (await batches.listJobs(batch)).map(({ stage }) => stage);
    expect(stages).toEqual(['DELETED', 'DELETED', 'DELETED']);
    await batches.expectExact(batch);
  });

  it('goes on when its time was up', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 30 } });
    await batches.discard(batch);
    let checks = 0;
    await batches.attend(batch, {
      isOver: () => {
        checks += 1;
        return checks > 10;
      },
    });
    const { counts, cancelPending, dueAt } = await batches.read(batch);
    expect(counts.cancelled).toBeLessThan(30);
    expect(cancelPending).toBe(true);
    expect(dueAt).toEqual(world.now());
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({ counts: { cancelled: 30 } });
    await batches.expectExact(batch);
  });
});

describe('deleting an ended batch', () => {
  it('returns the space of the zip, and removes the zip and the results', async () => {
    const input = tableInput('a\n1\n2\n');
    const batch = await batches.unfold(owner, { shape: { table: 'params.csv' }, input });
    const jobs = await batches.listJobs(batch);
    for (const job of jobs) {
      await batches.end(job);
      await world.files.results.put(`${owner}/${job.jobId}.zip`, Buffer.from('results'));
    }
    await batches.attend(batch);
    expect((await batches.read(batch)).held).toEqual({ seconds: 0, kilobytes: 1 });
    expect(stored()).toHaveLength(1);
    expect(await batches.discard(batch, 'cancel')).not.toHaveProperty('discard');
    expect(await batches.discard(batch)).toMatchObject({ discard: 'delete' });
    await batches.attend(batch);
    await batches.discard(batch);
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({
      held: { seconds: 0, kilobytes: 0 },
      counts: { done: 2 },
    });
    expect(stored()).toEqual([]);
    expect([...world.files.results.objects.keys()]).toEqual([]);
    const { space } = await findQuota(table, accountOfBatch(batch));
    expect(space.held).toBe(0);
    await batches.expectExact(batch);
  });
});

describe('running the failed jobs again', () => {
  it('runs them as the account that the token of that request names', async () => {
    const first = await withFailures();
    const claimed = { runsAs: 'mapped' as const, accountClaim: { name: 'uid' } };
    const systems = batches.context.catalog.systems.map((each) => ({ ...each, ...claimed }));
    const context = { ...batches.context, catalog: { systems } };
    const again = (claims?: Record<string, string>) =>
      repeatFailed(context, first, { project: defaultProject(world.system), claims });
    await expect(again()).rejects.toThrow(AccountMissingError);
    const { batch } = await again({ uid: 'ada' });
    expect(await findOrder(table, batch)).toMatchObject({ login: 'ada' });
  });

  async function withFailures(change: Parameters<typeof batches.unfold>[1] = {}) {
    const batch = await batches.unfold(owner, { shape: { count: 6 }, ...change });
    const jobs = await batches.listJobs(batch);
    for (const [place, job] of jobs.entries()) {
      await batches.end(job, { failed: place % 2 === 1 });
    }
    return batch;
  }

  it('keeps their index and their values, and shares the zip', async () => {
    const input = tableInput('a\nx0\nx1\nx2\nx3\n');
    const first = await withFailures({ shape: { table: 'params.csv' }, input, program: 'run {a}' });
    const { batch } = await batches.repeat(first);
    expect(batch).toMatchObject({ count: 2, origin: first.id, held: { seconds: 3600 } });
    await batches.attend(batch);
    const jobs = await batches.listJobs(batch);
    expect(jobs.map((job) => job.batch?.index)).toEqual([1, 3]);
    expect(jobs.map(({ title }) => title)).toEqual(['job 1', 'job 3']);
    expect(await readRequest(table, jobs[1]!)).toMatchObject({
      program: 'run x3',
      environment: { SLIPWAY_INDEX: '3', SLIPWAY_A: 'x3' },
    });
    expect((await findOrder(table, batch)).input.key).toBe(
      (await findOrder(table, first)).input.key,
    );
    // And once more, of the second batch.
    await batches.end(jobs[0]!);
    await batches.end(jobs[1]!, { failed: true });
    const { batch: third } = await batches.repeat(batch);
    await batches.attend(third);
    expect((await batches.listJobs(third)).map((job) => job.batch?.index)).toEqual([3]);
    expect(await batches.read(first)).toMatchObject({ inputUsers: 3 });
    await batches.expectExact(third);
  });

  it('keeps the zip until no batch uses it', async () => {
    const first = await withFailures();
    const { batch: second } = await batches.repeat(first);
    const zip = (await findOrder(table, first)).input.key!;
    await batches.discard(first);
    await batches.attend(first);
    expect(stored()).toContain(zip);
    expect(await batches.read(first)).toMatchObject({ held: { kilobytes: 0 }, inputUsers: 1 });
    await batches.discard(second);
    await batches.attend(second);
    await batches.attend(second);
    expect(stored()).toEqual([]);
    await batches.expectExact(first);
    await batches.expectExact(second);
  });

  it('refuses if the input was removed, and holds nothing', async () => {
    const first = await withFailures();
    const jobs = await batches.listJobs(first);
    // A zip that is gone, while the jobs are not deleted yet.
    await batches.discard(first);
    await batches.attend(first, { isOver: () => false });
    await expect(batches.repeat(first)).rejects.toThrow(NothingFailedError);
    expect(jobs).toHaveLength(6);
    const second = await batches.unfold(owner, { shape: { count: 2 } });
    const [failing] = await batches.listJobs(second);
    await batches.end(failing!, { failed: true });
    await batches.discard(second);
    await batches.attend(second);
    await expect(batches.repeat(second)).rejects.toThrow(BatchInputGoneError);
    expect(stored()).toEqual([]);
    await batches.expectExact(second);
  });

  it('refuses if the values of a batch without a zip were removed', async () => {
    const first = await withFailures({ input: noInput });
    const { batch: second } = await batches.repeat(first);
    expect(second.origin).toBeUndefined();
    await batches.attend(second);
    const [failing] = await batches.listJobs(second);
    await batches.end(failing!, { failed: true });
    await batches.discard(second);
    await batches.attend(second);
    await expect(batches.repeat(second)).rejects.toThrow(BatchInputGoneError);
  });

  it.each([
    ['refuses', 'a table', { shape: { table: 'params.csv' }, input: tableInput('a\n1\n2\n3\n') }],
    ['takes', 'a number of jobs', { shape: { count: 3 } }],
  ])('%s a cancelled batch of %s whose zip another keeps', async (outcome, _, change) => {
    const first = await batches.unfold(owner, change);
    const [failing] = await batches.listJobs(first);
    await batches.end(failing!, { failed: true });
    await batches.repeat(first);
    await batches.discard(first);
    const again = batches.repeat(first);
    if (outcome === 'refuses') await expect(again).rejects.toThrow(BatchInputGoneError);
    else expect(await again).toMatchObject({ batch: { count: 1, origin: first.id } });
  });

  it('leaves out failed jobs that were deleted', async () => {
    const first = await withFailures();
    const jobs = await batches.listJobs(first);
    await deleteJob(table, accountOf(jobs[1]!), jobs[1]!.jobId, world.now());
    const { batch } = await batches.repeat(first);
    expect(batch.count).toBe(2);
  });

  it('has no second effect with the same key, even if more jobs have failed since', async () => {
    const first = await batches.unfold(owner, { shape: { count: 3 } });
    const jobs = await batches.listJobs(first);
    await expect(batches.repeat(first)).rejects.toThrow(NothingFailedError);
    await batches.end(jobs[0]!, { failed: true });
    const { batch, repeated } = await batches.repeat(first, 'again');
    expect(repeated).toBe(false);
    await batches.end(jobs[1]!, { failed: true });
    expect(await batches.repeat(first, 'again')).toMatchObject({
      batch: { id: batch.id },
      repeated: true,
    });
    expect(await batches.read(first)).toMatchObject({ inputUsers: 2 });
    await batches.expectExact(batch);
    // Also once none of its failed jobs is left.
    for (const job of jobs.slice(0, 2)) await cancel(job);
    expect(await batches.repeat(first, 'again')).toMatchObject({ batch: { id: batch.id } });
    const other = await withFailures();
    await expect(batches.repeat(other, 'again')).rejects.toThrow(IdempotencyKeyReusedError);
  });
});

describe('removing an account with batches', () => {
  const remove = () =>
    removeAccount(
      { table, files: world.files, time: { leftMs: () => 1000, isOver: () => false } },
      {
        user: owner,
        project: defaultProject(world.system),
        reason: 'She has left.',
        by: '100001',
        withJobs: true,
      },
      world.now,
    );

  it('gives up what was not created, cancels the rest, and returns the space', async () => {
    const half = await batches.submit(owner, { shape: { count: 50 } });
    let groups = 0;
    const isOver = () => {
      groups += 1;
      return groups > 1;
    };
    await batches.attend(half, { isOver });
    const ended = await batches.unfold(owner, { shape: { count: 2 } });
    for (const job of await batches.listJobs(ended)) await batches.end(job);
    await batches.submit(owner, { shape: { count: 3 } });
    await remove();
    expect(await readQuota(table, accountOfBatch(half))).toBeUndefined();
    const lines = await readLedger(table, half);
    expect(lines.reduce((sum, { seconds }) => sum + Number(seconds), 0)).toBe(0);
    expect(lines.reduce((sum, { kilobytes }) => sum + Number(kilobytes), 0)).toBe(0);
    // The background finishes without a quota.
    for (const batch of (await listBatches(table, { owner }, 10)).entries) {
      await batches.attend(batch);
      expect(await batches.read(batch)).toMatchObject({
        held: { seconds: 0, kilobytes: 0 },
        cancelPending: false,
      });
    }
    expect(stored()).toEqual([]);
  });

  it('does not mind if the background returns the space first', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 2 } });
    for (const job of await batches.listJobs(batch)) await cancel(job);
    await batches.discard(batch);
    interruptBefore(table, 'TransactWriteItemsCommand', () => batches.attend(batch));
    await remove();
    const lines = await readLedger(table, batch);
    expect(lines.reduce((sum, { kilobytes }) => sum + Number(kilobytes), 0)).toBe(0);
  });
});

describe('listing the jobs of a batch', () => {
  it('goes page by page, in both orders, without jobs of others', async () => {
    await world.submit(owner);
    const batch = await batches.unfold(owner, { shape: { count: 45 } });
    await world.submit(owner);
    const ids = { first: batch.firstId, last: batch.firstId + batch.count - 1 };
    for (const order of ['asc', 'desc'] as const) {
      const found: number[] = [];
      let after: number | undefined;
      do {
        const list = { owner, order, filter: {}, ids };
        const { jobs, resumeAfter } = await readJobs(table, list, after, 10);
        found.push(...jobs.map((job) => job.batch?.index ?? -1));
        after = resumeAfter;
      } while (after !== undefined);
      const places = Array.from({ length: 45 }, (_, place) => place);
      expect(found).toEqual(order === 'asc' ? places : places.reverse());
    }
  });
});

describe('a batch that stands still', () => {
  const standing = () => findStanding(table, { user: owner, ...placeOf() });
  const placeOf = () => {
    const { name, hpc } = defaultProject(world.system);
    return { hpc, project: name };
  };
  const change = (batch: Batch, expression: string, values: Record<string, unknown> = {}) =>
    updateItem(table, {
      Key: batchKey(owner, batch.id),
      UpdateExpression: expression,
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    });

  it('is none while its jobs wait, run, end or are given up', async () => {
    const batch = await batches.submit(owner, { maxRunning: 2 });
    expect(await standing()).toEqual([]);
    await batches.attend(batch);
    expect(await standing()).toEqual([]);
    const [first] = await batches.listJobs(batch);
    await cancel(first!);
    expect(await standing()).toEqual([]);
    await batches.discard(batch);
    expect(await standing()).toEqual([]);
    await batches.attend(batch);
    expect(await standing()).toEqual([]);
  });

  it('is found if jobs of it ended uncounted, with what to do', async () => {
    const batch = await batches.unfold(owner, { maxRunning: 2 });
    const [first] = await batches.listJobs(batch);
    await cancel(first!);
    // As code that knows no batches ends a job.
    await change(batch, 'ADD cancelled :less', { ':less': -1 });
    const found = await standing();
    expect(found).toMatchObject([{ batch: { id: batch.id }, uncounted: 1 }]);
    expect(found.map(explainStanding)).toEqual([
      `the batch ${batch.id} stands still with 5 of 5 jobs, because 1 of its jobs ended and was not counted. ` +
        `Its owner can cancel it, which gives back what its jobs hold: DELETE /batches/hpc_one/proj_hpc_one_01/${batch.id}/`,
    ]);
    await change(batch, 'ADD cancelled :less', { ':less': -1 });
    await cancel((await batches.listJobs(batch))[1]!);
    const reasons = (await standing()).map(explainStanding);
    expect(reasons).toEqual([expect.stringContaining('2 of its jobs ended and were not counted')]);
    await batches.discard(batch);
    await batches.attend(batch);
    expect((await findQuota(table, { user: owner, ...placeOf() })).time.held).toBe(0);
  });

  it('is none if its last job ends while it is looked for', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 1 } });
    interruptBefore(table, 'GetItemCommand', async () => {
      for (const job of await batches.listJobs(batch)) await batches.end(job);
      await batches.attend(batch);
    });
    expect(await standing()).toEqual([]);
    expect((await batches.read(batch)).dueAt).toBeUndefined();
  });

  it('is found if nothing attends to it', async () => {
    const batch = await batches.submit(owner, {});
    await change(batch, 'REMOVE due_at, due');
    expect((await standing()).map(explainStanding)).toEqual([
      expect.stringContaining('stands still with 5 of 5 jobs, because nothing will attend to it.'),
    ]);
  });
});
