import { join } from 'node:path';
import { writeSize } from '../../format/amounts/amounts.ts';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { writeCount } from '../../format/numbers/write-number.ts';
import { type Job, placeOf } from '../../index.ts';
import { describeNoFiles } from '../../jobs/read-file.ts';
import type { SavedFile, SkippedFile } from '../../node/index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { downloadBatch } from '../batches/download-batch.ts';
import { findJob, findWork, isBatch } from '../session/find.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { column, rightColumn, writeBar } from '../terminal/screen.ts';
import { cleanText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

const mostOfPage = 5000;

export function createFiles(open: Open) {
  return createCommand('files', phrase('jobs.listTheFiles'))
    .examples('slipway files AF17', 'slipway files AF17 --folder out')
    .argument('[job]', phrase('jobs.jobId'))
    .option('--folder <path>', phrase('jobs.listOneFolder'))
    .option('--csv', phrase('jobs.printCsvInBytes'))
    .action(async (wanted, { csv, folder }, command) => {
      const session = open(command);
      const { client } = session;
      const job = await findJob(client, wanted);
      const part = folder === undefined ? {} : { folder, limit: mostOfPage };
      const files = await take(client.listFiles({ ...placeOf(job), ...part }), Infinity);
      const none = part.folder ? phrase('jobs.noSuchFolder', part) : describeNoFiles(job);
      showList(session, files, { csv, none }, [
        column('jobs.headFile', ({ filename }) => filename, { shrinks: true }),
        rightColumn('jobs.headSize', (file) => (file.folder ? '' : writeSize(file.length))),
      ]);
    });
}

export function createDownload(open: Open) {
  return createCommand('download', phrase('jobs.downloadTheFiles'))
    .examples('slipway download AF17', 'slipway download AF17 listing.txt --to results')
    .argument('[id]', phrase('jobs.jobOrBatchId'))
    .argument('[names...]', phrase('jobs.namesOfFiles'))
    .option('-d, --to <folder>', phrase('jobs.targetFolder'))
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
  const missing = (name: string) =>
    new CannotDo(phrase('jobs.hasNoFiles', { missing: `'${name}'` }), {
      outcome: outcome.refused,
      next: phrase('jobs.listItsFiles', { id: writeShortId(job.job_id) }),
    });
  await saveAll(session, job, folder, { names, missing, none: describeNoFiles(job) });
}

interface Wanted {
  /** None for all. */
  readonly names: readonly string[];
  readonly missing: (names: string) => CannotDo;
  readonly none?: string;
}

/** Saves files of a job, or of the folder of a project, and says where they are. */
export async function saveAll(
  session: Session,
  source: Job | ProjectPlace,
  folder: string,
  { names, missing: refuse, none = phrase('project.folderIsEmpty') }: Wanted,
): Promise<void> {
  const { client, screen, interrupt } = session;
  const skipped: SkippedFile[] = [];
  const saved = await client.saveFiles(source, folder, {
    signal: interrupt,
    onSkip: (file) => skipped.push(file),
    only: ({ filename }) => names.length === 0 || names.includes(filename),
    onProgress: (done, whole) =>
      screen.progress(
        phrase('jobs.downloadingOf', {
          drawBar: writeBar(whole > 0 ? done / whole : 1, barWidth),
          size: writeSize(done),
          size2: writeSize(whole),
        }),
      ),
  });
  screen.endProgress();
  const found = new Set([...saved, ...skipped].map(({ filename }) => filename));
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) {
    throw refuse(missing.join("', '"));
  }
  if (skipped.length > 0) session.end(outcome.refused);
  screen.tell(...describeNames(folder, saved, skipped));
  const bytes = saved.reduce((sum, { length }) => sum + length, 0);
  session.print(
    saved,
    saved.length + skipped.length === 0
      ? none
      : phrase('jobs.savedTo', {
          files: writeCount(saved.length, 'file'),
          size: writeSize(bytes),
          folder,
        }),
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
    ...renamed.map(({ filename, path }) =>
      phrase('jobs.savedAs', { filename: cleanText(filename), path }),
    ),
    ...skipped.map(({ filename, reason }) =>
      phrase('jobs.skipped', { filename: cleanText(filename), reason }),
    ),
  ];
}
