import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '#lib/catalog/catalog.ts';
import type { Job } from '#lib/jobs/job.ts';
import type { JobFilter } from '#lib/jobs/read/job-list.ts';
import { readAllJobs } from '#lib/jobs/read/read-all-jobs.ts';
import { readJobs } from '#lib/jobs/read/read-jobs.ts';
import { tableForAll } from '../engines/use-table.ts';
import { hpcOne, jobFixture, putJobs, seedJobs } from '../fixtures/jobs.ts';
import { userId } from '../fixtures/names.ts';

const owner = userId('1');
const second = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));

/** Four jobs of one project, each of which another filter leaves out. */
const jobs: Job[] = [
  { title: 'alpha', stage: 'QUEUED', terminal: false, failed: false },
  { title: 'alphabet', stage: 'RUNNING', terminal: false, failed: false },
  { title: 'beta', stage: 'SUCCESSFUL', terminal: true, failed: false },
  { title: 'Alpha', stage: 'FAILED', terminal: true, failed: true },
].map((facts, index) => ({
  ...jobFixture(owner, index + 1),
  ...facts,
  project: hpcOne,
  submittedAt: second(index + 1),
}));

const filters: { filter: JobFilter; ids: number[] }[] = [
  { filter: {}, ids: [1, 2, 3, 4] },
  { filter: { stage: 'RUNNING' }, ids: [2] },
  { filter: { terminal: true }, ids: [3, 4] },
  { filter: { terminal: false }, ids: [1, 2] },
  { filter: { failed: true }, ids: [4] },
  { filter: { failed: false }, ids: [1, 2, 3] },
  { filter: { titleContains: 'alpha' }, ids: [1, 2] },
  { filter: { since: second(2) }, ids: [2, 3, 4] },
  { filter: { until: second(2) }, ids: [1, 2] },
  { filter: { since: second(2), until: second(3), terminal: true }, ids: [3] },
];

const table = tableForAll();
beforeAll(async () => {
  await putJobs(table, jobs);
});

const idsOf = (run: { readonly jobs: readonly Job[] }) => run.jobs.map(({ id }) => id);

describe.each(filters)('a list with the filter $filter', ({ filter, ids }) => {
  it.each([
    { order: 'asc', expected: ids },
    { order: 'desc', expected: ids.toReversed() },
  ] as const)('holds jobs $expected', async ({ order, expected }) => {
    expect(idsOf(await readJobs(table, { owner, order, filter }))).toEqual(expected);
    expect(idsOf(await readAllJobs(table, catalog, { order, filter }))).toEqual(expected);
  });
});

describe('a run of a list', () => {
  const asc = { owner, order: 'asc', filter: {} } as const;
  const desc = { owner, order: 'desc', filter: {} } as const;

  it('goes on behind the last job of the one before', async () => {
    const first = await readJobs(table, asc, undefined, 3);
    expect([idsOf(first), first.resumeAfter]).toEqual([[1, 2, 3], 3]);
    const last = await readJobs(table, asc, 3, 3);
    expect([idsOf(last), last.resumeAfter]).toEqual([[4], undefined]);
    const turned = await readJobs(table, desc, 3, 1);
    expect([idsOf(turned), turned.resumeAfter]).toEqual([[2], 2]);
  });

  it('is empty behind the last place of all', async () => {
    expect(await readJobs(table, desc, 1)).toEqual({ jobs: [], resumeAfter: undefined });
    expect(await readJobs(table, asc, Number.MAX_SAFE_INTEGER)).toEqual({
      jobs: [],
      resumeAfter: undefined,
    });
  });

  it('of a filtered list looks at 1,000 jobs, however few are wanted', async () => {
    const many = userId('2');
    await seedJobs(table, many, 10_001, 11_010);
    const list = { owner: many, order: 'asc', filter: { titleContains: '0' } } as const;
    const run = await readJobs(table, list, undefined, 1);
    expect(run.resumeAfter).toBe(11_000);
    expect(run.jobs.length).toBeGreaterThan(1);
  });

  it('of one user holds no job of another', async () => {
    expect(idsOf(await readJobs(table, { ...asc, owner: userId('3') }))).toEqual([]);
  });
});
