import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/hpc/connector.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { tableForEach } from '../engines/use-table.ts';
import { captureLog } from '../fixtures/captured-log.ts';
import { createWorld, expectAccountAddsUp } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const hpc = systemName('hpc_one');
const owner = userId('1');

const table = tableForEach();

const lifeOf = (job: Job) => findLife(table, accountOf(job), job.jobId);
const reload = (job: Job) => findJob(table, accountOf(job), job.jobId);
const timeOf = async (job: Job) => (await findQuota(table, accountOf(job))).time;

interface FollowedOptions {
  readonly pollFloorSeconds?: number;
  readonly batchSize?: number;
  readonly jobs?: number;
  readonly image?: string;
}

/** A world with one job that was handed over, whose system says of it what the test says. */
async function createFollowed({
  pollFloorSeconds = 5,
  batchSize = 100,
  jobs: count = 1,
  image,
}: FollowedOptions = {}) {
  let says: Observation | Error | undefined;
  const looks: string[][] = [];
  const world = createWorld(table, hpc, (connector) => ({
    ...connector,
    pollFloorSeconds,
    batchSize,
    async lookUp(asked) {
      looks.push(asked.map(({ handle }) => handle));
      if (says instanceof Error) throw says;
      const said = says;
      return new Map(said ? asked.map(({ jobId }) => [jobId, said]) : []);
    },
  }));
  const jobs: Job[] = [];
  for (let number = 0; number < count; number += 1) jobs.push(await world.submit(owner, { image }));
  const [job] = jobs;
  if (!job) throw new Error('There is no job.');
  await world.sweep();
  return {
    ...world,
    job,
    jobs,
    looks,
    /** Looks at the jobs after so many seconds, when the system says this of each. */
    async checkJobs(seconds: number, observation: Observation | Error | undefined) {
      world.pass(seconds);
      says = observation;
      return world.sweep();
    },
  };
}

const living = (stage: string, reason?: string): Observation => ({
  state: 'living',
  stage,
  ...(reason !== undefined && { reason }),
});
const ended = { state: 'ended', stage: 'SUCCESSFUL', failed: false } as const;

describe('an end without the image of the job', () => {
  const unfetched = {
    ...ended,
    stage: 'FAILED',
    failed: true,
    usedSeconds: 90,
    reason: 'The command ended with exit code 248.',
    lacksImage: 'The end of stderr says why.',
  } as const;

  it('names the image, and is not charged', async () => {
    const image = 'ghcr.io/org/tool:2';
    const { job, checkJobs } = await createFollowed({ image });
    const before = await timeOf(job);
    expect(before.held).toBe(3600);
    await checkJobs(5, living('RUNNING'));
    await checkJobs(90, unfetched);
    expect(await lifeOf(job)).toMatchObject({
      reason: `The image ${image} could not be fetched, so the command did not begin. The end of stderr says why.`,
    });
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 0 });
  });

  it('is charged if the job had none, because its command can end with the same code', async () => {
    const { job, checkJobs } = await createFollowed();
    await checkJobs(5, living('RUNNING'));
    await checkJobs(90, unfetched);
    expect(await lifeOf(job)).toMatchObject({ reason: unfetched.reason });
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 180 });
  });
});

