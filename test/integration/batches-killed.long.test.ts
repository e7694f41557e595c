import { beforeAll, describe, expect, it } from 'vitest';
import { type Batch, countInFlight, hasEnded } from '#lib/batches/batch.ts';
import { listBatches } from '#lib/batches/batch-store.ts';
import { discardBatch } from '#lib/batches/cancel-batch.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { tableForAll } from '../engines/use-table.ts';
import { createBatchWorld, tableInput } from '../fixtures/batch-world.ts';
import { killAtCall, makeTableMortal, mortal } from '../fixtures/kill-at-call.ts';
import { createWorld, readLedger } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const table = tableForAll();
let users = 0;

beforeAll(() => {
  makeTableMortal(table);
});

function open() {
  users += 1;
  const owner = userId(String(users));
  const world = createWorld(table, systemName('hpc_one'));
  const batches = createBatchWorld(table, world, mortal(world.files.inputs));
  return { owner, world, batches };
}

const listAll = async (owner: UserId) => (await listBatches(table, { owner }, 100)).entries;

const shape = { table: 'params.csv' };
const tableOf = (count: number) =>
  tableInput(`a\n${Array.from({ length: count }, (_, row) => `v${row}`).join('\n')}\n`);

/** The smallest number of jobs that is created in more than one group of 33. */
const twoGroups = 34;

async function expectNoHoldWithoutBatch(owner: UserId, batch: Batch | undefined): Promise<void> {
  const hold = batch ? batch.count * batch.jobSeconds : 0;
  const { project } = createBatchWorld(
    table,
    createWorld(table, systemName('hpc_one')),
  ).describeBatch(owner);
  const quota = await readQuota(table, { user: owner, hpc: project.hpc, project: project.name });
  expect(quota?.time.held ?? 0).toBe(hold);
  expect(quota?.activeJobs ?? 0).toBe(batch?.count ?? 0);
  const lines = await readLedger(table, { owner, project });
  expect(lines.filter(({ kind }) => kind === 'hold')).toHaveLength(batch ? 1 : 0);
}

describe.each([
  { when: 'before a call has its effect', effect: false },
  { when: 'after a call had its effect', effect: true },
])('a kill $when', ({ effect }) => {
  it('while a batch is accepted leaves all of it or nothing, and a repeat makes one', async () => {
    let at = 0;
    let died = true;
    while (died) {
      at += 1;
      const { owner, batches } = open();
      const send = () => batches.submit(owner, { shape, input: tableOf(3) }, 'a-key');
      died = await killAtCall(send, at, effect);
      const [left, ...more] = await listAll(owner);
      expect(more).toEqual([]);
      await expectNoHoldWithoutBatch(owner, left);
      const batch = await send();
      expect(await listAll(owner)).toHaveLength(1);
      if (left) expect(batch.id).toBe(left.id);
      await expectNoHoldWithoutBatch(owner, batch);
      await batches.attend(batch);
      expect((await batches.listJobs(batch)).map(({ title }) => title)).toHaveLength(3);
      await batches.expectExact(batch);
    }
    expect(at).toBeGreaterThan(5);
  });

  it.each([
    { name: 'all at once', maxRunning: undefined },
    { name: 'some at once', maxRunning: 20 },
  ])('while jobs are created, $name, makes none twice and misses none', async ({ maxRunning }) => {
    const input = tableOf(twoGroups);
    const created = new Set<number>();
    let at = 0;
    let died = true;
    while (died) {
      at += 1;
      const { owner, world, batches } = open();
      const batch = await batches.submit(owner, { shape, input, maxRunning, program: 'run {a}' });
      const attend = () => batches.attend(batch, { inputs: mortal(world.files.inputs) });
      died = await killAtCall(attend, at, effect);
      created.add((await batches.read(batch)).unfolded);
      await batches.expectExact(batch);
      // The clock goes on with it.
      world.pass(61);
      await attend();
      const current = await batches.read(batch);
      expect(current.unfolded).toBe(twoGroups);
      expect(countInFlight(current)).toBe(maxRunning ?? twoGroups);
      expect(await batches.listInFlight(batch)).toHaveLength(maxRunning ?? twoGroups);
      await batches.expectExact(batch);
    }
    expect(created).toEqual(new Set([0, 33, twoGroups]));
    expect(at).toBeGreaterThan(5);
  });

  it('while jobs get their turn keeps to the limit, and loses no turn', async () => {
    let at = 0;
    let died = true;
    while (died) {
      at += 1;
      const { owner, batches } = open();
      const batch = await batches.submit(owner, { shape: { count: 12 }, maxRunning: 4 });
      await batches.attend(batch);
      for (const job of (await batches.listJobs(batch)).slice(0, 3)) await batches.end(job);
      died = await killAtCall(() => batches.attend(batch), at, effect);
      expect((await batches.listInFlight(batch)).length).toBeLessThanOrEqual(4);
      await batches.attend(batch);
      expect(await batches.listInFlight(batch)).toHaveLength(4);
      await batches.expectExact(batch);
    }
    expect(at).toBeGreaterThan(3);
  });

  it('while a batch is cancelled gives everything back once', async () => {
    let at = 0;
    let died = true;
    while (died) {
      at += 1;
      const { owner, world, batches } = open();
      const batch = await batches.submit(owner, { shape: { count: 36 } });
      let groups = 0;
      await batches.attend(batch, {
        isOver: () => {
          groups += 1;
          return groups > 1;
        },
      });
      const [first, ...others] = await batches.listJobs(batch);
      await batches.end(first!);
      for (const job of others.slice(2)) await batches.end(job, { failed: true });
      const cancel = async () => discardBatch(table, await batches.read(batch), world.now());
      const files = { ...world.files, inputs: mortal(world.files.inputs) };
      const act = async () => {
        await cancel();
        await batches.attend(batch, { files });
      };
      died = await killAtCall(act, at, effect);
      await batches.expectExact(batch);
      await cancel();
      await batches.attend(batch);
      const current = await batches.read(batch);
      expect(hasEnded(current)).toBe(true);
      expect(current).toMatchObject({
        counts: { running: 0, done: 1, failed: 30, cancelled: 5 },
        held: { seconds: 0, kilobytes: 0 },
        cancelPending: false,
      });
      expect([...world.files.inputs.objects.keys()]).toEqual([]);
      const lines = await readLedger(table, batch);
      expect(lines.filter(({ kind }) => kind === 'refund')).toHaveLength(2);
      await batches.expectExact(batch);
    }
    expect(at).toBeGreaterThan(10);
  });

  it('while failed jobs are submitted again makes one batch, and counts one more user of the zip', async () => {
    let at = 0;
    let died = true;
    while (died) {
      at += 1;
      const { owner, batches } = open();
      const batch = await batches.submit(owner, { shape: { count: 2 } });
      await batches.attend(batch);
      const [failing] = await batches.listJobs(batch);
      await batches.end(failing!, { failed: true });
      died = await killAtCall(() => batches.repeat(batch, 'a-key'), at, effect);
      const { batch: again } = await batches.repeat(batch, 'a-key');
      expect(await listAll(owner)).toHaveLength(2);
      expect((await batches.read(batch)).inputUsers).toBe(2);
      await batches.attend(again);
      await batches.expectExact(again);
    }
    expect(at).toBeGreaterThan(5);
  });
});
