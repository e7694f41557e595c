import { join } from 'node:path';
import { writeSize } from '../../format/amounts.ts';
import { writeCount } from '../../format/write-number.ts';
import { writeShortId } from '../../format/write-short-id.ts';
import { type Job, placeOf } from '../../index.ts';
import { describeNoFiles } from '../../jobs/read-file.ts';
import type { SavedFile, SkippedFile } from '../../node/index.ts';
import { findJob, findWork, isBatch } from '../session/find.ts';
import { createCommand, type Open, type Session, showList } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { writeBar } from '../terminal/screen.ts';
import { cleanText } from '../terminal/text.ts';
import { downloadBatch } from './download-batch.ts';

export function createFiles(open: Open) {
  return createCommand('files', 'list the files of a job', 'slipway files AF17')
    .argument('[job]', 'job id, or the start of it (default: newest job)')
    .option('--csv', 'print CSV, in bytes')
    .action(async (wanted, { csv }, command) => {
      const session = open(command);
      const { client } = session;
      const job = await findJob(client, wanted);
      showList(session, {
        rows: await client.listFiles(placeOf(job)),
        columns: [
          { head: 'FILE', cell: ({ filename }) => filename, shrinks: true },
          { head: 'SIZE', cell: ({ length }) => writeSize(length), align: 'right' },
        ],
        csv,
        none: describeNoFiles(job),
      });
    });
}

export function createDownload(open: Open) {
  return createCommand(
    'download',
    'download the files of a job, or of all jobs of a batch',
    'slipway download AF17',
    'slipway download AF17 listing.txt --to results',
  )
    .argument('[id]', 'job or batch id, or the start of it (default: newest)')
    .argument('[names...]', 'names of files (default: all)')
    .option('-d, --to <folder>', 'target folder (default: the start of the id)')
    .action(async (wanted, names, options, command) => {
      const session = open(command);
      const work = await findWork(session.client, wanted);
      if (isBatch(work)) {
        return downloadBatch(session, work, options.to ?? writeShortId(work.batch_id), names);
      }
      await downloadFiles(session, work, options.to ?? writeShortId(work.job_id), names);
    });
}

const barWidth = 18;

export async function downloadFiles(
  session: Session,
  job: Job,
  folder: string,
  names: readonly string[] = [],
): Promise<void> {
  const { client, screen, interrupt } = session;
  const skipped: SkippedFile[] = [];
  const saved = await client.saveFiles(job, folder, {
    signal: interrupt,
    onSkip: (file) => skipped.push(file),
    only: ({ filename }) => names.length === 0 || names.includes(filename),
    onProgress: (done, whole) =>
      screen.progress(
        `Downloading ${writeBar(whole > 0 ? done / whole : 1, barWidth)} ${writeSize(done)} of ${writeSize(whole)}`,
      ),
  });
  screen.endProgress();
  const found = new Set([...saved, ...skipped].map(({ filename }) => filename));
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) {
    throw new CannotDo(`The job has no file ${missing.map((name) => `'${name}'`).join(', ')}.`, {
      outcome: outcome.refused,
      next: `List its files: slipway files ${writeShortId(job.job_id)}`,
    });
  }
  if (skipped.length > 0) session.end(outcome.refused);
  screen.tell(...describeNames(folder, saved, skipped));
  const bytes = saved.reduce((sum, { length }) => sum + length, 0);
  session.print(
    saved,
    saved.length + skipped.length === 0
      ? describeNoFiles(job)
      : `Saved ${writeCount(saved.length, 'file')} (${writeSize(bytes)}) to ${folder}/`,
  );
}

/** Names the files that were renamed or skipped. */
function describeNames(
  folder: string,
  saved: readonly SavedFile[],
  skipped: readonly SkippedFile[],
): string[] {
  const renamed = saved.filter(({ filename, path }) => path !== join(folder, filename));
  return [
    ...renamed.map(({ filename, path }) => `Saved '${cleanText(filename)}' as ${path}`),
    ...skipped.map(({ filename, reason }) => `Skipped '${cleanText(filename)}'. ${reason}`),
  ];
}