describe('a check of an active job', () => {
  const steady = (stage: string, steadyUntil: Date): Observation => ({
    state: 'living',
    stage,
    steadyUntil,
  });
  const inSeconds = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000);

  it('is not repeated before the moment at which the system expects a change', async () => {
    const { looks, checkJobs, now } = await createFollowed();
    await checkJobs(5, steady('RUNNING', inSeconds(now(), 5 + 20)));
    await checkJobs(19, living('RUNNING'));
    expect(looks).toHaveLength(1);
    await checkJobs(1, living('STAGINGOUT'));
    expect(looks).toHaveLength(2);
  });

  it('is repeated after a lease however long the system expects no change', async () => {
    const { looks, checkJobs, now } = await createFollowed();
    await checkJobs(5, steady('RUNNING', inSeconds(now(), 86_400)));
    await checkJobs(49, living('RUNNING'));
    expect(looks).toHaveLength(1);
    await checkJobs(1, living('RUNNING'));
    expect(looks).toHaveLength(2);
  });

  it('keeps to the floor where the system expects a change sooner', async () => {
    const { looks, checkJobs, now } = await createFollowed();
    await checkJobs(5, steady('RUNNING', inSeconds(now(), 5 + 1)));
    await checkJobs(4, living('STAGINGOUT'));
    expect(looks).toHaveLength(1);
  });

  it('brings its stage, and the moment in which it was entered', async () => {
    const { job, checkJobs, now } = await createFollowed();
    await checkJobs(5, living('RUNNING'));
    expect(await reload(job)).toMatchObject({ stage: 'RUNNING', terminal: false });
    expect(await lifeOf(job)).toMatchObject({
      stages: [
        { stage: 'QUEUED', at: job.submittedAt },
        { stage: 'RUNNING', at: now() },
      ],
      runningSince: now(),
    });
  });

  it('brings a stage in which nothing runs, also where it would have waited for its lease', async () => {
    const { job, checkJobs } = await createFollowed({ pollFloorSeconds: 30 });
    await checkJobs(30, living('STAGINGIN'));
    expect(await reload(job)).toMatchObject({ stage: 'STAGINGIN' });
  });

  it('keeps the first moment in which it was seen running', async () => {
    const { job, checkJobs, now } = await createFollowed();
    await checkJobs(5, living('RUNNING'));
    const since = now();
    await checkJobs(5, living('STAGINGOUT'));
    await checkJobs(5, living('RUNNING'));
    expect((await lifeOf(job)).runningSince).toEqual(since);
  });

  it('does not call a job running that is in another stage', async () => {
    const { job, checkJobs } = await createFollowed();
    await checkJobs(5, living('STAGINGOUT'));
    expect((await lifeOf(job)).runningSince).toBeUndefined();
  });

  it.each(['RUNNING', 'STAGINGOUT'])('writes down %s, also where news are rare', async (stage) => {
    const { job, checkJobs } = await createFollowed({ pollFloorSeconds: 30 });
    await checkJobs(30, living(stage));
    expect(await reload(job)).toMatchObject({ stage });
    expect((await lifeOf(job)).stages.at(-1)).toMatchObject({ stage });
  });

  it('keeps a reason while the system does not answer, and no longer than the system gives it', async () => {
    const { job, checkJobs } = await createFollowed();
    await checkJobs(5, living('QUEUED', 'Priority'));
    expect((await lifeOf(job)).reason).toBe('Priority');
    await checkJobs(5, new SystemUnavailableError('It is away.'));
    expect((await lifeOf(job)).reason).toBe('Priority');
    await checkJobs(5, living('RUNNING'));
    expect((await lifeOf(job)).reason).toBe('');
    await checkJobs(5, living('RUNNING', 'Suspended'));
    expect((await lifeOf(job)).reason).toBe('Suspended');
    await checkJobs(5, living('RUNNING'));
    expect((await lifeOf(job)).reason).toBe('');
  });

  it('keeps a long reason short', async () => {
    const { job, checkJobs } = await createFollowed();
    await checkJobs(5, living('QUEUED', 'x'.repeat(301)));
    expect((await lifeOf(job)).reason).toBe(`${'x'.repeat(299)}…`);
  });

  it('does not take a long reason for news each time', async () => {
    const { job, checkJobs, now } = await createFollowed({ pollFloorSeconds: 30 });
    await checkJobs(30, living('QUEUED', 'x'.repeat(301)));
    await checkJobs(30, living('QUEUED', 'x'.repeat(301)));
    const { dueAt } = await lifeOf(job);
    expect(dueAt?.getTime()).toBe(now().getTime() + 50_000);
  });

  it('with news is followed by the next when the floor is over', async () => {
    const { checkJobs, looks } = await createFollowed({ pollFloorSeconds: 30 });
    await checkJobs(30, living('RUNNING'));
    await checkJobs(29, living('RUNNING'));
    expect(looks).toHaveLength(1);
    await checkJobs(1, living('RUNNING'));
    expect(looks).toHaveLength(2);
  });

  it.each([
    { what: 'no news', says: living('QUEUED') },
    { what: 'no word of the job', says: undefined },
    { what: 'no answer', says: new SystemUnavailableError('It is away.') },
  ])('that brings $what changes nothing and writes nothing until its lease ends', async (each) => {
    const { job, checkJobs, looks } = await createFollowed({ pollFloorSeconds: 30 });
    const before = [await reload(job), await lifeOf(job)];
    await checkJobs(30, each.says);
    const [, life] = before;
    const leased = { ...life, claims: 2, dueAt: expect.any(Date) };
    expect([await reload(job), await lifeOf(job)]).toEqual([before[0], leased]);
    await checkJobs(49, each.says);
    expect(looks).toHaveLength(1);
    await checkJobs(1, each.says);
    expect(looks).toHaveLength(2);
  });

  it('without news is followed by the next at the floor, where that is longer than a lease', async () => {
    const { checkJobs, looks } = await createFollowed({ pollFloorSeconds: 61 });
    await checkJobs(61, living('QUEUED'));
    await checkJobs(60, living('QUEUED'));
    expect(looks).toHaveLength(1);
    await checkJobs(1, living('QUEUED'));
    expect(looks).toHaveLength(2);
  });

  it('without news is followed by the next at the floor, where that is less than half of a lease', async () => {
    const { checkJobs, looks } = await createFollowed({ pollFloorSeconds: 24 });
    await checkJobs(24, living('QUEUED'));
    await checkJobs(23, living('QUEUED'));
    expect(looks).toHaveLength(1);
    await checkJobs(1, living('QUEUED'));
    expect(looks).toHaveLength(2);
  });

  it('is one call for as many jobs as the system answers for', async () => {
    const { jobs, checkJobs, looks } = await createFollowed({ batchSize: 2, jobs: 5 });
    await checkJobs(5, living('RUNNING'));
    expect(looks.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(new Set(looks.flat())).toEqual(new Set(jobs.map(({ jobId }) => jobId)));
    for (const job of jobs) expect(await reload(job)).toMatchObject({ stage: 'RUNNING' });
  });

  it('changes the stage of no job that was cancelled meanwhile', async () => {
    const { job, now } = await createFollowed();
    const cancelling = createWorld(table, hpc, (connector) => ({
      ...connector,
      async lookUp(asked) {
        await deleteJob(table, accountOf(job), job.jobId, now());
        return new Map(asked.map(({ jobId }) => [jobId, living('RUNNING')]));
      },
    }));
    cancelling.pass(5);
    await cancelling.sweep();
    expect(await reload(job)).toMatchObject({ stage: 'CANCELED' });
  });
});

