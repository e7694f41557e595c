import { describe, expect, it } from 'vitest';
import { jobFromItem } from '#lib/jobs/job.ts';
import { sumUpSimilar } from '#lib/jobs/submit/estimate-job.ts';
import { hpcOne, jobItem } from '../../fixtures/samples.ts';

const job = (change: object = {}) =>
  jobFromItem({
    ...jobItem(hpcOne),
    title: 'run 1',
    runtime: 2,
    terminal: true,
    ran_seconds: 600,
    ...change,
  });

describe('the last jobs of the same kind', () => {
  it('are those with the same title, apart from numbers', () => {
    const jobs = [job(), job({ title: 'Run 17', ran_seconds: 720 }), job({ title: 'other' })];
    expect(sumUpSimilar(jobs, 'run 2')).toEqual({ jobs: 2, time: { used: 720, asked: 7200 } });
    expect(sumUpSimilar(jobs, 'none')).toBeUndefined();
  });

  it('are at most ten, the newest', () => {
    const jobs = [...Array.from({ length: 10 }, () => job()), job({ ran_seconds: 7000 })];
    expect(sumUpSimilar(jobs, 'run 2')).toEqual({ jobs: 10, time: { used: 600, asked: 7200 } });
  });

  it.each([
    ['was cancelled', { stage: 'CANCELED' }, false],
    ['never ran', { ran_seconds: undefined }, false],
    ['failed early', { failed: true }, false],
    ['failed at its limit', { failed: true, ran_seconds: 7200 }, true],
  ])('count one that %s: %#', (_, change, counts) => {
    expect(sumUpSimilar([job(change)], 'run 1') !== undefined).toBe(counts);
  });
});
