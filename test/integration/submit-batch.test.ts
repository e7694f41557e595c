import { beforeEach, describe, expect, it } from 'vitest';
import { findOrder, listBatches } from '#lib/batches/batch-store.ts';
import { BadTableError } from '#lib/batches/errors.ts';
import { estimateBatch } from '#lib/batches/estimate-batch.ts';
import { readStoredRows } from '#lib/batches/stored-rows.ts';
import { submitBatch } from '#lib/batches/submit-batch.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import { UploadUsedError } from '#lib/files/errors.ts';
import { findUpload, putUpload } from '#lib/files/uploads/upload-store.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { QuotaExceededError, TooManyJobsError } from '#lib/quotas/errors.ts';
import { findQuota, readQuota } from '#lib/quotas/quota-store.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createBatchWorld, noInput, tableInput } from '../fixtures/batch-world.ts';
import { createWorld, readLedger } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';
import { zipOf } from '../fixtures/zip.ts';

const owner = userId('1');
const granted = 18_000_000;

const table = tableForEach();
let world: ReturnType<typeof createWorld>;
let batches: ReturnType<typeof createBatchWorld>;
beforeEach(() => {
  world = createWorld(table, systemName('hpc_one'));
  batches = createBatchWorld(table, world);
});

const list = async () => (await listBatches(table, { owner }, 100)).entries;
const stored = () => [...world.files.inputs.objects.keys()].sort();