describe('the end of a job', () => {
  it('is charged by the time that the system tells, at the moment that it tells', async () => {
    const { job, checkJobs } = await createFollowed();
    await checkJobs(5, living('RUNNING'));
    const endedAt = new Date('2026-01-01T00:00:30Z');
    const measured = { cpuSeconds: 290.5, cores: 2, memoryBytes: 5e8 };
    await checkJobs(100, { ...ended, usedSeconds: 300, endedAt, measured, reason: 'Completed' });
    expect(await reload(job)).toMatchObject({
      stage: 'SUCCESSFUL',
      terminal: true,
      failed: false,
      endedAt,
      ranSeconds: 300,
    });
    // Two nodes.
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 600 });
    const life = await lifeOf(job);
    expect(life.stages.at(-1)).toEqual({ stage: 'SUCCESSFUL', at: endedAt });
    expect(life).toMatchObject({ measured, reason: 'Completed' });
    await expectAccountAddsUp(table, job);
  });

  it('is charged by the clock since it was seen running, where the system tells no time', async () => {
    const { job, checkJobs, now } = await createFollowed();
    await checkJobs(5, living('RUNNING'));
    await checkJobs(100, ended);
    expect(await reload(job)).toMatchObject({ endedAt: now() });
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 200 });
    expect((await lifeOf(job)).reason).toBe('');
  });

  it('costs nothing where the job was never seen running', async () => {
    const { job, checkJobs } = await createFollowed();
    await checkJobs(100, { ...ended, stage: 'FAILED', failed: true });
    expect(await reload(job)).toMatchObject({ stage: 'FAILED', failed: true });
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 0 });
  });

  it('does not come where a cancel was first', async () => {
    const { job, now } = await createFollowed();
    const late = createWorld(table, hpc, (connector) => ({
      ...connector,
      async lookUp(asked) {
        await deleteJob(table, accountOf(job), job.jobId, now());
        return new Map(asked.map(({ jobId }) => [jobId, ended]));
      },
    }));
    late.pass(5);
    await late.sweep();
    expect(await reload(job)).toMatchObject({ stage: 'CANCELED' });
    await expectAccountAddsUp(table, job);
  });
});

