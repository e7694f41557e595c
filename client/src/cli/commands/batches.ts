import { writeNodeTime } from '../../format/amounts.ts';
import { writeMoment } from '../../format/day.ts';
import { writeDuration } from '../../format/duration.ts';
import { writeAge } from '../../format/write-age.ts';
import { writeCount, writeNumber } from '../../format/write-number.ts';
import { writeShortId } from '../../format/write-short-id.ts';
import { type Batch, type Job, placeOf } from '../../index.ts';
import { viewBatch, writeCounts, writeShare } from '../session/batch-view.ts';
import { findBatch, readCharging } from '../session/find.ts';
import { writeStage } from '../session/job-view.ts';
import { readCount } from '../session/options.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import { cleanText, colourOf } from '../terminal/text.ts';
import { reportBatch } from './submit-batch.ts';

const usualCount = 20;
const mostOfPage = 100;

export function createBatches(open: Open) {
  return createCommand('batches', 'list your batches, newest first', 'slipway batches hpc_one')
    .argument('[hpc]', 'name of an HPC system')
    .argument('[project]', 'name of a project')
    .option('-l, --limit <count>', 'number of rows', readCount, usualCount)
    .option('-a, --all', 'all rows')
    .option('--csv', 'print CSV with all fields')
    .action(async (hpc, project, { limit, all, csv }, command) => {
      const session = open(command);
      const { client, screen } = session;
      const now = new Date();
      const most = all ? Infinity : limit;
      const place = { hpc: hpc?.toLowerCase(), project_name: project };
      const asked = { ...place, limit: Math.min(most, mostOfPage) };
      showList(session, {
        rows: await take(client.listBatches(asked), most),
        columns: [
          {
            head: 'STAGE',
            cell: (batch) => writeStage(viewBatch(batch)),
            paint: (batch, text) => screen.paint(colourOf[viewBatch(batch).meaning], text),
          },
          { head: 'BATCH', cell: ({ batch_id: id }) => writeShortId(id) },
          { head: 'TITLE', cell: ({ title }) => title || '(no title)', shrinks: true },
          { head: 'ENDED', cell: (batch) => writeShare(batch, 10) },
          { head: '', cell: writeCounts, shrinks: true, spare: 3 },
          { head: 'SYSTEM', cell: ({ project_hpc: name }) => name.toLowerCase(), spare: 1 },
          { head: 'AGE', cell: ({ init_date: begun }) => writeAge(begun, now), spare: 2 },
        ],
        csv,
        none: 'You have no batches. Submit many jobs as one: slipway submit --help',
        most,
      });
    });
}

export function createBatch(open: Open) {
  return createCommand('batch', 'show a batch and its failed jobs', 'slipway batch 5C6D')
    .argument('[batch]', 'batch id, or the start of it (default: newest batch)')
    .action(async (wanted, _, command) => {
      const session = open(command);
      const { client, screen, json, print } = session;
      const batch = await findBatch(client, wanted);
      if (json) return print(batch);
      const charging = (await readCharging(client))(batch.project_hpc);
      const reserved = writeNodeTime(batch.held.time, charging);
      screen.say(
        ...listFacts(session, batch),
        `${batch.end_date === null ? `reserves ${reserved}, ` : ''}used ${writeNodeTime(batch.used.time, charging)}`,
        ...(await listFailed(session, batch)),
      );
    });
}

function listFacts({ screen }: Session, batch: Batch): string[] {
  const { title, batch_id: id, project_hpc: hpc, project_name: project, max_running: most } = batch;
  const view = viewBatch(batch);
  const limit = most === null ? '' : `, at most ${writeNumber(most)} at once`;
  return [
    screen.paint('bold', cleanText(title || '(no title)')),
    id,
    `${hpc.toLowerCase()} / ${project}`,
    `${screen.paint(colourOf[view.meaning], writeStage(view))}  ${writeShare(batch)}  ${writeCounts(batch)}`,
    `each may run ${writeDuration(batch.runtime * 3600)}${limit}`,
    `submitted ${writeMoment(batch.init_date)}${batch.end_date === null ? '' : `, ended ${writeMoment(batch.end_date)}`}`,
  ];
}

const mostFailed = 10;

/** Lists the first failed jobs, and why they failed. */
async function listFailed({ client, screen }: Session, batch: Batch): Promise<string[]> {
  const { failed } = batch.counts;
  if (failed === 0) return [];
  const jobs = await take(client.jobsOf(batch, { failed: true, limit: mostFailed }), mostFailed);
  const rows = await Promise.all(
    jobs.map(async (job) => ({ job, reason: (await client.getTimeline(placeOf(job))).reason })),
  );
  const id = writeShortId(batch.batch_id);
  const more = failed - jobs.length;
  return [
    '',
    ...screen.layOut<{ readonly job: Job; readonly reason: string | null }>(rows, [
      { head: 'INDEX', cell: ({ job }) => String(job.index ?? ''), align: 'right' },
      { head: 'FAILED', cell: ({ job }) => writeShortId(job.job_id) },
      { head: 'TITLE', cell: ({ job }) => job.title || '(no title)', shrinks: true },
      { head: 'WHY', cell: ({ reason }) => reason ?? '', shrinks: true },
    ]),
    ...(more > 0 ? [`and ${writeCount(more, 'more job')}`.replace('more jobs', 'more')] : []),
    '',
    `All of them: slipway jobs --batch ${id} --failed      Run them again: slipway again ${id}`,
  ];
}

export function createAgain(open: Open) {
  return createCommand(
    'again',
    'run the failed jobs of a batch again, as a new batch',
    'slipway again 5C6D',
  )
    .argument('[batch]', 'batch id, or the start of it (default: newest batch)')
    .action(async (wanted, _, command) => {
      const session = open(command);
      const batch = await findBatch(session.client, wanted);
      await reportBatch(session, await session.client.repeatFailed(placeOf(batch)), {});
    });
}
