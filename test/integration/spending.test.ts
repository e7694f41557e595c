import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { BatchSubmission } from '#lib/batches/batch-submission.ts';
import { discardBatch } from '#lib/batches/cancel-batch.ts';
import { estimateBatch } from '#lib/batches/estimate-batch.ts';
import { submitBatch } from '#lib/batches/submit-batch.ts';
import { defaultProject, findSystem } from '#lib/catalog/catalog.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { endJob, type JobEnd } from '#lib/jobs/life/end-job.ts';
import { estimateJob } from '#lib/jobs/submit/estimate-job.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { lineFromItem } from '#lib/quotas/ledger.ts';
import { countEnds } from '#lib/reports/count-ends.ts';
import { endFromLine } from '#lib/reports/ended-job.ts';
import { BudgetSpentError } from '#lib/spending/errors.ts';
import { readSpending } from '#lib/spending/spending-store.ts';
import { ledgerPartition, spendingKey } from '#lib/table/keys.ts';
import { queryAll, readItem } from '#lib/table/reads.ts';
import { type Cost, meter } from '../engines/meter.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { catalog } from '../fixtures/catalog.ts';
import { createMemoryFiles } from '../fixtures/memory-files.ts';
import { userId } from '../fixtures/names.ts';
import { pricedSystem } from '../fixtures/priced-systems.ts';

const one = pricedSystem('hpc_one');
const two = pricedSystem('hpc_two');
const november = new Date('2026-11-16T10:00:00Z');
const december = new Date('2026-12-01T00:00:00Z');