describe('a job that its system does not know', () => {
  const unknown: Observation = { state: 'unknown' };

  it('is looked for at every floor, and fails when that has been so for an hour', async () => {
    const { job, checkJobs, now } = await createFollowed();
    await checkJobs(5, living('RUNNING'));
    await checkJobs(5, unknown);
    const since = now();
    expect((await lifeOf(job)).unknownSince).toEqual(since);
    expect(await checkJobs(4, unknown)).toBe(0);
    expect(await checkJobs(1, unknown)).toBe(1);
    expect((await lifeOf(job)).unknownSince).toEqual(since);
    for (let checks = 3; checks <= 8; checks += 1) await checkJobs(5, unknown);
    await checkJobs(3560, unknown);
    expect(await reload(job)).toMatchObject({ terminal: false });
    await checkJobs(5, unknown);
    expect(await reload(job)).toMatchObject({
      stage: 'FAILED',
      terminal: true,
      failed: true,
      endedAt: now(),
    });
    expect((await lifeOf(job)).reason).toBe('The HPC system no longer knows this job.');
    // By the clock, and never more than was reserved.
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 3600 });
  });

  it('does not fail because the clock jumps an hour ahead between two checks', async () => {
    const { job, checkJobs } = await createFollowed();
    await checkJobs(5, unknown);
    for (let checks = 2; checks <= 9; checks += 1) await checkJobs(3600, unknown);
    expect(await reload(job)).toMatchObject({ terminal: false });
    await checkJobs(5, living('RUNNING'));
    expect(await lifeOf(job)).toMatchObject({ unknownChecks: 0 });
    await checkJobs(3600, unknown);
    await checkJobs(3600, unknown);
    expect(await reload(job)).toMatchObject({ stage: 'RUNNING', terminal: false });
  });

  it('is known again when the system speaks of it, though it says nothing new', async () => {
    const { job, checkJobs } = await createFollowed({ pollFloorSeconds: 30 });
    await checkJobs(30, unknown);
    await checkJobs(30, living('QUEUED'));
    expect((await lifeOf(job)).unknownSince).toBeUndefined();
  });

  it('stays unknown where the system does not answer', async () => {
    const { job, checkJobs, now } = await createFollowed({ pollFloorSeconds: 30 });
    await checkJobs(30, unknown);
    const since = now();
    await checkJobs(30, new SystemUnavailableError('It is away.'));
    expect((await lifeOf(job)).unknownSince).toEqual(since);
  });
});

describe('a mistake in a connector', () => {
  /** Jobs on a system whose connector stumbles over some of them. */
  async function createStumbling(count: number, stumblesOver: (place: number) => boolean) {
    const log = captureLog();
    let calls = 0;
    const jobs: Job[] = [];
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      pollFloorSeconds: 5,
      async lookUp(asked) {
        calls += 1;
        const places = asked.map(({ jobId }) => jobs.findIndex((job) => job.jobId === jobId));
        if (places.some(stumblesOver)) throw new TypeError('undefined is not a stage');
        return new Map(asked.map(({ jobId }) => [jobId, living('RUNNING')]));
      },
      async cancel() {
        throw new TypeError('undefined is not a handle');
      },
    }));
    for (let number = 0; number < count; number += 1) jobs.push(await world.submit(owner));
    await world.sweep();
    world.pass(5);
    return { ...world, jobs, log, calls: () => calls };
  }

  const readErrors = (log: readonly string[]) =>
    log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'ERROR');

  it('is logged with its stack and fails the sweep, and all other jobs are seen', async () => {
    const { sweep, jobs, log, calls } = await createStumbling(9, (place) => place === 6);
    await expect(sweep()).rejects.toThrow('undefined is not a stage');
    const stages = await Promise.all(jobs.map(async (job) => (await reload(job)).stage));
    expect(stages).toEqual(jobs.map((_, place) => (place === 6 ? 'QUEUED' : 'RUNNING')));
    const errors = readErrors(log);
    expect(errors).toMatchObject([{ hpc, error: { name: 'TypeError' } }]);
    expect(errors[0]?.error.stack).toContain('follow-jobs.test.ts');
    expect(calls()).toBeLessThanOrEqual(10);
  });

  it('that concerns all jobs does not bury the system in calls', async () => {
    const { sweep, log, calls } = await createStumbling(60, () => true);
    await expect(sweep()).rejects.toThrow('undefined is not a stage');
    expect(calls()).toBeLessThanOrEqual(21);
    expect(readErrors(log).length).toBeLessThanOrEqual(20);
  });

  it('keeps no other job from its cancel, and is tried again', async () => {
    const { sweep, jobs, log, pass, now } = await createStumbling(2, () => false);
    await sweep();
    for (const job of jobs) await deleteJob(table, accountOf(job), job.jobId, now());
    for (let round = 0; round < 2; round += 1) {
      pass(60);
      await expect(sweep()).rejects.toThrow('undefined is not a handle');
    }
    expect(readErrors(log)).toHaveLength(4);
  });
});
