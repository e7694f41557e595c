import { describe, expect, it } from 'vitest';
import {
  type Batch,
  batchFromItem,
  endedBatchToItem,
  makeBatchId,
  newBatchToItem,
} from '#lib/batches/batch.ts';
import { listBatches, listHoldingBatches, readBatchHolds } from '#lib/batches/batch-store.ts';
import { findStanding } from '#lib/batches/find-standing.ts';
import { releaseJobs } from '#lib/batches/release-jobs.ts';
import { batchKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { putItem } from '#lib/table/writes.ts';
import { tableForEach } from '../engines/use-table.ts';
import { batchSample } from '../fixtures/batches.ts';
import { catalog } from '../fixtures/catalog.ts';
import { projectName, systemName } from '../fixtures/names.ts';
import { hpcOne, jobItem } from '../fixtures/samples.ts';
import { slurm } from '../model/job-steps.ts';

const table = tableForEach();

const { owner, project } = batchSample;
const account = { user: owner, hpc: project.hpc, project: project.name };
const elsewhere = { number: 2, hpc: systemName('hpc_two'), name: projectName('proj_hpc_two_01') };
const nothing = { seconds: 0, kilobytes: 0 };

/** Stores a batch of its own, newer than those before. */
async function hold(
  change: Partial<Batch> = {},
  toItem: (batch: Batch) => object = newBatchToItem,
): Promise<Batch> {
  const batch = { ...batchSample, id: makeBatchId(new Date(made)), ...change };
  made += 1;
  await putItem(table, { Item: toItem(batch) });
  return batch;
}
let made = 1_000;

describe('the batches of an account', () => {
  it('that hold something are those with jobs to be created or with a zip', async () => {
    const waiting = await hold({ held: { seconds: 1800, kilobytes: 0 }, unfolded: 2 });
    const kept = await hold({ unfolded: 3, held: { seconds: 0, kilobytes: 1 } });
    await hold({ unfolded: 3, held: nothing });
    await hold({ unfolded: 1, dropped: 2, held: nothing });
    await hold({ project: elsewhere });
    const found = await listHoldingBatches(table, account);
    expect(found.map(({ id }) => id)).toEqual([waiting.id, kept.id]);
  });

  it('hold for jobs to be created and for zips, whoever pays for them', async () => {
    await hold({ unfolded: 1 });
    await hold({ unfolded: 2, dropped: 1, held: { seconds: 0, kilobytes: 5 } });
    await hold({ drawn: true, jobSeconds: 60, held: { seconds: 180, kilobytes: 2 } });
    await hold({ project: elsewhere });
    let pages = 0;
    const onPage = () => {
      pages += 1;
    };
    expect(await readBatchHolds(table, account, onPage)).toEqual({
      seconds: 2 * 1800,
      kilobytes: 17,
      activeJobs: 5,
      unfolded: 3,
    });
    expect(pages).toBe(1);
    // Of a budget only what is drawn from it counts.
    expect(await readBatchHolds(table, account, undefined, 'budget')).toEqual({
      seconds: 3 * 60,
      kilobytes: 2,
      activeJobs: 3,
      unfolded: 3,
    });
  });

  it('are listed with the newest first, page by page, of all projects or one', async () => {
    const ids = [];
    for (const place of [project, elsewhere, project, elsewhere, project]) {
      ids.unshift((await hold({ project: place })).id);
    }
    const list = async (of: object, limit: number) => {
      const found = [];
      let after: Batch['id'] | undefined;
      do {
        const page = await listBatches(table, { owner, ...of }, limit, after);
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        found.push(...page.entries.map(({ id }) => id));
        after = page.next;
      } while (after !== undefined);
      return found;
    };
    const [first, second, third, fourth, fifth] = ids;
    for (const limit of [1, 2, 5, 10]) {
      expect(await list({}, limit)).toEqual(ids);
      expect(await list({ hpc: project.hpc }, limit)).toEqual([first, third, fifth]);
      expect(await list({ project: elsewhere.name }, limit)).toEqual([second, fourth]);
      const neither = { hpc: project.hpc, project: elsewhere.name };
      expect(await list(neither, limit)).toEqual([]);
    }
  });
});

describe('batches that stand still', () => {
  it('are all found, however many there are', async () => {
    for (let count = 0; count < 101; count += 1) {
      // Not due, so that nothing attends to it.
      await hold({}, endedBatchToItem);
    }
    expect(await findStanding(table, account)).toHaveLength(101);
    expect(await findStanding(table, { ...account, project: elsewhere.name })).toEqual([]);
  });

  it('have no job whose end would lead to the next step', async () => {
    await hold({ unfolded: 3, nextRelease: 1, released: 1 }, endedBatchToItem);
    expect(await findStanding(table, account)).toEqual([]);
  });

  it('have ends that are not counted besides the jobs that were given up', async () => {
    const counts = { running: 0, done: 0, failed: 0, cancelled: 2 };
    const { id, firstId } = await hold({ unfolded: 1, dropped: 2, endedParked: 2, counts });
    expect(await findStanding(table, account)).toEqual([]);
    const Item = { ...jobItem(hpcOne, { id: firstId, ended: true }), batch_id: id, batch_index: 0 };
    await putItem(table, { Item });
    expect(await findStanding(table, account)).toMatchObject([{ batch: { id }, uncounted: 1 }]);
  });
});

/** Arrays of a thousand jobs. The jobs themselves are left out, as if they had all ended. */
describe('the arrays of a batch', () => {
  const systems = catalog.systems.map((system) => ({ ...system, connector: slurm }));
  const ended = (done: number) => ({ running: 0, done, failed: 0, cancelled: 0 });

  it.each([
    ['as many as exist as a whole', { unfolded: 2300 }, 2000],
    ['none before the first is whole', { unfolded: 999 }, 0],
    ['also the last one, which may be shorter', { unfolded: 2500 }, 2500],
    ['one at a time in a limited batch', { maxRunning: 10, unfolded: 2500 }, 1000],
    ['none of a limited batch that is not whole', { maxRunning: 10, unfolded: 700 }, 0],
    [
      'none while the one before has a job that has not ended',
      {
        maxRunning: 10,
        unfolded: 2500,
        nextRelease: 1000,
        released: 1000,
        counts: ended(999),
      },
      1000,
    ],
    [
      'the next one once the one before has ended',
      {
        maxRunning: 10,
        unfolded: 2500,
        nextRelease: 1000,
        released: 1000,
        counts: ended(1000),
      },
      2000,
    ],
    [
      'the rest of one that another process began with',
      { maxRunning: 10, unfolded: 2500, nextRelease: 1099, released: 99, counts: ended(0) },
      2000,
    ],
    [
      'the last one of a limited batch',
      {
        maxRunning: 10,
        unfolded: 2500,
        nextRelease: 2000,
        released: 2000,
        counts: ended(2000),
      },
      2500,
    ],
  ])('are released: %s', async (_, change, next) => {
    const batch = await hold({ count: 2500, ...change });
    await releaseJobs(table, { systems }, batch, new Date());
    const { nextRelease } = (await readItem(table, batchKey(owner, batch.id), batchFromItem))!;
    expect(nextRelease).toBe(next);
  });
});
