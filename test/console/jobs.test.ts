import { describe, expect, it } from 'vitest';
import type { Job } from '#client/src/index.ts';
import { askFor, readFilters, writeFilters } from '#console/src/jobs/job-filters.ts';
import { mergeJobs } from '#console/src/jobs/merge-jobs.ts';
import { visibleRows } from '#console/src/jobs/visible-rows.ts';

function jobs(...ids: readonly number[]): Job[] {
  return ids.map((id) => ({
    id,
    job_id: `J-${id}`,
    owner: '306328',
    project: 1,
    project_hpc: 'HPC_ONE',
    project_name: 'p',
    title: '',
    runtime: 1,
    stage: 'QUEUED',
    terminal_stage: false,
    failed: false,
    init_date: '2026-11-15T08:30:00Z',
    end_date: null,
  }));
}

const idsOf = (list: readonly Job[]) => list.map(({ id }) => id);

describe('the filters of a list', () => {
  const read = (query: string) => readFilters(new URLSearchParams(query));

  it.each([
    ['', { order: 'desc' }],
    ['state=living', { order: 'desc', terminal: false }],
    ['state=ended', { order: 'desc', terminal: true }],
    ['state=failed&title=a%20b', { order: 'desc', failed: true, title: 'a b' }],
    ['hpc=hpc_one&project=p', { order: 'desc', hpc: 'hpc_one', project_name: 'p' }],
    ['project=p', { order: 'desc' }],
    ['state=nonsense', { order: 'desc' }],
  ])('%j ask the service for what they say', (query, asked) => {
    expect(askFor(read(query))).toEqual(asked);
  });

  it('are the same after they were written and read', () => {
    const filters = { state: 'failed', hpc: 'hpc_one', project: 'p', title: 'x' } as const;
    const written = Object.entries(writeFilters(filters)).map(([name, value]) => [
      name,
      value ?? '',
    ]);
    expect(read(new URLSearchParams(written).toString())).toEqual(filters);
  });
});

describe('pages of jobs', () => {
  it('follow each other', () => {
    expect(idsOf(mergeJobs(jobs(9, 8, 7), jobs(6, 5), 3))).toEqual([9, 8, 7, 6, 5]);
  });

  it('have a job once, as the newest page has it', () => {
    expect(idsOf(mergeJobs(jobs(10, 9, 8), jobs(8, 7, 6), 3))).toEqual([10, 9, 8, 7, 6]);
    expect(idsOf(mergeJobs(jobs(10, 9, 8), jobs(7, 7, 6), 3))).toEqual([10, 9, 8, 7, 6]);
  });

  it('lose a job that the newest page no longer has', () => {
    expect(idsOf(mergeJobs(jobs(9, 7, 6), jobs(8, 5), 3))).toEqual([9, 7, 6, 5]);
  });

  it('end where the newest is not full: there are no others', () => {
    expect(idsOf(mergeJobs(jobs(9, 8), jobs(7, 6), 3))).toEqual([9, 8]);
    expect(idsOf(mergeJobs([], jobs(7, 6), 3))).toEqual([]);
  });
});

describe('the rows that are there', () => {
  it.each([
    [{ top: 0, height: 900 }, 10_000, { first: 0, end: 29 }],
    [{ top: 56 * 5000, height: 900 }, 10_000, { first: 4988, end: 5029 }],
    [{ top: 56 * 9990, height: 900 }, 10_000, { first: 9978, end: 10_000 }],
    [{ top: 0, height: 900 }, 3, { first: 0, end: 3 }],
    [{ top: 56 * 5000, height: 900 }, 3, { first: 3, end: 3 }],
  ])('at %j of %d are few', (seen, count, rows) => {
    expect(visibleRows(seen, 56, count)).toEqual(rows);
  });
});
