import type { Job } from '#lib/jobs/job.ts';
import type { JobRun } from '#lib/jobs/read/read-jobs.ts';
import { presentJob } from '../presenters/present-job.ts';

/** One answer of Lambda carries 6 MB, counted with the escapes of the string that it stands in. */
const maxBodyBytes = 4_500_000;

/** A filter that matches nothing must not read a whole history in one request. */
const maxReads = 20;

/** One read of a list: behind an id, and of as many as are still wanted. */
export type ReadRun = (after: number | undefined, wanted: number | undefined) => Promise<JobRun>;

export interface JobPage {
  readonly body: string;
  /** The id behind which the list goes on, where it does. */
  readonly next: number | undefined;
}

/**
 * As much of the list as was asked for, or as one answer can carry: reads run after run, from
 * wherever they come, until the page is full.
 */
export async function fillJobPage(
  readRun: ReadRun,
  limit = Number.POSITIVE_INFINITY,
  after?: number,
): Promise<JobPage> {
  const texts: string[] = [];
  let bytes = 0;
  let position = after;
  for (let reads = 0; reads < maxReads; reads += 1) {
    const wanted = limit - texts.length;
    const run = await readRun(position, Number.isFinite(wanted) ? wanted : undefined);
    for (const job of run.jobs) {
      const text = JSON.stringify(presentJob(job));
      bytes += mostCarriedBytes(text);
      if (bytes > maxBodyBytes) bytes = sumCarriedBytes([...texts, text]);
      if (texts.length === limit || bytes > maxBodyBytes) return closePage(texts, position);
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

/** As if all of it were escaped: counting what is costs more than writing it, and rarely matters. */
function mostCarriedBytes(text: string): number {
  return 2 * Buffer.byteLength(text) + 1;
}

function sumCarriedBytes(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + carriedBytes(text), 0);
}

/** Every quote of the JSON is escaped once more on its way through Lambda. */
function carriedBytes(text: string): number {
  let bytes = Buffer.byteLength(text) + 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote || code === backslash) bytes += 1;
  }
  return bytes;
}

const quote = 0x22;
const backslash = 0x5c;