describe('accepting a batch', () => {
  it('welcomes its owner, holds for all jobs at once, and writes one line', async () => {
    const batch = await batches.submit(owner, { shape: { count: 500 } });
    expect(batch).toMatchObject({ count: 500, held: { seconds: 500 * 1800, kilobytes: 5 } });
    expect(await findQuota(table, accountOf(batch))).toMatchObject({
      time: { held: 500 * 1800, left: granted - 500 * 1800 },
      space: { held: 5 },
      activeJobs: 500,
    });
    const lines = await readLedger(table, batch);
    expect(lines.filter(({ kind }) => kind === 'hold')).toMatchObject([
      {
        seconds: -500 * 1800,
        kilobytes: -5,
        batch_id: batch.id,
        reason: 'batch of 500 jobs submitted',
      },
    ]);
    await batches.expectExact(batch);
  });

  it('reserves the numbers of all jobs, and the next job has the number behind them', async () => {
    const batch = await batches.submit(owner, { shape: { count: 40 } });
    const job = await world.submit(owner);
    expect(job.id).toBe(batch.firstId + 40);
  });

  it('reads the values of a table from the zip, which the jobs share', async () => {
    const input = tableInput('alpha,method\n0.1,fast\n0.2,"slow, exact"\n');
    const batch = await batches.submit(owner, { shape: { table: 'params.csv' }, input });
    expect(batch.count).toBe(2);
    const order = await findOrder(table, batch);
    expect(await readStoredRows(world.files.inputs, batch, order)).toEqual({
      columns: ['alpha', 'method'],
      rows: [
        ['0.1', 'fast'],
        ['0.2', 'slow, exact'],
      ],
    });
    expect(stored()).toHaveLength(1);
  });

  it('can create the jobs of the longest rows with the longest command', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `${'n'.repeat(62)}${at + 10}`);
    const row = names.map(() => 'x'.repeat(1800)).join(',');
    const input = tableInput(`${names.join(',')}\n${`${row}\n`.repeat(40)}`);
    const program = '😀'.repeat(4096);
    const batch = await batches.submit(owner, { shape: { table: 'params.csv' }, input, program });
    await batches.attend(batch);
    expect(await batches.read(batch)).toMatchObject({ count: 40, unfolded: 40 });
  });

  it('gives a repeated request its first answer and has no second effect', async () => {
    const first = await batches.submit(owner, {}, 'a-key');
    await batches.attend(first);
    const submission = batches.describeBatch(owner);
    const again = await submitBatch(batches.context, submission, 'a-key', world.now());
    expect(again).toMatchObject({ batch: { id: first.id, counts: first.counts }, repeated: true });
    expect(await list()).toHaveLength(1);
    expect(stored()).toHaveLength(1);
    await batches.expectExact(first);
    const other = batches.describeBatch(owner, { shape: { count: 6 } });
    await expect(submitBatch(batches.context, other, 'a-key', world.now())).rejects.toThrow(
      IdempotencyKeyReusedError,
    );
    expect(stored()).toHaveLength(1);
  });

  it('makes one batch of twenty simultaneous requests with one key', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => batches.submit(owner, {}, 'k')));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(await list()).toHaveLength(1);
    expect(stored()).toHaveLength(1);
    await batches.expectExact(all[0]!);
  });

  it('takes an upload once, with its table, and a repeat finds the answer', async () => {
    const { source } = tableInput('a\n1\n2\n3\n');
    if (source.kind !== 'inline') throw new Error('The table is inline.');
    const upload = { id: 'an-upload', owner, fileName: 'a.zip', bytes: source.content.length };
    const expiresAt = new Date('2026-01-02T00:00:00Z');
    await writeTransaction(table, [putUpload({ ...upload, expiresAt })]);
    await world.files.inputs.put(`${owner}/uploads/an-upload.zip`, source.content);
    const change = {
      shape: { table: 'params.csv' },
      input: { fileName: 'a.zip', source: { kind: 'upload', uploadId: 'an-upload' } as const },
    };
    const tooLarge = { ...change, nodes: 100_000 };
    await expect(batches.submit(owner, tooLarge)).rejects.toThrow(QuotaExceededError);
    expect(stored()).toEqual([`${owner}/uploads/an-upload.zip`]);
    const batch = await batches.submit(owner, change, 'a-key');
    expect(batch.count).toBe(3);
    expect(await findUpload(table, owner, 'an-upload', world.now())).toMatchObject({
      jobId: batch.id,
    });
    await expect(batches.submit(owner, change)).rejects.toThrow(UploadUsedError);
    await expect(batches.submit(owner, change, 'another-key')).rejects.toThrow(UploadUsedError);
    expect(await batches.submit(owner, change, 'a-key')).toMatchObject({ id: batch.id });
    expect(await list()).toHaveLength(1);
  });

  it('gives an upload to one of two simultaneous batches, and stores nothing else', async () => {
    const { source } = tableInput('a\n1\n2\n3\n');
    if (source.kind !== 'inline') throw new Error('The table is inline.');
    const upload = { id: 'an-upload', owner, fileName: 'a.zip', bytes: source.content.length };
    const expiresAt = new Date('2026-01-02T00:00:00Z');
    await writeTransaction(table, [putUpload({ ...upload, expiresAt })]);
    await world.files.inputs.put(`${owner}/uploads/an-upload.zip`, source.content);
    const change = {
      shape: { table: 'params.csv' },
      input: { fileName: 'a.zip', source: { kind: 'upload', uploadId: 'an-upload' } as const },
    };
    const both = await Promise.allSettled([
      batches.submit(owner, change),
      batches.submit(owner, change),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [batch, ...more] = await list();
    expect(more).toEqual([]);
    expect(stored()).toEqual([`${owner}/uploads/an-upload.zip`]);
    await batches.expectExact(batch!);
  });
});

