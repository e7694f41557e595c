import { describe, expect, it } from 'vitest';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import type { FakeJob } from '#test/slurm/fake-jobs.ts';
import { refuseJobId, startFake } from '#test/slurm/fake-slurmrestd.ts';
import { connect } from './connect.ts';

const versions = [37, 38, 39, 40, 41, 42, 43];
const start = 1_794_706_455;
const startedAt = new Date(start * 1000);
const endedAt = new Date((start + 90) * 1000);
/** Where the files of a job are that it may not have sent. */
const leftIn = '/scratch/JOB-1';
/** A job of the accounting whose steps some other version may show. */
const odd = {
  job_id: 1,
  name: 'JOB-1',
  state: { current: ['COMPLETED'], reason: 'None' },
  time: { start, end: start + 90 },
  steps: { batch: 'text' },
  tres: 'cpu=2',
};

function handleJob(number: number) {
  return { jobId: jobId(`JOB-${number}`), owner: userId('306328'), handle: String(number) };
}

function listJobs(count: number) {
  return Array.from({ length: count }, (_, index) => handleJob(index + 1));
}

/** What is seen of one job, asked for alone. */
async function observe(version: number, job: Omit<FakeJob, 'id' | 'name'>) {
  const fake = await startFake(version);
  fake.queue.push({ id: 1, name: 'JOB-1', ...job });
  return (await connect(fake).lookUp([handleJob(1)])).get(jobId('JOB-1'));
}

