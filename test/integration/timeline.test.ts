import { describe, expect, it } from 'vitest';
import { createHealthRecorder } from '#lib/hpc/breaker/system-health.ts';
import type { Observation } from '#lib/hpc/connector.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { JobNotFoundError } from '#lib/jobs/errors.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { createJob } from '#lib/jobs/job-store.ts';
import { beginJobLife } from '#lib/jobs/life/job-life-store.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { findDue } from '#lib/table/due-index.ts';
import { checksOf, handOversOf, listShards } from '#lib/table/keys.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { tableForAll } from '../engines/use-table.ts';
import { hpcOne, jobFixture } from '../fixtures/jobs.ts';
import { createWorld } from '../fixtures/life.ts';
import { countUsers, systemName } from '../fixtures/names.ts';

const hpc = systemName('hpc_one');

const table = tableForAll();
const newUser = countUsers();

const timelineOf = (job: Job) => readTimeline(table, accountOf(job), job.jobId);
const reasonOf = async (job: Job) => (await timelineOf(job)).life.reason;
const recordHealth = (healthy: boolean) => createHealthRecorder(table)(hpc, healthy, new Date());

/** As the import brings one in. */
async function bringInEnded(): Promise<Job> {
  const job = { ...jobFixture(newUser(), 7), project: hpcOne };
  await writeTransaction(table, [createJob(job), beginJobLife(job)]);
  return job;
}

describe('the timeline of a job that waits', () => {
  it('tells that its system is down, as long as that is so', async () => {
    const job = await createWorld(table, hpc).submit(newUser());
    expect(await reasonOf(job)).toBeUndefined();
    await recordHealth(false);
    expect(await reasonOf(job)).toBe(
      'hpc_one is not answering. The job will be handed over as soon as it does.',
    );
    await recordHealth(true);
    expect(await reasonOf(job)).toBeUndefined();
  });

  it('tells why the last hand-over was in vain, where there was one', async () => {
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      submit: async () => {
        throw new SystemUnavailableError('It is away.');
      },
    }));
    const job = await world.submit(newUser());
    await world.sweep();
    await recordHealth(false);
    expect(await reasonOf(job)).toBe('The HPC system did not answer. It will be tried again.');
  });
});

describe('the timeline of a job that its system has forgotten', () => {
  it('says since when, and no longer once the system knows it again', async () => {
    let gone = true;
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      lookUp: async (jobs) => {
        const says: Observation = gone
          ? { state: 'unknown' }
          : { state: 'living', stage: 'QUEUED' };
        return new Map(jobs.map(({ jobId }) => [jobId, says]));
      },
    }));
    const job = await world.submit(newUser());
    await world.sweep();
    world.pass(1);
    await world.sweep();
    const since = world
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
    world.pass(1200);
    await world.sweep();
    expect(await reasonOf(job)).toBe(`The HPC system has not known this job since ${since}.`);
    gone = false;
    world.pass(1);
    await world.sweep();
    expect(await reasonOf(job)).toBeUndefined();
  });
});

describe('the timeline of another job', () => {
  it('says nothing of its system once it was handed over', async () => {
    const world = createWorld(table, hpc);
    const job = await world.submit(newUser());
    await world.sweep();
    await recordHealth(false);
    expect(await reasonOf(job)).toBeUndefined();
  });

  it('says nothing of its system where it came in ended, and nothing is left to do for it', async () => {
    const job = await bringInEnded();
    await recordHealth(false);
    const { life } = await timelineOf(job);
    expect(life.reason).toBeUndefined();
    expect(life.stages).toEqual([{ stage: 'SUCCESSFUL', at: job.endedAt }]);
    const shards = [...listShards(handOversOf(hpc)), ...listShards(checksOf(hpc))];
    const due = await findDue(table, shards, new Date(), 100);
    expect(due.filter(({ SK }) => SK.includes(job.jobId))).toEqual([]);
  });

  it('is not there where there is no such job', async () => {
    const job = jobFixture(newUser(), 1);
    await expect(timelineOf(job)).rejects.toThrow(JobNotFoundError);
    await writeTransaction(table, [createJob(job)]);
    await expect(timelineOf(job)).rejects.toThrow(JobNotFoundError);
  });
});
