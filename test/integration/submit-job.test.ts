import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { catalog, defaultProject, findSystem } from '#lib/catalog/catalog.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import { UploadUsedError } from '#lib/files/errors.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import { putUpload } from '#lib/files/uploads/upload-store.ts';
import { SubmissionUncertainError } from '#lib/jobs/errors.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { readRequest } from '#lib/jobs/job-request.ts';
import { createJob, findJob } from '#lib/jobs/job-store.ts';
import { beginJobLife } from '#lib/jobs/life/job-life-store.ts';
import { estimateJob } from '#lib/jobs/submit/estimate-job.ts';
import type { InputSource, Submission } from '#lib/jobs/submit/submission.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { NoQuotaError, QuotaExceededError } from '#lib/quotas/errors.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { PartitionFullError, TableUnavailableError } from '#lib/table/errors.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';
import { tableForEach } from '../engines/use-table.ts';
import { readLedger } from '../fixtures/life.ts';
import { createMemoryFiles } from '../fixtures/memory-files.ts';
import { systemName, userId } from '../fixtures/names.ts';
import { zipOf } from '../fixtures/zip.ts';

const system = findSystem(catalog, systemName('hpc_one'));
const owner = userId('1');
const at = new Date('2026-01-01T00:00:00.789Z');
const content = zipOf(5000);
const sha256 = createHash('sha256').update(content).digest('hex');
const inline: InputSource = { kind: 'inline', content, sha256 };

const table = tableForEach();
let files: ReturnType<typeof createMemoryFiles>;
beforeEach(() => {
  files = createMemoryFiles();
});

function wish(change: Partial<Submission> = {}, source = inline): Submission {
  return {
    owner,
    system,
    project: defaultProject(system),
    program: 'ls -lisa',
    nodes: 2,
    coresPerNode: 6,
    requestedRuntime: 0.5,
    title: 'a title',
    extras: { queue: 'fast' },
    input: { fileName: 'a.zip', source },
    ...change,
  };
}

function submit(submission: Submission, key?: string, seconds = 0, inputs?: ObjectStore) {
  const moment = new Date(at.getTime() + seconds * 1000);
  const context = { table, catalog, inputs: inputs ?? files.inputs };
  return submitJob(context, submission, key, moment);
}

const keysOfInputs = () => [...files.inputs.objects.keys()];
const usageOf = async (job: Job) => {
  const { time, space, activeJobs } = await findQuota(table, accountOf(job));
  return { seconds: time.held, kilobytes: space.held, activeJobs };
};