onEveryEngine('a month on $name', (engine) => {
  const table = tableForAll(engine);
  let cost: (action: () => Promise<unknown>) => Promise<Cost>;
  let user = 100;
  beforeAll(() => {
    ({ cost } = meter(table));
  });
  beforeEach(async () => {
    user += 1;
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: spendingKey() }));
  });

  const { inputs } = createMemoryFiles();
  const context = (budget?: number) => ({ table, catalog, inputs, budget });
  /** A job that may cost 0.4 USD: two hours of two cores. */
  const wish = (system = one) => ({
    owner: userId(String(user)),
    system,
    project: defaultProject(system),
    program: 'PY',
    nodes: 1,
    coresPerNode: 2,
    requestedRuntime: 2,
    title: '',
    extras: {},
    input: { fileName: 'none.zip', source: { kind: 'none' as const } },
  });
  const submit = async (budget?: number, { system = one, at = november, key = '' } = {}) =>
    (await submitJob(context(budget), wish(system), key === '' ? undefined : key, at)).job;
  const batchOf = (count: number): BatchSubmission => ({
    ...wish(),
    shape: { count },
    maxRunning: undefined,
  });

  /** Ends a job, and counts its end as the listener does. */
  async function end(job: Job, ranSeconds: number, at = november, more: Partial<JobEnd> = {}) {
    const ending = {
      stage: 'SUCCESSFUL',
      outcome: 'succeeded',
      endedAt: at,
      ranSeconds,
      ...more,
    } as const;
    await endJob(table, job, ending, at);
    const account = accountOf(job);
    const lines = await queryAll(
      table,
      {
        KeyConditionExpression: 'PK = :ledger',
        ExpressionAttributeValues: { ':ledger': ledgerPartition(account) },
        ConsistentRead: true,
      },
      lineFromItem,
    );
    const ofJob = lines.filter(({ jobId }) => jobId === job.jobId);
    const ends = ofJob.flatMap((line) => endFromLine(account, line) ?? []);
    expect(ends).toHaveLength(1);
    await countEnds(table, ends);
    await countEnds(table, ends);
    return ofJob.find(({ kind }) => kind === 'settle');
  }

  it('accepts jobs until the budget is reached, on all priced systems together', async () => {
    await submit(0.5);
    // The second system grants half an hour.
    await submit(0.5, { system: two });
    await expect(submit(0.5)).rejects.toMatchObject({
      name: 'BudgetSpentError',
      facts: { estimate: 0.5, cost: 0.4, budget: 0.5, opensAt: '2026-12-01T00:00:00Z' },
    });
    await expect(submit(0.5, { system: two })).rejects.toThrow('AWS Batch is paused');
    await expect(estimateJob(context(0.5), wish(), november)).rejects.toThrow(BudgetSpentError);
    await expect(estimateJob(context(0.9), wish(), november)).resolves.toBeDefined();
    await submit(0.9);
    expect(await readSpending(table, november)).toEqual({ held: 900_000, used: 0 });
  });

  it('does not concern other systems', async () => {
    const free = findSystem(catalog, 'hpc_one');
    await submit(0.1, { system: free });
    expect(await readItem(table, spendingKey(), (item) => item)).toBeUndefined();
  });

  it('gets back what ended jobs did not use, counted once', async () => {
    const job = await submit(0.5);
    await expect(submit(0.5)).rejects.toThrow(BudgetSpentError);
    await end(job, 900);
    expect(await readSpending(table, november)).toEqual({ held: 0, used: 50_000 });
    await submit(0.5);
  });

  it('pays for waits for the service and for lost runs, and nothing before a job ran', async () => {
    const job = await submit();
    const line = await end(job, 900, november, { excusedSeconds: 900, lostSeconds: 1800 });
    expect(line?.reason).toBe(
      'SUCCESSFUL: 900 of 7200 seconds used; 900 seconds of waiting for this service are not charged; 1800 seconds in runs that the HPC system lost are not charged',
    );
    expect(await readSpending(table, november)).toEqual({ held: 0, used: 200_000 });
    await end(await submit(), 0, november, { outcome: 'cancelled' });
    expect(await readSpending(table, november)).toEqual({ held: 0, used: 200_000 });
  });

  it('begins anew at midnight in UTC, but for the jobs that are still active', async () => {
    const last = new Date('2026-11-30T23:59:59.999Z');
    const ended = await submit(0.8);
    const active = await submit(0.8);
    await end(ended, 7200, last);
    await expect(submit(0.8, { at: last })).rejects.toThrow('until 1 December');
    expect(await readSpending(table, december)).toEqual({ held: 400_000, used: 0 });
    await submit(0.8, { at: december });
    await expect(submit(0.8, { at: december })).rejects.toThrow('until 1 January');
    await end(active, 3600, december);
    expect(await readSpending(table, december)).toEqual({ held: 400_000, used: 200_000 });
    expect(await readSpending(table, last)).toEqual({ held: 400_000, used: 400_000 });
  });

  it('forgets the same month of the year before', async () => {
    await end(await submit(), 3600);
    const later = new Date('2027-11-02T00:00:00Z');
    await end(await submit(undefined, { at: later }), 3600, later);
    const names = await readItem(table, spendingKey(), (item) => Object.keys(item).toSorted());
    expect(names).toEqual(['PK', 'SK', 'held', 'schema_version', 'type', 'used_2027_11']);
  });

  it('holds if many submit at the same time', async () => {
    await end(await submit(), 7200);
    const first = user;
    const tries = Array.from({ length: 12 }, (_, n) => {
      user = first + n;
      return submit(2);
    });
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(await readSpending(table, november)).toEqual({ held: 1_600_000, used: 400_000 });
  });

  it('answers a repeated request, although the budget is spent', async () => {
    const job = await submit(0.4, { key: 'a-key' });
    expect(await submit(0.4, { key: 'a-key' })).toMatchObject({ jobId: job.jobId });
    await expect(submit(0.4, { key: 'another-key' })).rejects.toThrow(BudgetSpentError);
  });

  it('accepts a batch as a whole or not at all, and gets back what never began', async () => {
    await expect(submitBatch(context(3.9), batchOf(10), undefined, november)).rejects.toThrow(
      BudgetSpentError,
    );
    await expect(estimateBatch(context(3.9), batchOf(10), november)).rejects.toThrow(
      BudgetSpentError,
    );
    const { batch } = await submitBatch(context(4), batchOf(10), 'batch-key', november);
    const again = await submitBatch(context(4), batchOf(10), 'batch-key', november);
    expect(again).toMatchObject({ repeated: true, batch: { id: batch.id } });
    expect(await readSpending(table, november)).toEqual({ held: 4_000_000, used: 0 });
    await discardBatch(table, batch, november);
    expect(await readSpending(table, november)).toEqual({ held: 0, used: 0 });
  });

  it.runIf(engine.name === 'embedded')('costs one read and two writes a submission', async () => {
    await submit(9);
    const free = await cost(() => submit(9, { system: findSystem(catalog, 'hpc_one') }));
    const priced = await cost(() => submit(9));
    expect(priced.readUnits - free.readUnits).toBe(1);
    expect(priced.writeUnits - free.writeUnits).toBe(2);
    const unlimited = await cost(() => submit());
    expect(unlimited).toEqual({ ...priced, readUnits: free.readUnits });
  });
});