describe.each(versions)('a job seen through version 0.0.%i', (version) => {
  it('waits, for the reason that Slurm gives', async () => {
    expect(await observe(version, { states: ['PENDING'] })).toEqual({
      state: 'living',
      stage: 'QUEUED',
    });
    expect(await observe(version, { states: ['PENDING'], reason: 'JobHeldUser' })).toEqual({
      state: 'living',
      stage: 'QUEUED',
      reason: 'It is held back on the system. Slurm says: JobHeldUser.',
    });
  });

  it('runs, and the end that is foretold does not count', async () => {
    const job = { states: ['RUNNING'], start, end: start + 1800 };
    expect(await observe(version, job)).toEqual({ state: 'living', stage: 'RUNNING' });
  });

  it('runs, and why it waited before explains nothing any more', async () => {
    const job = { states: ['RUNNING'], start, reason: 'BeginTime' };
    expect(await observe(version, job)).toEqual({ state: 'living', stage: 'RUNNING' });
  });

  it('has ended well', async () => {
    expect(await observe(version, { states: ['COMPLETED'], start, end: start + 90 })).toEqual({
      state: 'ended',
      stage: 'SUCCESSFUL',
      failed: false,
      usedSeconds: 90,
      startedAt,
      endedAt,
    });
  });

  it.each([
    { code: 3, reason: 'NonZeroExitCode', says: 'The command ended with exit code 3.' },
    {
      signal: 15,
      reason: 'JobLaunchFailure',
      says: 'The command was ended by signal 15. Slurm says: JobLaunchFailure.',
      isLeft: true,
    },
    { code: 245, says: 'The job reached its time limit.' },
    {
      code: 244,
      says: 'The job ended with exit code 244: the results are too large to be sent.',
      isLeft: true,
    },
    { code: 241, says: 'The job ended with exit code 241: the input could not be fetched.' },
    {
      code: 243,
      says: 'The job ended with exit code 243: the results could not be sent.',
      isLeft: true,
    },
    { says: 'The job failed.' },
  ])('has failed: $says', async ({ says, isLeft = false, ...exit }) => {
    const job = { states: ['FAILED'], start, end: start + 90, ...exit };
    expect(await observe(version, job)).toEqual({
      state: 'ended',
      stage: 'FAILED',
      failed: true,
      reason: says,
      ...(isLeft && { leftIn }),
      usedSeconds: 90,
      startedAt,
      endedAt,
      // Neither a signal nor its limit leaves a job the time to give up.
      ...(exit.signal === undefined && exit.code !== 245 && { patienceSeconds: 300 }),
    });
  });

  it.each([
    { state: 'TIMEOUT', says: 'The job reached its time limit.', isLeft: true },
    { state: 'OUT_OF_MEMORY', says: 'The job ran out of memory.', isLeft: true },
    { state: 'NODE_FAIL', says: 'A node of the job failed. Slurm says: NODE_FAIL.', isLeft: true },
    { state: 'CANCELLED', says: 'The job was cancelled on the system.', isLeft: false },
  ])('names what may not have been sent: $state', async ({ state, says, isLeft }) => {
    const job = { states: [state], start, end: start + 90 };
    const seen = await observe(version, job);
    expect(seen).toMatchObject({ reason: says, ...(isLeft && { leftIn }) });
    expect(seen && 'leftIn' in seen).toBe(isLeft);
  });

  it('does not count the time in which it was suspended', async () => {
    const job = { states: ['COMPLETED'], start, end: start + 90 };
    const suspended = { suspendedAt: start + 70, suspended: 60 };
    expect(await observe(version, { ...job, ...suspended })).toMatchObject({ usedSeconds: 30 });
  });

  it.each([
    { state: 'NODE_FAIL', isLost: true },
    { state: 'PREEMPTED', isLost: true },
    { state: 'OUT_OF_MEMORY', isLost: false },
    { state: 'CANCELLED', isLost: false },
  ])('was lost by the system or not: $state', async ({ state, isLost }) => {
    const seen = await observe(version, { states: [state], start, end: start + 90 });
    expect(seen && 'isLost' in seen).toBe(isLost);
  });

  it('runs for the second time, although nothing tells of the first', async () => {
    expect(await observe(version, { states: ['RUNNING'], start, restarts: 1 })).toEqual({
      state: 'living',
      stage: 'RUNNING',
      run: 2,
    });
  });

  it('has not tried in vain to reach the service where Slurm ended it', async () => {
    for (const state of ['TIMEOUT', 'OUT_OF_MEMORY', 'NODE_FAIL', 'CANCELLED']) {
      const job = { states: [state], start, end: start + 90 };
      expect(await observe(version, job)).not.toHaveProperty('patienceSeconds');
    }
  });

  it('has used nothing where it was cancelled in the queue', async () => {
    const job = { states: ['CANCELLED'], end: start + 90 };
    expect(await observe(version, job)).toMatchObject({ stage: 'FAILED', usedSeconds: 0, endedAt });
  });
});