describe('a submission', () => {
  it('makes a job, its request and its hold, and puts its zip in place', async () => {
    const { job, repeated } = await submit(wish());
    expect(repeated).toBe(false);
    expect(job).toEqual({
      id: 1,
      jobId: expect.stringMatching(/^[0-9A-F-]{36}$/),
      owner,
      project: defaultProject(system),
      title: 'a title',
      runtime: 0.5,
      stage: 'QUEUED',
      terminal: false,
      failed: false,
      // A whole second, as it is shown.
      submittedAt: new Date('2026-01-01T00:00:00.000Z'),
      endedAt: null,
      hold: { seconds: 3600, kilobytes: 5 },
    });
    const { number, hpc, name } = job.project;
    expect(await findJob(table, accountOf(job), job.jobId)).toEqual({
      ...job,
      project: { number, hpc, name },
    });
    const key = `1/${job.jobId}.zip`;
    expect(await readRequest(table, job)).toEqual({
      program: 'ls -lisa',
      nodes: 2,
      coresPerNode: 6,
      extras: { queue: 'fast' },
      input: { fileName: 'a.zip', bytes: 5000, sha256, key },
    });
    expect(files.inputs.objects.get(key)).toEqual(content);
    expect(await usageOf(job)).toEqual({ seconds: 3600, kilobytes: 5, activeJobs: 1 });
    const line = (await readLedger(table, job)).find(({ kind }) => kind === 'hold');
    expect(line).toMatchObject({
      seconds: -3600,
      kilobytes: -5,
      at: at.toISOString(),
      by: owner,
      reason: 'job submitted',
      job_id: job.jobId,
    });
  });

  it('is cut to the hours that its system grants', async () => {
    const { job } = await submit(wish({ requestedRuntime: 10_000, nodes: 1 }));
    expect(job.runtime).toBe(system.grantableRuntime);
    expect(job.hold.seconds).toBe(system.grantableRuntime * 3600);
  });

  it('without a zip puts nothing in place', async () => {
    const { job } = await submit(wish({}, { kind: 'none' }));
    expect(job.hold.kilobytes).toBe(0);
    expect((await readRequest(table, job))?.input).toEqual({ fileName: 'a.zip', bytes: 0 });
    expect(keysOfInputs()).toEqual([]);
  });

  it('that is refused takes its zip back', async () => {
    await expect(submit(wish({ nodes: 100_000 }))).rejects.toThrow(QuotaExceededError);
    const [, second] = findSystem(catalog, systemName('hpc_two')).projects;
    if (!second) throw new Error('hpc_two has one project.');
    const two = findSystem(catalog, systemName('hpc_two'));
    const elsewhere = { system: two, project: second, program: 'NEURON' };
    await expect(submit(wish(elsewhere))).rejects.toThrow(NoQuotaError);
    expect(keysOfInputs()).toEqual([]);
  });

  it('that is refused says so also where its zip cannot be taken back', async () => {
    const remove = async () => {
      throw new Error('The storage is away.');
    };
    const inputs = { ...files.inputs, remove };
    await expect(submit(wish({ nodes: 100_000 }), undefined, 0, inputs)).rejects.toThrow(
      QuotaExceededError,
    );
    expect(keysOfInputs()).toHaveLength(1);
  });

  it('that finds no room for its records takes its zip back', async () => {
    await submit(wish());
    table.client.middlewareStack.add(
      (next, { commandName }) =>
        (parameters) => {
          if (commandName !== 'TransactWriteItemsCommand') return next(parameters);
          throw new PartitionFullError();
        },
      { step: 'initialize' },
    );
    await expect(submit(wish())).rejects.toThrow(PartitionFullError);
    expect(keysOfInputs()).toHaveLength(1);
  });

  it('keeps its zip where nobody knows whether the job was made', async () => {
    await submit(wish());
    table.client.middlewareStack.add(
      (next, { commandName }) =>
        (parameters) => {
          if (commandName !== 'TransactWriteItemsCommand') return next(parameters);
          throw new TableUnavailableError();
        },
      { step: 'initialize' },
    );
    const failing = submit(wish());
    await expect(failing).rejects.toThrow(SubmissionUncertainError);
    await expect(failing).rejects.toThrow('Check your list of jobs');
    await expect(submit(wish(), 'a-key')).rejects.toThrow('Retry with the same Idempotency-Key');
    expect(keysOfInputs()).toHaveLength(3);
  });
});

describe('a submission with an Idempotency-Key', () => {
  it('is answered as the first time, for a day', async () => {
    const { job } = await submit(wish(), 'a-key');
    const again = await submit(wish(), 'a-key', 24 * 3600 - 1);
    const { number, hpc, name } = job.project;
    expect(again).toEqual({ job: { ...job, project: { number, hpc, name } }, repeated: true });
    expect(await usageOf(job)).toMatchObject({ activeJobs: 1 });
    expect(keysOfInputs()).toEqual([`1/${job.jobId}.zip`]);
    const nextDay = await submit(wish(), 'a-key', 24 * 3600);
    expect(nextDay.repeated).toBe(false);
    expect(nextDay.job.jobId).not.toBe(job.jobId);
    expect(await usageOf(job)).toMatchObject({ activeJobs: 2 });
  });

  it('is answered as the first time also where the quota is used up by now', async () => {
    const all = wish({ nodes: 500, requestedRuntime: 10 });
    const { job } = await submit(all, 'a-key');
    await expect(submit(all)).rejects.toThrow(QuotaExceededError);
    expect(await submit(all, 'a-key')).toMatchObject({ job: { jobId: job.jobId }, repeated: true });
  });

  it('is refused where the key stands for another request, and its zip goes', async () => {
    await submit(wish(), 'a-key');
    const other = wish({ title: 'another' });
    await expect(submit(other, 'a-key')).rejects.toThrow(IdempotencyKeyReusedError);
    expect(keysOfInputs()).toHaveLength(1);
  });

  it('is one job, however many come at once', async () => {
    await submit(wish());
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(wish(), 'a-key')));
    expect(new Set(answers.map(({ job }) => job.jobId)).size).toBe(1);
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(keysOfInputs()).toHaveLength(2);
  });

  it('is another one than that of another user', async () => {
    const { job } = await submit(wish(), 'a-key');
    const theirs = await submit(wish({ owner: userId('2') }), 'a-key');
    expect(theirs).toMatchObject({ repeated: false });
    expect(theirs.job.jobId).not.toBe(job.jobId);
  });
});

