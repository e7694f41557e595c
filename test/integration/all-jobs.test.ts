import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '#lib/catalog/catalog.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { deleteAnyJob, deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { JobNotFoundError } from '#lib/jobs/errors.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findOwner } from '#lib/jobs/read/find-owner.ts';
import type { AllJobsList, JobFilter } from '#lib/jobs/read/job-list.ts';
import { readAllJobs } from '#lib/jobs/read/read-all-jobs.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { createTable } from '#local/create-table.ts';
import { countUsers, jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';
import { setCredentials } from '../engines/credentials.ts';
import { embedded } from '../engines/engines.ts';
import { meter } from '../engines/meter.ts';
import { openTableOn } from '../engines/open-table-on.ts';
import { onEveryEngine } from '../engines/use-table.ts';
import { hpcOne, hpcTwo, putJobs } from '../fixtures/jobs.ts';
import { createWorld, expectAccountAddsUp, readLedger } from '../fixtures/life.ts';
import { readActs } from '../fixtures/read-acts.ts';

const second = { number: 3, hpc: systemName('hpc_two'), name: projectName('proj_hpc_two_02') };
const by = '100001';

/** Ended jobs of three projects and two owners, unevenly, none of them in the order of projects. */
function mixJobs(count: number): Job[] {
  return Array.from({ length: count }, (_, index) => {
    const id = index + 1;
    const project = id % 7 === 0 ? second : id % 3 === 0 ? hpcTwo : hpcOne;
    return {
      id,
      jobId: jobId(`MIXED-${id}`),
      owner: userId(id % 5 === 0 ? '8' : '7'),
      project,
      title: `job ${id}`,
      runtime: 2,
      stage: project === hpcOne ? 'SUCCESSFUL' : 'COMPLETED',
      terminal: true,
      failed: id % 2 === 0,
      submittedAt: new Date('2026-01-01T00:00:00Z'),
      endedAt: new Date('2026-01-01T01:00:00Z'),
      hold: { seconds: 7200, kilobytes: 1 },
    };
  });
}

onEveryEngine("everybody's jobs on $name", (engine) => {
  let database: Awaited<ReturnType<typeof engine.start>>;
  let table: Table;
  let lists: Table;
  const newUser = countUsers(1000);
  const jobs = mixJobs(60);
  beforeAll(async () => {
    database = await engine.start();
    setCredentials();
    process.env.AWS_ENDPOINT_URL_DYNAMODB = database.endpoint;
    await createTable('slipway-cancels');
    await createTable('slipway-lists');
    table = openTable('slipway-cancels');
    lists = openTable('slipway-lists');
    for (let start = 0; start < jobs.length; start += 25) {
      await putJobs(lists, jobs.slice(start, start + 25));
    }
  });
  afterAll(async () => {
    table.client.destroy();
    lists.client.destroy();
    await database.close();
  });

  /** All of a list, in runs of so many. */
  async function readToEnd(wanted: Partial<AllJobsList>, limit?: number): Promise<number[]> {
    const list: AllJobsList = { order: 'asc', filter: {}, ...wanted };
    const ids: number[] = [];
    let after: number | undefined;
    for (let reads = 0; reads < 200; reads += 1) {
      const run = await readAllJobs(lists, catalog, list, after, limit);
      ids.push(...run.jobs.map(({ id }) => id));
      after = run.resumeAfter;
      if (after === undefined) return ids;
    }
    throw new Error('The list has no end.');
  }
  const idsOf = (matches: (job: Job) => boolean) => jobs.filter(matches).map(({ id }) => id);

  const kinds: { what: string; wanted: Partial<AllJobsList>; matches: (job: Job) => boolean }[] = [
    { what: 'everything', wanted: {}, matches: () => true },
    {
      what: 'a system',
      wanted: { hpc: systemName('hpc_two') },
      matches: ({ project }) => project.hpc === 'hpc_two',
    },
    {
      what: 'a project',
      wanted: { hpc: systemName('hpc_two'), project: second.name },
      matches: ({ project }) => project === second,
    },
    { what: 'a user', wanted: { owner: userId('8') }, matches: ({ owner }) => owner === '8' },
    {
      what: 'a user on a system',
      wanted: { owner: userId('7'), hpc: systemName('hpc_one') },
      matches: ({ owner, project }) => owner === '7' && project === hpcOne,
    },
    {
      what: 'a filter',
      wanted: { filter: { failed: true } satisfies JobFilter },
      matches: ({ failed }) => failed,
    },
    { what: 'nobody', wanted: { owner: userId('9') }, matches: () => false },
  ];

  it.each(kinds)('of $what are read by id, whole and in runs, both ways', async (each) => {
    const expected = idsOf(each.matches);
    for (const limit of [undefined, 1, 7, 100]) {
      expect(await readToEnd(each.wanted, limit)).toEqual(expected);
      const turned = await readToEnd({ ...each.wanted, order: 'desc' }, limit);
      expect(turned).toEqual(expected.toReversed());
    }
  });

  it('are found by their identifier alone', async () => {
    const job = await createWorld(table, systemName('hpc_two')).submit(newUser());
    expect(await findOwner(table, job.jobId)).toBe(job.owner);
    await expect(findOwner(table, jobId('MIXED-404'))).rejects.toThrow(JobNotFoundError);
  });

  const acts = async (jobId: JobId, at: Date) =>
    (await readActs(table, at)).filter((item) => item.job_id === jobId);
  const cancel = (job: Job, now: Date, reason = 'It runs wild.') =>
    deleteAnyJob(table, accountOf(job), job.jobId, { reason, by }, now);

  it('are cancelled by an administrator: settled, told of, and the system hears of it', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const job = await world.submit(newUser());
    await world.sweep();
    world.pass(2);
    await world.sweep();
    world.pass(10);
    const cancelled = await cancel(job, world.now());
    expect(cancelled).toMatchObject({ stage: 'CANCELED', terminal: true, failed: false });
    const { life } = await readTimeline(table, accountOf(job), job.jobId);
    expect(life.reason).toBe('Cancelled by an administrator: It runs wild.');
    const [act, ...others] = await acts(job.jobId, world.now());
    expect(others).toEqual([]);
    expect(act).toMatchObject({
      kind: 'job-cancelled',
      by,
      reason: 'It runs wild.',
      user: job.owner,
      hpc: systemName('hpc_one'),
      project_name: job.project.name,
      details: { stage: { before: 'RUNNING', after: 'CANCELED' } },
    });
    const settled = (await readLedger(table, job)).find(({ kind }) => kind === 'settle');
    expect(settled).toMatchObject({ by, act_id: act?.act_id });
    const account = { user: job.owner, hpc: systemName('hpc_one'), project: job.project.name };
    expect(await findQuota(table, account)).toMatchObject({
      activeJobs: 0,
      time: { held: 0, used: 20 },
      space: { held: 0, left: 10_000_000 },
    });
    await expectAccountAddsUp(table, job);
    const tag = { jobId: job.jobId, owner: job.owner };
    expect(await world.connector.findByTag(tag)).toBe(job.jobId);
    await world.sweep();
    expect(await world.connector.findByTag(tag)).toBeUndefined();
    // Again, with another reason even: nothing more happens.
    expect(await cancel(job, world.now(), 'once more')).toEqual(cancelled);
    expect(await acts(job.jobId, world.now())).toHaveLength(1);
  });

  it('are cancelled once where administrators, owner and completion race', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const job = await world.submit(newUser());
    await world.sweep();
    world.pass(100);
    await Promise.all([
      world.sweep(),
      deleteJob(table, accountOf(job), job.jobId, world.now()),
      cancel(job, world.now()),
      cancel(job, world.now()),
      cancel(job, world.now()),
    ]);
    const ended = await findJob(table, accountOf(job), job.jobId);
    expect(ended.terminal).toBe(true);
    const lines = await readLedger(table, job);
    const settled = lines.filter(({ kind }) => kind === 'settle');
    expect(settled).toHaveLength(1);
    const told = await acts(job.jobId, world.now());
    // It is told of exactly where it was an administrator who cancelled the job, or deleted it.
    expect(told.map(({ act_id }) => act_id)).toEqual(
      lines.filter((line) => line.by === by).map(({ act_id }) => act_id),
    );
    await expectAccountAddsUp(table, job);
    world.pass(120);
    await world.sweep();
  });

  it('are not found in another project', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const elsewhere = { ...(await world.submit(newUser())), project: hpcTwo };
    await expect(cancel(elsewhere, world.now())).rejects.toThrow(JobNotFoundError);
  });
});

describe('what a page of everybody’s jobs costs', () => {
  it('does not grow with the jobs that there are', async () => {
    const { table, close } = await openTableOn(embedded, 'slipway-cost');
    const { cost } = meter(table);
    const list: AllJobsList = { order: 'asc', filter: {} };
    const page = (after?: number) => cost(() => readAllJobs(table, catalog, list, after, 10));
    const many = mixJobs(600);
    const put = async (from: number, to: number) => {
      for (let start = from; start < to; start += 25) {
        await putJobs(table, many.slice(start, Math.min(start + 25, to)));
      }
    };
    await put(0, 150);
    const early = await page();
    await put(150, 600);
    expect(await page()).toEqual(early);
    const middle = await page(400);
    expect(middle.readUnits).toBeLessThanOrEqual(early.readUnits + 1);
    expect(early.writeUnits).toBe(0);
    await close();
  });
});
