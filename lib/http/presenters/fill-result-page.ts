import type { JobResult } from '#lib/batches/read-results.ts';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import type { Job } from '#lib/jobs/job.ts';
import type { JobRun } from '#lib/jobs/read/read-jobs.ts';
import { createCounter } from './carried-bytes.ts';
import { presentResult } from './present-result.ts';

export interface ResultPageSource {
  /** Reads the jobs after an id, at most as many as are still wanted. */
  readonly readRun: (after: number | undefined, wanted: number) => Promise<JobRun>;
  readonly readResults: (jobs: readonly Job[]) => Promise<readonly JobResult[]>;
  /** The most jobs whose results are read before it is known whether they fit. */
  readonly atOnce: number;
  /** True if nothing more should be started, so that a slow system gives short pages. */
  readonly isOver: () => boolean;
}

export interface ResultPage {
  readonly lines: readonly string[];
  /** The id of the job after which the list continues, or undefined at its end. */
  readonly next: number | undefined;
}

/** Reads results until the page has as many as wanted or carried, or took long enough. */
export async function fillResultPage(
  { readRun, readResults, atOnce, isOver }: ResultPageSource,
  limit: number,
  after?: number,
): Promise<ResultPage> {
  const page = openPage();
  for (let from = after; ; ) {
    const { jobs, resumeAfter } = await readRun(from, limit - page.lines.length);
    for (const group of splitIntoBatches(jobs, atOnce)) {
      const isEnough = page.lines.length > 0 && isOver();
      if (isEnough || !page.add(await readResults(group))) {
        return { lines: page.lines, next: page.end() };
      }
    }
    if (resumeAfter === undefined || page.lines.length >= limit) {
      return { lines: page.lines, next: resumeAfter };
    }
    from = resumeAfter;
  }
}

function openPage() {
  const lines: string[] = [];
  const fits = createCounter();
  let end: number | undefined;
  return {
    lines,
    /** The id of the last job on the page. */
    end: () => end,
    /** Adds results until one does not fit, and says whether all did. */
    add: (results: readonly JobResult[]): boolean =>
      results.every((found) => {
        const line = JSON.stringify(presentResult(found));
        if (!fits(line, lines)) return false;
        lines.push(line);
        end = found.job.id;
        return true;
      }),
  };
}