describe('refusing a batch', () => {
  it('leaves neither a file nor a hold when the quota is too small', async () => {
    const input = tableInput(`a\n${'1\n'.repeat(10)}`);
    const shape = { table: 'params.csv' };
    const refused = batches.submit(owner, { shape, input, nodes: 1001 });
    await expect(refused).rejects.toThrow(QuotaExceededError);
    expect(stored()).toEqual([]);
    expect(await list()).toEqual([]);
    const { hpc, name } = batches.describeBatch(owner).project;
    expect(await readQuota(table, { user: owner, hpc, project: name })).toMatchObject({
      time: { left: granted, held: 0 },
      activeJobs: 0,
    });
  });

  it('counts jobs that do not exist yet towards the limit of active jobs', async () => {
    const project = { ...batches.describeBatch(owner).project, maxLivingJobs: 10 };
    await batches.submit(owner, { project, shape: { count: 8 } });
    const more = batches.submit(owner, { project, shape: { count: 3 } });
    await expect(more).rejects.toThrow(TooManyJobsError);
    await batches.submit(owner, { project, shape: { count: 2 } });
    await expect(world.submit(owner, { project })).rejects.toThrow(TooManyJobsError);
  });

  it('names every mistake of a table with its line, and stores nothing', async () => {
    const text = `alpha\n${'x'.repeat(9000)}\nfine\n"\u0007"\n`;
    const shape = { table: 'params.csv' };
    const submitted = batches.submit(owner, { shape, input: tableInput(text), program: '{alpha}' });
    await expect(submitted).rejects.toMatchObject({
      name: 'BadTableError',
      problems: [
        { line: 2, message: expect.stringContaining('has 9000 characters') },
        { line: 4, message: expect.stringContaining('alpha: ') },
      ],
    });
    await expect(batches.submit(owner, { shape, input: noInput })).rejects.toThrow(
      "The request has no zip, so there is no file 'params.csv'.",
    );
    await expect(
      batches.submit(owner, { shape: { table: 'other.csv' }, input: tableInput(text) }),
    ).rejects.toThrow("The zip has no file 'other.csv'.");
    expect(stored()).toEqual([]);
    expect(await list()).toEqual([]);
  });

  it.each([
    ['millions of rows', `a\n${'1\n'.repeat(4_999_000)}`, 'more than the 10000 rows allowed'],
    ['a cell of megabytes', `a\n"${'x'.repeat(9_900_000)}"\n`, 'more than 100000 characters'],
    ['a row that no job can hold', `a\n${'x'.repeat(95_000)}\n`, '95000 bytes, but at most'],
  ])('tells what is wrong with a table of %s', async (_, text, message) => {
    const change = { shape: { table: 'params.csv' }, input: tableInput(text) };
    const submission = batches.describeBatch(owner, change);
    const problems = [{ message: expect.stringContaining(message) }];
    const refused = { name: 'BadTableError', problems };
    await expect(batches.submit(owner, change)).rejects.toMatchObject(refused);
    await expect(estimateBatch(batches.context, submission)).rejects.toMatchObject(refused);
    expect(stored()).toEqual([]);
  });

  it('finds a title that only the last job of many has too long', async () => {
    const title = `${'x'.repeat(196)}{index}`;
    const project = { ...batches.describeBatch(owner).project, maxLivingJobs: 100_000 };
    const submitMany = (count: number, text: string) =>
      batches.submit(owner, { shape: { count }, title: text, project, requestedRuntime: 0.1 });
    await submitMany(10_000, title);
    const message = 'title has 201 characters, but at most 200 are allowed.';
    await expect(submitMany(10_000, `x${title}`)).rejects.toMatchObject({
      name: 'BadTableError',
      wrongParts: [{ part: 'count', message }],
    });
    await submitMany(1000, `x${title}`);
  });
});

describe('estimating a batch', () => {
  it('says the price and shows the first jobs, and writes nothing', async () => {
    const input = tableInput('a\nx\ny\n');
    const submission = batches.describeBatch(owner, {
      shape: { table: 'params.csv' },
      input,
      program: 'run {a}',
    });
    const estimate = await estimateBatch(batches.context, submission, world.now());
    expect(estimate).toMatchObject({
      count: 2,
      hold: { seconds: 3600, kilobytes: 1 },
      left: { seconds: granted - 3600 },
      activeJobs: 2,
      preview: [
        { index: 0, program: 'run x', title: 'job 0' },
        { index: 1, program: 'run y', title: 'job 1' },
      ],
    });
    expect(stored()).toEqual([]);
    expect(await list()).toEqual([]);
  });

  it('shows no more than the first five jobs of a batch by number', async () => {
    const submission = batches.describeBatch(owner, { shape: { count: 7 } });
    const { count, preview } = await estimateBatch(batches.context, submission, world.now());
    expect(count).toBe(7);
    expect(preview.map(({ title }) => title)).toEqual([0, 1, 2, 3, 4].map((at) => `job ${at}`));
    expect(await list()).toEqual([]);
  });

  it('refuses what a submission would refuse', async () => {
    const large = batches.describeBatch(owner, { nodes: 100_000 });
    await expect(estimateBatch(batches.context, large)).rejects.toThrow(QuotaExceededError);
    const content = zipOf(5000);
    const source = { kind: 'inline', content, sha256: '' } as const;
    const noTable = batches.describeBatch(owner, {
      shape: { table: 'a.csv' },
      input: { fileName: 'a.zip', source },
    });
    await expect(estimateBatch(batches.context, noTable)).rejects.toThrow(BadTableError);
  });
});
