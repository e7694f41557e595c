import type { Job } from '#lib/jobs/job.ts';
import type { JobRun } from '#lib/jobs/read/read-jobs.ts';
import { presentJob } from '../presenters/jobs/present-job.ts';

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
  const fits = createScales();
  let position = after;
  for (let reads = 0; reads < maxReads; reads += 1) {
    const wanted = limit - texts.length;
    const run = await readRun(position, Number.isFinite(wanted) ? wanted : undefined);
    for (const job of run.jobs) {
      const text = JSON.stringify(presentJob(job));
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

/** Says of each text whether an answer carries it beside those before it. */
function createScales(): (text: string, before: readonly string[]) => boolean {
  let bytes = 0;
  let isExact = false;
  return (text, before) => {
    bytes += isExact ? carriedBytes(text) : mostCarriedBytes(text);
    if (!isExact && bytes > maxBodyBytes) {
      isExact = true;
      bytes = sumCarriedBytes([...before, text]);
    }
    return bytes <= maxBodyBytes;
  };
}

/** As if all of it were escaped: what is counted exactly costs more, and matters for large pages alone. */
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
