import { buffer } from 'node:stream/consumers';
import { inflateRawSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { type Batch, newBatchToItem } from '#lib/batches/batch.ts';
import type { BatchSubmission } from '#lib/batches/batch-submission.ts';
import { discardBatch } from '#lib/batches/cancel-batch.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import { resultsKey } from '#lib/files/object-keys.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { attendEnd, sweepWaiting } from '#lib/jobs/chains/attend-waiting.ts';
import {
  AwaitedFailedError,
  AwaitedNotFoundError,
  TooManyResultsError,
} from '#lib/jobs/chains/errors.ts';
import type { WaitingContext } from '#lib/jobs/chains/prepare-input.ts';
import type { InputWish } from '#lib/jobs/chains/waits.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { readRequest } from '#lib/jobs/job-request.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { estimateJob } from '#lib/jobs/submit/estimate-job.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import { fingerprintSubmission } from '#lib/jobs/submit/submission.ts';
import { putItem } from '#lib/table/writes.ts';
import { inspectZip } from '#lib/zips/inspect-zip.ts';
import { listParts } from '#lib/zips/list-parts.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createBatchWorld } from '../fixtures/batch-world.ts';
import { batchSample } from '../fixtures/batches.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { catalog } from '../fixtures/catalog.ts';
import { createWorld, readLedger } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';
import { slurm } from '../model/job-steps.ts';

const owner = userId('42');
const table = tableForEach();

let one: ReturnType<typeof createWorld>;
let two: ReturnType<typeof createWorld>;
let sweeps: ReturnType<typeof createBatchWorld>;
let context: WaitingContext;
beforeEach(() => {
  one = createWorld(table, systemName('hpc_one'));
  two = createWorld(table, systemName('hpc_two'));
  sweeps = createBatchWorld(table, one);
  // The jobs send their results, as those on Slurm do.
  const systems = catalog.systems.map((system) => ({ ...system, connector: slurm }));
  context = {
    table,
    catalog: { ...catalog, systems },
    files: two.files,
    connect: () => Promise.reject(new Error('No system is asked.')),
    now: () => two.now(),
  };
});

/** Submits a batch and creates its jobs. */
async function sweep(count: number, change: Partial<BatchSubmission> = {}): Promise<Batch> {
  const batch = await sweeps.submit(owner, { shape: { count }, ...change });
  await sweeps.attend(batch);
  return batch;
}

const waitFor = (from: Batch, change: Partial<InputWish> = {}): Partial<Submission> => ({
  input: { fileName: '', source: { kind: 'none' } },
  waits: { after: [], afterAny: [], input: { from: from.id, ...change } },
});
const collect = (from: Batch, change: Partial<InputWish> = {}, who = owner): Promise<Job> =>
  two.submit(who, waitFor(from, change));

const leaveOut = { leavesOutFailed: true } as const;

const answerOf = (job: Job) => buildZip([{ name: 'answer.txt', content: `${job.batch?.index}` }]);

const send = (job: Job, zip: Uint8Array) =>
  two.files.results.put(resultsKey({ owner, jobId: job.jobId, run: 1 }), zip);

/** Ends all jobs of a batch. Those that end well send their results, unless there are none. */
async function endAll(
  batch: Batch,
  {
    failed = [],
    zipOf = answerOf,
  }: { failed?: number[]; zipOf?: (job: Job) => Uint8Array | undefined } = {},
): Promise<void> {
  for (const job of await sweeps.listJobs(batch)) {
    const hasFailed = failed.includes(job.batch?.index ?? -1);
    const zip = zipOf(job);
    // Failed jobs leave files, too.
    if (zip) await send(job, zip);
    await sweeps.end(job, { failed: hasFailed });
  }
}

async function readInput(job: Job): Promise<Record<string, string>> {
  const { input } = (await readRequest(table, job)) ?? {};
  const { key = '', bytes = 0 } = input ?? {};
  await inspectZip(two.files.inputs.objects.get(key) ?? new Uint8Array());
  const found: Record<string, string> = {};
  for (const part of await listParts(two.files.inputs, key, bytes)) {
    const packed = await buffer(part.open());
    found[part.name] = String(part.isDeflated ? inflateRawSync(packed) : packed);
  }
  return found;
}

/** Tells of the end, a second later. */
function attend(batch: Batch, change: Partial<WaitingContext> = {}): Promise<void> {
  two.pass(1);
  return attendEnd({ ...context, ...change }, owner, batch.id);
}
const reasonOf = async (job: Job) =>
  (await readTimeline(table, accountOf(job), job.jobId)).life.reason;
const isReleased = async (job: Job) =>
  (await findLife(table, accountOf(job), job.jobId)).released === true;

async function expectCancelled(job: Job, why: string): Promise<void> {
  expect(await reasonOf(job)).toBe(why);
  expect((await findJob(table, accountOf(job), job.jobId)).stage).toBe(ownStages.canceled);
  expect(two.files.inputs.objects.size).toBe(0);
  expect(await judgeAccount(table, accountOf(job))).toEqual({ state: 'sound' });
}

describe('the results of a batch as the input of a job', () => {
  it('are a folder for each of forty jobs, by index, once all have ended', async () => {
    const batch = await sweep(40);
    const second = await collect(batch);
    expect(await reasonOf(second)).toBe(`Waiting for ${batch.id} (running on hpc_one).`);
    await attend(batch);
    expect(await isReleased(second)).toBe(false);
    await endAll(batch);
    await attend(batch);
    expect(await isReleased(second)).toBe(true);
    const input = await readInput(second);
    const indexes = Array.from({ length: 40 }, (_, index) => index);
    expect(input).toEqual(
      Object.fromEntries(
        indexes.map((index) => [`${String(index).padStart(2, '0')}/answer.txt`, `${index}`]),
      ),
    );
    const line = (await readLedger(table, second)).find(({ kilobytes }) => Number(kilobytes) < 0);
    expect(line?.reason).toBe(`input from ${batch.id}, 40 of its 40 jobs`);
    expect(await judgeAccount(table, accountOf(second))).toEqual({ state: 'sound' });
  });

  it('are taken at once from a batch that has ended, below a folder and beside an own zip', async () => {
    const batch = await sweep(2);
    await endAll(batch);
    const content = buildZip([
      { name: 'plot.py', content: 'print(1)' },
      { name: 'sweep/1/answer.txt', content: 'mine' },
    ]);
    const second = await two.submit(owner, {
      ...waitFor(batch, { folder: 'sweep' }),
      input: { fileName: 'in.zip', source: { kind: 'inline', content, sha256: '' } },
    });
    two.pass(1);
    expect(await sweepWaiting(context)).toEqual([]);
    expect(await readInput(second)).toEqual({
      'plot.py': 'print(1)',
      'sweep/1/answer.txt': 'mine',
      'sweep/0/answer.txt': '0',
    });
  });

  it('have the indexes of jobs that ran again', async () => {
    const batch = await sweep(12);
    await endAll(batch, { failed: [3, 11] });
    const { batch: again } = await sweeps.repeat(batch);
    await sweeps.attend(again);
    const second = await collect(again);
    await endAll(again);
    await attend(again);
    expect(Object.keys(await readInput(second))).toEqual(['03/answer.txt', '11/answer.txt']);
  });

  it('have no folder for a job without files', async () => {
    const batch = await sweep(3);
    const second = await collect(batch);
    await endAll(batch, {
      zipOf: (job) => (job.batch?.index === 1 ? undefined : answerOf(job)),
    });
    await attend(batch);
    expect(Object.keys(await readInput(second))).toEqual(['0/answer.txt', '2/answer.txt']);
    const line = (await readLedger(table, second)).find(({ kilobytes }) => Number(kilobytes) < 0);
    expect(line?.reason).toBe(`input from ${batch.id}, 2 of its 3 jobs`);
  });

  it('end the job if there are none', async () => {
    const batch = await sweep(2);
    const second = await collect(batch);
    await endAll(batch, { zipOf: () => undefined });
    await attend(batch);
    await expectCancelled(
      second,
      `Cancelled because the results of ${batch.id} cannot be its input: None of its jobs has left files.`,
    );
  });

  it('are tried again after the storage was away', async () => {
    const batch = await sweep(2);
    const second = await collect(batch);
    await endAll(batch);
    const read = () => Promise.reject(new StorageUnavailableError());
    const { files } = context;
    await attend(batch, { files: { ...files, results: { ...files.results, read } } });
    expect(await reasonOf(second)).toBe(
      `The results of ${batch.id} on hpc_one cannot be reached right now. It will be tried again.`,
    );
    two.pass(61);
    expect(await sweepWaiting(context)).toEqual([]);
    expect(Object.keys(await readInput(second))).toHaveLength(2);
  });
});

describe('the failed jobs of a batch', () => {
  it('refuse their results to a job that waits, and to one that comes later', async () => {
    const batch = await sweep(3);
    const second = await collect(batch);
    await endAll(batch, { failed: [1] });
    await attend(batch);
    const hint = 'To take the results of its other jobs, set input_failed to leave_out.';
    await expectCancelled(second, `Cancelled because ${batch.id} on hpc_one has failed. ${hint}`);
    await expect(collect(batch)).rejects.toThrow(AwaitedFailedError);
    await expect(collect(batch)).rejects.toThrow(hint);
  });

  it('are left out if the job asks for that, before and after the end', async () => {
    const batch = await sweep(3);
    const waiting = await collect(batch, leaveOut);
    await endAll(batch, { failed: [1] });
    const later = await collect(batch, leaveOut);
    await attend(batch);
    for (const job of [waiting, later]) {
      expect(await readInput(job)).toEqual({ '0/answer.txt': '0', '2/answer.txt': '2' });
      const lines = await readLedger(table, job);
      expect(
        lines.filter(({ reason }) => reason === `input from ${batch.id}, 2 of its 3 jobs`),
      ).toHaveLength(2);
    }
    const { after } = await readTimeline(table, accountOf(later), later.jobId);
    expect(after).toMatchObject([{ state: 'failed', anyEnd: true, givesInput: true }]);
  });

  it('that are all there is leave nothing to collect', async () => {
    const batch = await sweep(2);
    const second = await collect(batch, leaveOut);
    await endAll(batch, { failed: [0, 1] });
    await attend(batch);
    await expectCancelled(
      second,
      `Cancelled because the results of ${batch.id} cannot be its input: None of its jobs ended well.`,
    );
  });

  it('count again if the batch is named in after, too', async () => {
    const batch = await sweep(2);
    const wish = waitFor(batch, leaveOut);
    const second = await two.submit(owner, {
      ...wish,
      waits: { ...wish.waits!, after: [batch.id] },
    });
    await endAll(batch, { failed: [0] });
    await attend(batch);
    expect((await findJob(table, accountOf(second), second.jobId)).stage).toBe(ownStages.canceled);
  });

  it('make another request of the same Idempotency-Key', async () => {
    const batch = await sweep(1);
    const base = { ...sweeps.describeBatch(owner), ...waitFor(batch) };
    const prints = [base, { ...base, ...waitFor(batch, leaveOut) }].map(fingerprintSubmission);
    expect(new Set(prints).size).toBe(2);
  });
});

describe('a batch that was cancelled or deleted', () => {
  it('gives the results of the jobs that had ended, if the others are left out', async () => {
    const batch = await sweep(3);
    const strict = await collect(batch);
    const loose = await collect(batch, leaveOut);
    const [first] = await sweeps.listJobs(batch);
    await send(first!, answerOf(first!));
    await sweeps.end(first!);
    await discardBatch(table, await sweeps.read(batch), one.now());
    await sweeps.attend(batch);
    await attend(batch);
    expect(await readInput(loose)).toEqual({ '0/answer.txt': '0' });
    expect(await reasonOf(strict)).toBe(
      `Cancelled because ${batch.id} on hpc_one was cancelled. To take the results of its other jobs, set input_failed to leave_out.`,
    );
  });

  it('gives nothing once it is deleted, whatever is left out', async () => {
    const batch = await sweep(2);
    await endAll(batch);
    const waiting = await collect(batch, leaveOut);
    await discardBatch(table, await sweeps.read(batch), one.now());
    await sweeps.attend(batch);
    for (const change of [{}, leaveOut]) {
      await expect(collect(batch, change)).rejects.toThrow(
        `${batch.id} on hpc_one was deleted, so a job that runs after it would never run. Submit that one again first.`,
      );
    }
    await attend(batch);
    await expectCancelled(waiting, `Cancelled because ${batch.id} on hpc_one was deleted.`);
  });

  it('lacks the results of a single job that was deleted', async () => {
    const batch = await sweep(3);
    const strict = await collect(batch);
    const loose = await collect(batch, leaveOut);
    await endAll(batch);
    const second = (await sweeps.listJobs(batch))[1]!;
    await deleteJob(table, accountOf(second), second.jobId, one.now());
    await attend(batch);
    expect(Object.keys(await readInput(loose))).toEqual(['0/answer.txt', '2/answer.txt']);
    expect(await reasonOf(strict)).toBe(
      `Cancelled because the results of ${batch.id} cannot be its input: Its job with the index 1 has none any more, because it is DELETED.`,
    );
  });
});

describe('a batch that cannot be collected', () => {
  it('is unknown if it belongs to somebody else', async () => {
    const batch = await sweep(1);
    const refused = collect(batch, {}, userId('43'));
    await expect(refused).rejects.toThrow(AwaitedNotFoundError);
    await expect(refused).rejects.toThrow(`You have no job or batch ${batch.id}.`);
  });

  it('has more than a thousand jobs, also in a dry run', async () => {
    const large = { ...batchSample, owner, count: 1001 };
    await putItem(table, { Item: newBatchToItem(large) });
    await expect(collect(large)).rejects.toThrow(TooManyResultsError);
    const estimated = estimateJob(
      { table, catalog, inputs: two.files.inputs },
      { ...sweeps.describeBatch(owner), ...waitFor(large) },
    );
    await expect(estimated).rejects.toThrow('at most 1000. Download them instead');
    const after = { waits: { after: [large.id], afterAny: [] } };
    await expect(two.submit(owner, after)).resolves.toBeDefined();
  });

  it('has more files than a zip may have', async () => {
    const batch = await sweep(2);
    const second = await collect(batch);
    const files = Array.from({ length: 5001 }, (_, at) => ({ name: `f${at}`, content: '' }));
    const zip = buildZip(files);
    await endAll(batch, { zipOf: () => zip });
    await attend(batch);
    await expectCancelled(
      second,
      `Cancelled because the results of ${batch.id} cannot be its input: They are more than 10000 files.`,
    );
  });

  it('has a job whose results are not safe, and is told which', async () => {
    const batch = await sweep(11);
    const second = await collect(batch);
    const broken = Buffer.from('PK but not a zip');
    await endAll(batch, {
      zipOf: (job) => (job.batch?.index === 7 ? broken : answerOf(job)),
    });
    await attend(batch);
    await expectCancelled(
      second,
      `Cancelled because the results of ${batch.id} cannot be its input: In 07: They are not a zip that can be read.`,
    );
  });
});