describe('an uploaded zip', () => {
  const upload = {
    id: 'an-upload',
    owner,
    fileName: 'a.zip',
    bytes: content.length,
    expiresAt: new Date('2026-01-02T00:00:00Z'),
  };
  const uploaded = wish({}, { kind: 'upload', uploadId: upload.id });
  const key = `1/uploads/${upload.id}.zip`;
  beforeEach(async () => {
    await writeTransaction(table, [putUpload(upload)]);
    await files.inputs.put(key, content);
  });

  it('is the input of one job, and the answer of a repeated request', async () => {
    const { job } = await submit(uploaded, 'a-key');
    expect((await readRequest(table, job))?.input).toEqual({
      fileName: 'a.zip',
      bytes: 5000,
      key,
    });
    expect(job.hold.kilobytes).toBe(5);
    await expect(submit(uploaded)).rejects.toThrow(UploadUsedError);
    await expect(submit(uploaded, 'another-key')).rejects.toThrow(UploadUsedError);
    expect(await submit(uploaded, 'a-key')).toMatchObject({ job: { jobId: job.jobId } });
    expect(keysOfInputs()).toEqual([key]);
  });

  it('stays where the job was refused, for another try', async () => {
    await expect(submit({ ...uploaded, nodes: 100_000 })).rejects.toThrow(QuotaExceededError);
    expect(keysOfInputs()).toEqual([key]);
    expect(await submit(uploaded)).toMatchObject({ repeated: false });
  });
});

describe('an estimate', () => {
  const estimate = (submission: Submission) =>
    estimateJob({ table, catalog, inputs: files.inputs }, submission, at);

  it('says what the submission then takes, and writes nothing', async () => {
    const before = await estimate(wish());
    expect(before).toEqual({
      runtime: 0.5,
      resources: { nodes: 2, coresPerNode: 6 },
      hold: { seconds: 3600, kilobytes: 5 },
      left: { seconds: 18_000_000 - 3600, kilobytes: 10_000_000 - 5 },
      activeJobs: 1,
      maxLivingJobs: defaultProject(system).maxLivingJobs,
    });
    expect(keysOfInputs()).toEqual([]);
    const { job } = await submit(wish());
    expect(job.id).toBe(1);
    const { time, space, activeJobs } = await findQuota(table, accountOf(job));
    expect({ seconds: time.left, kilobytes: space.left }).toEqual(before.left);
    expect(activeJobs).toBe(before.activeJobs);
  });

  it.each([
    { what: 'no zip', source: { kind: 'none' } as const, kilobytes: 0 },
    { what: 'a zip', source: inline, kilobytes: 5 },
  ])('reckons with $what', async ({ source, kilobytes }) => {
    expect((await estimate(wish({}, source))).hold.kilobytes).toBe(kilobytes);
  });

  it('reckons with an upload, and refuses one that a job began with', async () => {
    const upload = { id: 'an-upload', owner, fileName: 'a.zip', bytes: content.length };
    await writeTransaction(table, [
      putUpload({ ...upload, expiresAt: new Date('2026-01-02T00:00:00Z') }),
    ]);
    await files.inputs.put('1/uploads/an-upload.zip', content);
    const uploaded = wish({}, { kind: 'upload', uploadId: 'an-upload' });
    expect((await estimate(uploaded)).hold.kilobytes).toBe(5);
    await submit(uploaded, 'a-key');
    await expect(estimate(uploaded)).rejects.toThrow(UploadUsedError);
  });

  it('meets the error that the submission would meet', async () => {
    await expect(estimate(wish({ nodes: 100_000 }))).rejects.toThrow(QuotaExceededError);
    const two = findSystem(catalog, systemName('hpc_two'));
    const [, second] = two.projects;
    if (!second) throw new Error('hpc_two has one project.');
    await expect(estimate(wish({ system: two, project: second }))).rejects.toThrow(NoQuotaError);
  });
});

describe('an identifier that is taken', () => {
  it.each<{ what: string; step: (job: Job) => Step }>([
    { what: 'job', step: createJob },
    { what: 'life', step: beginJobLife },
  ])('overwrites no $what', async ({ step }) => {
    const { job } = await submit(wish());
    await expect(writeTransaction(table, [step({ ...job, title: 'another' })])).rejects.toThrow(
      'A job with this identifier already exists.',
    );
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ title: 'a title' });
  });
});
