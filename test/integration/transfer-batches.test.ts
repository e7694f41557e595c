import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import type { Batch } from '#lib/batches/batch.ts';
import { findBatch, findOrder } from '#lib/batches/batch-store.ts';
import { discardBatch } from '#lib/batches/cancel-batch.ts';
import { BatchInputGoneError, BatchNotFoundError } from '#lib/batches/errors.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, accountOf as accountOfBatch, type Job } from '#lib/jobs/job.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import { importFile } from '#tools/transfer/import-file.ts';
import { readRecords } from '#tools/transfer/read-records.ts';
import { openInProcessTable } from '../engines/in-process.ts';
import { createBatchWorld, noInput, tableInput } from '../fixtures/batch-world.ts';
import { createWorld } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const owner = userId('1');

/** A table with batches in it, on hpc_one. */
async function openPlace(name: string) {
  const { table, close } = await openInProcessTable(name);
  const world = createWorld(table, systemName('hpc_one'));
  return { table, close, world, batches: createBatchWorld(table, world) };
}

let directory: string;
let from: Awaited<ReturnType<typeof openPlace>>;
let to: Awaited<ReturnType<typeof openPlace>>;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-'));
  from = await openPlace('slipway-from');
  to = await openPlace('slipway-to');
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await from.close();
  await to.close();
});

type Line = Readonly<Record<string, unknown>>;

async function exportLines({ table }: typeof from): Promise<Line[]> {
  const exported: Line[] = [];
  for await (const { lines } of readRecords(table)) {
    exported.push(...lines.map((line) => JSON.parse(line)));
  }
  return exported;
}

