import { beforeEach, describe, expect, it } from 'vitest';
import { findOrder } from '#lib/batches/batch-store.ts';
import { BatchNotFoundError } from '#lib/batches/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { batchKey } from '#lib/table/keys.ts';
import { changeItem } from '#lib/table/writes.ts';
import { interruptBefore } from '../engines/interrupt.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createBatchWorld, noInput, tableInput } from '../fixtures/batch-world.ts';
import { batchSample } from '../fixtures/batches.ts';
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

const stored = () => [...world.files.inputs.objects.keys()].sort();
const dueIn = (seconds: number) => new Date(world.now().getTime() + seconds * 1000);

/** Says no so many times. */
function overAfter(checks: number): () => boolean {
  let left = checks;
  return () => {
    left -= 1;
    return left < 0;
  };
}

/** Counts the items that an action reads by their keys. */
async function countReads(action: () => Promise<unknown>): Promise<number> {
  let reads = 0;
  const name = 'count-reads';
  table.client.middlewareStack.add(
    (next, { commandName }) =>
      (parameters) => {
        if (commandName === 'GetItemCommand') reads += 1;
        return next(parameters);
      },
    { step: 'initialize', name },
  );
  await action();
  table.client.middlewareStack.remove(name);
  return reads;
}

describe('attending to a batch', () => {
  it('does nothing if the batch does not exist', async () => {
    await batches.attend(batchSample);
    await expect(batches.read(batchSample)).rejects.toThrow(BatchNotFoundError);
    await expect(findOrder(table, batchSample)).rejects.toThrow(BatchNotFoundError);
  });

  it('fails if its values cannot be read, so that somebody tries again', async () => {
    const change = { shape: { table: 'a.csv' }, input: tableInput('a\n1\n', 'a.csv') };
    const batch = await batches.submit(owner, change);
    const inputs = { read: () => Promise.reject(new Error('The storage is away.')) };
    await expect(batches.attend(batch, { inputs })).rejects.toThrow('The storage is away.');
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({ unfolded: 1 });
  });

  it('is next due a minute later, and never again once all jobs have ended', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 2 } });
    expect((await batches.read(batch)).dueAt).toEqual(dueIn(60));
    world.pass(60);
    await batches.attend(batch);
    expect((await batches.read(batch)).dueAt).toEqual(dueIn(60));
    for (const job of await batches.listJobs(batch)) await batches.end(job);
    await batches.attend(batch);
    expect((await batches.read(batch)).dueAt).toBeUndefined();
  });

  it('tells each of its counts once it changes, and none before', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 5 } });
    expect((await batches.read(batch)).told).toBeUndefined();
    const [first, second, third, fourth] = await batches.listJobs(batch);
    const tell = async () => {
      world.pass(60);
      await batches.attend(batch);
      return (await batches.read(batch)).told;
    };
    const counts = { running: 0, done: 0, failed: 0, cancelled: 0 };
    await batches.start(first!);
    expect(await tell()).toEqual({ at: world.now(), ...counts, running: 1 });
    await batches.end(second!);
    expect(await tell()).toEqual({ at: world.now(), ...counts, running: 1, done: 1 });
    await batches.end(third!, { failed: true });
    expect(await tell()).toEqual({ at: world.now(), ...counts, running: 1, done: 1, failed: 1 });
    await deleteJob(table, accountOf(fourth!), fourth!.jobId, world.now());
    expect(await tell()).toMatchObject({ at: world.now(), failed: 1, cancelled: 1 });
    const at = world.now();
    expect((await tell())?.at).toEqual(at);
  });
});

