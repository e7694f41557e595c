import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeRuns } from '#lib/jobs/read/read-all-jobs.ts';
import type { JobRun } from '#lib/jobs/read/read-jobs.ts';
import { jobFixture } from '#test/fixtures/jobs.ts';
import { userId } from '#test/fixtures/names.ts';

type Order = 'asc' | 'desc';

/** One read of a project that holds these ids: at most so many, behind a place. */
function readRun(ids: readonly number[], order: Order, after: number | undefined, most: number) {
  const behind = ids
    .filter((id) => after === undefined || (order === 'asc' ? id > after : id < after))
    .sort((a, b) => (order === 'asc' ? a - b : b - a));
  const read = behind.slice(0, most);
  const run: JobRun = {
    jobs: read.map((id) => jobFixture(userId('1'), id)),
    resumeAfter: read.length < behind.length ? read.at(-1) : undefined,
  };
  return run;
}

const run = (ids: number[], resumeAfter?: number): JobRun => ({
  jobs: ids.map((id) => jobFixture(userId('1'), id)),
  resumeAfter,
});
const idsOf = ({ jobs, resumeAfter }: JobRun) => [jobs.map(({ id }) => id), resumeAfter];

describe('runs of several projects', () => {
  it('end where the first of them may go on', () => {
    expect(idsOf(mergeRuns([run([1, 5], 5), run([2, 9], 9), run([3, 20])], 'asc'))).toEqual([
      [1, 2, 3, 5],
      5,
    ]);
    expect(idsOf(mergeRuns([run([20, 5], 5), run([9, 8], 8)], 'desc'))).toEqual([[20, 9, 8], 8]);
  });

  it('lead on also where nothing was found so far', () => {
    expect(idsOf(mergeRuns([run([], 7), run([9])], 'asc'))).toEqual([[], 7]);
    expect(idsOf(mergeRuns([run([]), run([])], 'asc'))).toEqual([[], undefined]);
  });

  it('give every job once, in order, however they are spread and read', () => {
    const spread = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 500 }), fc.nat(3)), {
      selector: ([id]) => id,
      maxLength: 80,
    });
    fc.assert(
      fc.property(
        spread,
        fc.integer({ min: 1, max: 10 }),
        fc.constantFrom<Order>('asc', 'desc'),
        (jobs, most, order) => {
          const projects = [0, 1, 2, 3].map((project) =>
            jobs.filter(([, of]) => of === project).map(([id]) => id),
          );
          const seen: number[] = [];
          let after: number | undefined;
          for (let reads = 0; reads <= jobs.length; reads += 1) {
            const runs = projects.map((ids) => readRun(ids, order, after, most));
            const merged = mergeRuns(runs, order);
            seen.push(...merged.jobs.map(({ id }) => id));
            after = merged.resumeAfter;
            if (after === undefined) break;
            // A read that goes on fills a page of so many.
            expect(merged.jobs.length).toBeGreaterThanOrEqual(most);
          }
          const all = jobs.map(([id]) => id).sort((a, b) => (order === 'asc' ? a - b : b - a));
          expect(seen).toEqual(all);
        },
      ),
    );
  });
});
