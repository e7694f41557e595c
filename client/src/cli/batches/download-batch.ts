import { join } from 'node:path';
import { writeSize } from '../../format/amounts/amounts.ts';
import { writeCount, writeNumber } from '../../format/numbers/write-number.ts';
import { type Batch, type Job, SlipwayProblem } from '../../index.ts';
import type { SavedFile } from '../../node/index.ts';
import type { Session } from '../session/session.ts';
import { outcome } from '../terminal/outcome.ts';
import { writeBar } from '../terminal/screen.ts';
import { cleanText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

const barWidth = 18;
/** Hides the time that each small file takes, and stays well below what the service accepts. */
const jobsAtOnce = 4;

interface SavedJob {
  readonly index: number;
  readonly job_id: string;
  readonly files: readonly SavedFile[];
}

/** Saves the files of the ended jobs of a batch, each in a folder named by its index. */
export async function downloadBatch(
  session: Session,
  batch: Batch,
  folder: string,
  names: readonly string[] = [],
): Promise<void> {
  const { client, screen, interrupt } = session;
  const jobs: Job[] = [];
  for await (const job of client.jobsOf(batch, { limit: 1000 })) jobs.push(job);
  const ended = jobs.filter((job) => job.terminal_stage);
  const digits = String(Math.max(0, ...jobs.map(indexOf))).length;
  const saved: SavedJob[] = [];
  const problems: string[] = [];
  let done = 0;
  let bytes = 0;

  const saveOne = async (job: Job) => {
    const index = indexOf(job);
    const into = join(folder, String(index).padStart(digits, '0'));
    try {
      const files = await client.saveFiles(job, into, {
        signal: interrupt,
        only: ({ filename }) => names.length === 0 || names.includes(filename),
        onSkip: ({ filename, reason }) =>
          problems.push(
            phrase('jobs.skippedOfJob', { filename: cleanText(filename), index, reason }),
          ),
      });
      bytes += files.reduce((sum, { length }) => sum + length, 0);
      if (files.length > 0) saved.push({ index, job_id: job.job_id, files });
    } catch (error) {
      // The files of one job may be gone, but those of the others are not.
      if (!(error instanceof SlipwayProblem) || error.status >= 500) throw error;
      problems.push(phrase('jobs.skippedJob', { index, message: cleanText(error.message) }));
    }
    done += 1;
    const share = phrase('shared.partOfWhole', {
      part: writeNumber(done),
      whole: writeCount(ended.length, 'job'),
    });
    screen.progress(
      phrase('jobs.downloading', {
        bar: writeBar(done / ended.length, barWidth),
        share,
        size: writeSize(bytes),
      }),
    );
  };

  const queue = ended.values();
  const workers = Array.from({ length: jobsAtOnce }, async () => {
    for (const job of queue) await saveOne(job);
  });
  await Promise.all(workers).finally(() => screen.endProgress());
  if (problems.length > 0) session.end(outcome.refused);
  screen.tell(...problems);
  saved.sort((a, b) => a.index - b.index);
  const files = saved.reduce((sum, each) => sum + each.files.length, 0);
  session.print(
    saved,
    saved.length === 0
      ? phrase('jobs.noJobOfTheBatch')
      : phrase('jobs.savedOf', {
          files: writeCount(files, 'file'),
          size: writeSize(bytes),
          jobs: writeCount(saved.length, 'job'),
          folder,
        }),
  );
  const active = batch.count - ended.length;
  if (active > 0) screen.tell(phrase('jobs.hadNotEndedYet', { jobs: writeCount(active, 'job') }));
}

function indexOf({ index = 0 }: Job): number {
  return index;
}