describe('discarding the jobs of a batch', () => {
  it('says in the ledger what is given back, and when the last job ended', async () => {
    const batch = await batches.submit(owner, { shape: { count: 40 } });
    await batches.attend(batch, { isOver: overAfter(1) });
    world.pass(5);
    expect(await batches.discard(batch)).toMatchObject({ dropped: 7, lastEnd: world.now() });
    await batches.attend(batch);
    const lines = await readLedger(table, batch);
    expect(lines.filter(({ kind }) => kind === 'refund')).toMatchObject([
      {
        seconds: 7 * 1800,
        kilobytes: 0,
        by: owner,
        batch_id: batch.id,
        reason: 'batch cancelled: 7 jobs never began',
      },
      {
        seconds: 0,
        kilobytes: 5,
        by: owner,
        batch_id: batch.id,
        reason: 'input of the batch removed',
      },
    ]);
  });

  it('ends none by itself if all exist', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 2 } });
    expect((await batches.discard(batch)).lastEnd).toBeUndefined();
    expect((await readLedger(table, batch)).filter(({ kind }) => kind === 'refund')).toEqual([]);
  });

  it('reads no job again that was deleted', async () => {
    const readsOf = async (count: number) => {
      const batch = await batches.unfold(owner, { shape: { count } });
      for (const job of await batches.listJobs(batch)) await batches.end(job);
      await batches.discard(batch);
      // All jobs are deleted, and then the time is up.
      await batches.attend(batch, { isOver: overAfter(count) });
      return countReads(() => batches.attend(batch));
    };
    expect(await readsOf(20)).toBe(await readsOf(2));
  });

  it('to cancel them reads none that has ended', async () => {
    const readsOf = async (count: number) => {
      const batch = await batches.unfold(owner, { shape: { count } });
      const [, ...others] = await batches.listJobs(batch);
      for (const job of others) await batches.end(job);
      await batches.discard(batch);
      return countReads(() => batches.attend(batch));
    };
    expect(await readsOf(20)).toBe(await readsOf(2));
  });

  it('is not finished while an end is not counted, and the zip is kept', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 3 } });
    await batches.discard(batch);
    // As code that knows no batches ends a job.
    await changeItem(table, batchKey(owner, batch.id), { add: { cancelled: -1 } });
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({
      cancelPending: true,
      held: { kilobytes: 5 },
    });
    expect(stored()).toHaveLength(1);
  });

  it('goes on if the batch is deleted while its cancel is being finished', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 2 } });
    await batches.discard(batch);
    interruptBefore(table, 'UpdateItemCommand', () => batches.discard(batch, 'delete'));
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({ discard: 'delete', cancelPending: true });
    await batches.attend(batch);
    const stages = (await batches.listJobs(batch)).map(({ stage }) => stage);
    expect(stages).toEqual(['DELETED', 'DELETED']);
  });

  it('counts nothing out of a batch without a zip', async () => {
    const batch = await batches.unfold(owner, { shape: { count: 1 }, input: noInput });
    await batches.discard(batch);
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({ inputUsers: 0, cancelPending: false });
  });

  it.each([
    ['before the space is returned', 'TransactWriteItemsCommand'],
    ['before the end is noted', 'UpdateItemCommand'],
  ] as const)(
    'leaves a shared zip once if another process does all of it %s',
    async (_, command) => {
      const first = await batches.unfold(owner, { shape: { count: 2 } });
      const [job] = await batches.listJobs(first);
      await batches.end(job!, { failed: true });
      const { batch: second } = await batches.repeat(first);
      await batches.discard(first);
      // All jobs are cancelled, and then the time is up.
      await batches.attend(first, { isOver: overAfter(1) });
      expect(await batches.read(first)).toMatchObject({ inputUsers: 2, cancelPending: true });
      interruptBefore(table, command, () => batches.attend(first));
      await batches.attend(first);
      expect(await batches.read(first)).toMatchObject({ inputUsers: 1, cancelPending: false });
      expect(stored()).toContain((await findOrder(table, second)).input.key);
    },
  );

  it('is finished by the next process if one ends after the zip was left', async () => {
    const first = await batches.unfold(owner, { shape: { count: 2 } });
    const [job] = await batches.listJobs(first);
    await batches.end(job!, { failed: true });
    await batches.repeat(first);
    await batches.discard(first);
    interruptBefore(table, 'UpdateItemCommand', () => Promise.reject(new Error('It ends here.')));
    await expect(batches.attend(first)).rejects.toThrow('It ends here.');
    expect(await batches.read(first)).toMatchObject({ inputUsers: 1, cancelPending: true });
    await batches.attend(first);
    expect(await batches.read(first)).toMatchObject({ inputUsers: 1, cancelPending: false });
  });
});