describe('a look-up', () => {
  it('says that a job could not be launched at all', async () => {
    // 4021 was seen of a job whose output could not be opened.
    const job = { states: ['FAILED'], code: 15, signal: 181, reason: 'JobLaunchFailure' };
    expect(await observe(38, job)).toMatchObject({
      reason: 'The job could not be launched. Slurm says: JobLaunchFailure.',
    });
  });

  it('of 1,000 active jobs is two calls, discovery included', async () => {
    const fake = await startFake(41);
    const jobs = listJobs(1000);
    for (const job of jobs) {
      fake.queue.push({ id: Number(job.handle), name: job.jobId, states: ['RUNNING'] });
    }
    expect((await connect(fake).lookUp(jobs)).size).toBe(1000);
    expect(fake.questions).toHaveLength(2);
  });

  it.each([
    { count: 0, paths: [] },
    { count: 4, paths: ['/openapi/v3', ...[1, 2, 3, 4].map((id) => `/slurm/v0.0.38/job/${id}`)] },
    { count: 5, paths: ['/openapi/v3', '/slurm/v0.0.38/jobs'] },
  ])('of $count jobs asks as little of Slurm as it can', async ({ count, paths }) => {
    const fake = await startFake(38);
    await connect(fake).lookUp(listJobs(count));
    expect(fake.questions.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
  });

  it.each([1, 5])('of %i jobs that are gone knows none', async (count) => {
    const seen = await connect(await startFake(38)).lookUp(listJobs(count));
    expect([...seen.values()]).toEqual(listJobs(count).map(() => ({ state: 'unknown' })));
  });

  it('takes a 404 as newer versions give it for a job that is gone', async () => {
    const fake = await startFake(43);
    fake.replies.push({ to: '/job/1', reply: refuseJobId('1', 404) });
    expect((await connect(fake).lookUp([handleJob(1)])).get(jobId('JOB-1'))).toEqual({
      state: 'unknown',
    });
    expect(fake.count('openapi')).toBe(1);
  });

  it('does not take the number of a job for ours when it has another name', async () => {
    const fake = await startFake(38);
    fake.queue.push({ id: 1, name: 'someone-else', states: ['FAILED'] });
    expect((await connect(fake).lookUp([handleJob(1)])).get(jobId('JOB-1'))).toEqual({
      state: 'unknown',
    });
  });

  it('says nothing of a state that it does not know', async () => {
    expect(await observe(38, { states: ['LEVITATING'] })).toBeUndefined();
    expect(await observe(43, { states: ['LEVITATING'] })).toBeUndefined();
  });

  it('says nothing of a job that is missing where another was not understood', async () => {
    const fake = await startFake(38);
    fake.queue.push({ id: 1, name: 'JOB-1', states: ['RUNNING'] });
    fake.queue.push({ id: 2, name: 'JOB-2', states: [] });
    const seen = await connect(fake).lookUp(listJobs(5));
    expect([...seen]).toEqual([['JOB-1', { state: 'living', stage: 'RUNNING' }]]);
  });

  it.each([
    { status: 200, body: { errors: [{ error_number: 5, error: 'x' }], jobs: [] } },
    { status: 200, body: {} },
    { status: 500, body: { errors: [{ error_number: 1800, error: 'No controller' }] } },
    { status: 503, body: 'away' },
  ])('fails as a whole for $status $body: no job is lost by it', async (reply) => {
    const fake = await startFake(38);
    fake.replies.push({ to: '/jobs', reply });
    await expect(connect(fake).lookUp(listJobs(5))).rejects.toThrow(SystemUnavailableError);
  });
});

describe('the accounting', () => {
  it.each([38, 41])('knows the end of a job that has left the queue (0.0.%i)', async (version) => {
    const fake = await startFake(version);
    fake.hasAccounting = true;
    fake.accounted.push({ id: 1, name: 'JOB-1', states: ['TIMEOUT'], start, end: start + 90 });
    const seen = await connect(fake).lookUp([handleJob(1), handleJob(2)]);
    expect(Object.fromEntries(seen)).toEqual({
      'JOB-1': {
        state: 'ended',
        stage: 'FAILED',
        failed: true,
        reason: 'The job reached its time limit.',
        leftIn,
        run: 1,
        usedSeconds: 90,
        startedAt,
        endedAt,
      },
      'JOB-2': { state: 'unknown' },
    });
  });

  it('tells of the last run of a job that was queued again', async () => {
    const fake = await startFake(41);
    fake.hasAccounting = true;
    const job = { id: 1, name: 'JOB-1' };
    fake.accounted.push({ ...job, states: ['COMPLETED'], start, end: start + 90 });
    fake.accounted.push({ ...job, states: ['NODE_FAIL'], start: start - 900, end: start - 800 });
    const seen = (await connect(fake).lookUp([handleJob(1)])).get(jobId('JOB-1'));
    expect(seen).toMatchObject({
      stage: 'SUCCESSFUL',
      usedSeconds: 90,
      run: 2,
      earlierRuns: [{ number: 1, seconds: 100, isLost: true }],
    });
  });

  it('tells of earlier runs of an active job, once', async () => {
    const fake = await startFake(38);
    fake.hasAccounting = true;
    const job = { id: 1, name: 'JOB-1' };
    fake.queue.push({ ...job, states: ['RUNNING'], start, restarts: 1 });
    fake.accounted.push({ ...job, states: ['REQUEUED'], start: start - 900, end: start - 800 });
    fake.accounted.push({ ...job, states: ['RUNNING'], start });
    const lookUp = async (knownRuns: number) =>
      (await connect(fake).lookUp([{ ...handleJob(1), knownRuns }])).get(jobId('JOB-1'));
    expect(await lookUp(0)).toMatchObject({
      stage: 'RUNNING',
      run: 2,
      earlierRuns: [{ number: 1, seconds: 100, isLost: false }],
    });
    const asked = fake.count('slurmdb');
    expect(await lookUp(1)).toEqual({ state: 'living', stage: 'RUNNING', run: 2 });
    expect(fake.count('slurmdb')).toBe(asked);
  });

  it.each([
    { when: 'has heard of that', isTold: true },
    { when: 'has not heard of that yet', isTold: false },
  ])('tells of the run that counts if no other began, and $when', async ({ isTold }) => {
    const fake = await startFake(38);
    fake.hasAccounting = true;
    const job = { id: 1, name: 'JOB-1' };
    fake.queue.push({ ...job, states: ['CANCELLED'], restarts: 1, end: start + 90 });
    const used = { cpu: 1, memory: 1 };
    fake.accounted.push({ ...job, states: ['REQUEUED'], start, end: start + 60, used });
    const told = { ...job, states: ['CANCELLED'], submitted: start + 60, end: start + 90 };
    if (isTold) fake.accounted.push(told);
    const seen = (await connect(fake).lookUp([handleJob(1)])).get(jobId('JOB-1'));
    expect(seen).toMatchObject({ stage: 'FAILED', run: 1, usedSeconds: 60 });
    expect(seen).not.toHaveProperty('earlierRuns');
  });

  it('is waited for before a job ends that was started twice', async () => {
    const fake = await startFake(38);
    fake.hasAccounting = true;
    const now = Math.floor(Date.now() / 1000);
    const job = { id: 1, name: 'JOB-1', states: ['COMPLETED'], restarts: 1 };
    fake.queue.push({ ...job, start: now - 90, end: now - 30 });
    const lookUp = async () => (await connect(fake).lookUp([handleJob(1)])).get(jobId('JOB-1'));
    expect(await lookUp()).toMatchObject({ state: 'living', stage: 'STAGINGOUT' });
    fake.queue[0] = { ...job, start: now - 900, end: now - 601 };
    expect(await lookUp()).toMatchObject({ state: 'ended', usedSeconds: 299 });
  });

  it('is not believed that a job runs which the queue has lost', async () => {
    const fake = await startFake(41);
    fake.hasAccounting = true;
    fake.accounted.push({ id: 1, name: 'JOB-1', states: ['RUNNING'], start });
    expect((await connect(fake).lookUp([handleJob(1)])).get(jobId('JOB-1'))).toEqual({
      state: 'unknown',
    });
  });

  it('that does not answer leaves the job as it is', async () => {
    const fake = await startFake(41);
    fake.hasAccounting = true;
    fake.replies.push({ to: 'slurmdb', reply: 'hang up' });
    expect((await connect(fake).lookUp([handleJob(1)])).size).toBe(0);
  });

  it.each([38, 41])('tells what an ended job used, in version %s', async (version) => {
    const fake = await startFake(version);
    fake.hasAccounting = true;
    const job = { id: 1, name: 'JOB-1', states: ['COMPLETED'], start, end: start + 90 };
    fake.queue.push(job);
    fake.accounted.push({ ...job, used: { cpu: 300.25, memory: 172_425_216 } });
    const seen = (await connect(fake).lookUp([handleJob(1)])).get(jobId('JOB-1'));
    expect(seen).toMatchObject({
      stage: 'SUCCESSFUL',
      usedSeconds: 90,
      measured: {
        cpuSeconds: 300.25,
        cores: 4,
        memoryBytes: 172_425_216,
        memoryLimitBytes: 4000 * 1024 ** 2,
      },
    });
    fake.queue.length = 0;
    expect((await connect(fake).lookUp([handleJob(1)])).get(jobId('JOB-1'))).toEqual(seen);
  });

  it.each([
    ['does not answer', 'hang up' as const],
    ['does not have the job yet', { status: 200, body: { errors: [], jobs: [] } }],
    ['gathers nothing', undefined],
    ['has steps in another form', { status: 200, body: { errors: [], jobs: [odd] } }],
  ])('that %s lets an ended job end', async (_, reply) => {
    const fake = await startFake(41);
    fake.hasAccounting = true;
    const job = { id: 1, name: 'JOB-1', states: ['COMPLETED'], start, end: start + 90 };
    fake.queue.push(job);
    fake.accounted.push(job);
    if (reply) fake.replies.push({ to: 'slurmdb', reply });
    const seen = (await connect(fake).lookUp([handleJob(1)])).get(jobId('JOB-1'));
    expect(seen).toMatchObject({ stage: 'SUCCESSFUL', usedSeconds: 90 });
    expect(seen).not.toHaveProperty('measured');
  });

  it('is asked again for what a job used that has just ended', async () => {
    const fake = await startFake(41);
    fake.hasAccounting = true;
    const end = Math.floor(Date.now() / 1000);
    const job = { id: 1, name: 'JOB-1', states: ['COMPLETED'], start: end - 90, end };
    fake.queue.push(job);
    fake.accounted.push({ ...job, used: { cpu: 80, memory: 1e6 } });
    fake.replies.push({ to: 'slurmdb', reply: { status: 200, body: { errors: [], jobs: [] } } });
    const seen = (await connect(fake).lookUp([handleJob(1)])).get(jobId('JOB-1'));
    expect(seen).toMatchObject({ measured: { cpuSeconds: 80 } });
    expect(fake.count('/slurmdb/')).toBe(2);
  });

  it('is not asked what a job used that never ran', async () => {
    const fake = await startFake(41);
    fake.hasAccounting = true;
    fake.queue.push({ id: 1, name: 'JOB-1', states: ['CANCELLED'], end: start });
    await connect(fake).lookUp([handleJob(1)]);
    expect(fake.count('/slurmdb/')).toBe(0);
  });

  it('is asked what 16 ended jobs used, and not again once it is silent', async () => {
    const fake = await startFake(41);
    fake.hasAccounting = true;
    for (let id = 1; id <= 30; id += 1) {
      const job = { id, name: `JOB-${id}`, states: ['COMPLETED'], start, end: start + 90 };
      fake.queue.push(job);
      fake.accounted.push({ ...job, used: { cpu: 1, memory: 1 } });
    }
    const seen = await connect(fake).lookUp(listJobs(30));
    expect(seen.size).toBe(30);
    expect([...seen.values()].filter((one) => 'measured' in one)).toHaveLength(16);
    expect(fake.count('/slurmdb/')).toBe(16);
    for (let round = 0; round < 16; round += 1) {
      fake.replies.push({ to: 'slurmdb', reply: 'hang up' });
    }
    expect((await connect(fake).lookUp(listJobs(30))).size).toBe(30);
    expect(fake.count('/slurmdb/')).toBeLessThanOrEqual(16 + 4);
  });

  it('is asked for 16 jobs at a time, so that a look-up stays within 20 calls', async () => {
    const fake = await startFake(41);
    fake.hasAccounting = true;
    expect((await connect(fake).lookUp(listJobs(100))).size).toBe(16);
    expect(fake.questions.length).toBeLessThanOrEqual(20);
  });
});
