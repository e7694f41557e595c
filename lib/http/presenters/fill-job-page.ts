import type { Job } from '#lib/jobs/job.ts';
import type { JobRun } from '#lib/jobs/read/read-jobs.ts';
import { createCounter } from './carried-bytes.ts';
import { presentJob } from './present-job.ts';

/** Keeps a filter that matches nothing from reading the whole history in one request. */
const maxReads = 20;

/** Reads the jobs after an id, at most as many as are still wanted. */
export type ReadRun = (after: number | undefined, wanted: number | undefined) => Promise<JobRun>;

/** Presents jobs, each at its place. */
export type PresentJobs = (jobs: readonly Job[]) => Promise<readonly object[]>;

export interface JobPage {
  readonly body: string;
  /** The id after which the list continues, or undefined at its end. */
  readonly next: number | undefined;
}

/** Reads until the page has as many jobs as the client asked for, or as a response can carry. */
export async function fillJobPage(
  readRun: ReadRun,
  limit = Number.POSITIVE_INFINITY,
  after?: number,
  present: PresentJobs = async (jobs) => jobs.map(presentJob),
): Promise<JobPage> {
  const texts: string[] = [];
  const fits = createCounter();
  let position = after;
  for (let reads = 0; reads < maxReads; reads += 1) {
    const wanted = limit - texts.length;
    const run = await readRun(position, Number.isFinite(wanted) ? wanted : undefined);
    const presented = await present(run.jobs);
    for (const [index, job] of run.jobs.entries()) {
      const text = JSON.stringify(presented[index]);
      if (texts.length === limit || !fits(text, texts)) return closePage(texts, position);
      texts.push(text);
      position = job.id;
    }
    position = run.resumeAfter;
    if (position === undefined || texts.length === limit) return closePage(texts, position);
  }
  return closePage(texts, position);
}

function closePage(texts: readonly string[], next: Job['id'] | undefined): JobPage {
  return { body: `[${texts.join(',')}]`, next };
}