async function importLines({ table }: typeof from, lines: readonly Line[]) {
  const file = join(directory, 'in.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const problems: string[] = [];
  const counts = await importFile(
    file,
    { table, catalog, dryRun: false },
    {
      onProblem: (_, message) => problems.push(message),
      onProgress: () => undefined,
    },
  );
  return { counts, problems };
}

/** Submits a batch and ends its jobs, the second one badly. */
async function runBatch(change: Parameters<typeof from.batches.submit>[1] = {}): Promise<Batch> {
  const { batches } = from;
  const batch = await batches.submit(owner, change);
  await batches.attend(batch);
  for (const [place, job] of (await batches.listJobs(batch)).entries()) {
    await batches.end(job, { failed: place === 1 });
  }
  await batches.attend(batch);
  return batches.read(batch);
}

/** Submits a batch of which one job has ended and another waits for its turn. */
async function beginBatch(): Promise<Batch> {
  const { batches } = from;
  const batch = await batches.submit(owner, { shape: { count: 3 }, maxRunning: 2 });
  await batches.attend(batch);
  const [first] = await batches.listJobs(batch);
  await batches.end(first!);
  return batches.read(batch);
}

const isOfJob =
  ({ jobId }: Job) =>
  (line: Line) =>
    line.job_id === jobId;

describe('a transfer of batches', () => {
  it('carries ended batches with their jobs, and leaves out active ones', async () => {
    const ended = await runBatch({ shape: { count: 4 } });
    const again = (await from.batches.repeat(ended)).batch;
    await from.batches.attend(again);
    for (const job of await from.batches.listJobs(again)) await from.batches.end(job);
    const active = await beginBatch();
    const waits = { after: [again.id], afterAny: [ended.id, active.id] };
    const waiting = await from.world.submit(owner, { waits });
    const cancelled = await from.batches.submit(owner, { shape: { count: 6 } });
    await discardBatch(from.table, cancelled, from.world.now());
    await from.batches.attend(cancelled);

    const lines = await exportLines(from);
    expect(lines.filter(({ record }) => record === 'batch')).toHaveLength(4);
    const { counts, problems } = await importLines(to, lines);
    // The active batch, its two active jobs, and the job that waits.
    expect(counts).toMatchObject({ different: 0, wrong: 4 });
    expect(problems.filter((each) => each.includes('batches'))).toEqual([
      expect.stringContaining('only batches whose jobs have all ended can be imported'),
    ]);
    await expect(findBatch(to.table, owner, active.id)).rejects.toThrow(BatchNotFoundError);

    for (const before of [ended, again, cancelled]) {
      const batch = await from.batches.read(before);
      const { usedSeconds, counts: ends, lastEnd } = batch;
      const carried = await to.batches.read(batch);
      expect(carried).toMatchObject({ usedSeconds, counts: ends, lastEnd, title: batch.title });
      expect(carried).toMatchObject({ held: { seconds: 0, kilobytes: 0 }, cancelPending: false });
      expect(carried.dueAt).toBeUndefined();
      expect(await findOrder(to.table, batch)).toEqual(await findOrder(from.table, batch));
      const ids = (jobs: readonly Job[]) => jobs.map(({ id, jobId, batch: of }) => [id, jobId, of]);
      expect(ids(await to.batches.listJobs(batch))).toEqual(
        ids(await from.batches.listJobs(batch)),
      );
      expect(await judgeAccount(to.table, accountOfBatch(batch))).toEqual({ state: 'sound' });
    }

    const there = await exportLines(to);
    const carried = lines.filter(({ record }) => record === 'batch' || record === 'job');
    for (const line of there.filter(({ record }) => record === 'batch' || record === 'job')) {
      expect(carried).toContainEqual(line);
    }
    expect(lines.some(isOfJob(waiting))).toBe(true);
    expect(there.some(isOfJob(waiting))).toBe(false);
    expect((await importLines(to, there)).counts).toMatchObject({ created: 0, different: 0 });
  });

  it('gives no number again that a batch has, also if none of its jobs was created', async () => {
    const batch = await from.batches.submit(owner, { shape: { count: 40 } });
    await discardBatch(from.table, batch, from.world.now());
    await from.batches.attend(batch);
    await importLines(to, await exportLines(from));
    expect(await takeNumbers(to.table, 'job')).toBe(batch.firstId + 40);
  });

  it('keeps a batch whose failed jobs cannot be run again without their files', async () => {
    const zipped = await runBatch();
    const rows = await runBatch({ shape: { table: 'params.csv' }, input: tableInput('a\n1\n2\n') });
    const bare = await runBatch({ input: noInput });
    await importLines(to, await exportLines(from));
    for (const batch of [zipped, rows]) {
      await expect(to.batches.repeat(batch)).rejects.toThrow(BatchInputGoneError);
    }
    const again = (await to.batches.repeat(bare)).batch;
    expect(again).toMatchObject({ count: 1 });
    await expect(to.batches.repeat(again)).rejects.toThrow('failed');
  });

  it('lets an imported batch be deleted, and a job whose batch is still elsewhere', async () => {
    const ended = await runBatch();
    const repeated = (await from.batches.repeat(ended)).batch;
    await from.batches.attend(repeated);
    for (const job of await from.batches.listJobs(repeated)) await from.batches.end(job);
    const active = await beginBatch();
    const [orphan] = await from.batches.listJobs(active);
    const lines = await exportLines(from);
    // The batch with the zip is not in the file.
    await importLines(
      to,
      lines.filter(({ record, batch_id }) => record !== 'batch' || batch_id !== ended.id),
    );
    await discardBatch(to.table, await to.batches.read(repeated), to.world.now());
    await to.batches.attend(repeated);
    expect(await to.batches.read(repeated)).toMatchObject({ discard: 'delete' });
    expect(await to.batches.read(repeated)).toMatchObject({ cancelPending: false });
    const { stage } = await deleteJob(to.table, accountOf(orphan!), orphan!.jobId, to.world.now());
    expect(stage).toBe('DELETED');
    expect(await judgeAccount(to.table, accountOfBatch(ended))).toEqual({ state: 'sound' });
  });

  it('refuses a batch with the number of another job of its owner', async () => {
    const batch = await runBatch({ shape: { count: 3 } });
    const other = await to.world.submit(owner);
    expect(other.id).toBeLessThan(batch.firstId + 3);
    const { problems } = await importLines(
      to,
      (await exportLines(from)).filter(({ record }) => record === 'batch'),
    );
    expect(problems).toEqual([
      `id ${other.id} is that of the job ${other.jobId} of user 1; give it another one`,
    ]);
  });
});
