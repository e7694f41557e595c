import { writeNodeTime } from '../../format/amounts/amounts.ts';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { writeNumber } from '../../format/numbers/write-number.ts';
import { tell } from '../../format/sentences/tell.ts';
import { writeMoment } from '../../format/times/day.ts';
import { writeDuration } from '../../format/times/duration.ts';
import { writeAge } from '../../format/times/write-age.ts';
import { type Batch, type Job, placeOf } from '../../index.ts';
import { readLastLine } from '../../jobs/last-line.ts';
import { viewBatch, writeCounts, writeShare } from '../session/batch-view.ts';
import { findBatch, readCharging } from '../session/find.ts';
import { writeStage } from '../session/job-view.ts';
import { readCount } from '../session/options.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import { reportSubmission } from '../submission/price.ts';
import { column, rightColumn } from '../terminal/screen.ts';
import { cleanText, colourOf } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

const usualCount = 20;
const mostOfPage = 100;

export function createBatches(open: Open) {
  return createCommand('batches', phrase('jobs.listYourBatches'))
    .examples('slipway batches hpc_one')
    .argument('[hpc]', phrase('shared.nameOfAnHpcSystem'))
    .argument('[project]', phrase('shared.nameOfAProject'))
    .option('-l, --limit <count>', phrase('shared.numberOfRows'), readCount, usualCount)
    .option('-a, --all', phrase('shared.allRows'))
    .option('--csv', phrase('shared.printCsvWithAllFields'))
    .action(async (hpc, project, { limit, all, csv }, command) => {
      const session = open(command);
      const { client, screen } = session;
      const now = new Date();
      const most = all ? Infinity : limit;
      const place = { hpc: hpc?.toLowerCase(), project_name: project };
      const asked = { ...place, limit: Math.min(most, mostOfPage) };
      const rows = await take(client.listBatches(asked), most);
      showList(session, rows, { csv, none: phrase('jobs.youHaveNoBatches'), most }, [
        column('shared.headStage', (batch) => writeStage(viewBatch(batch)), {
          paint: (batch, text) => screen.paint(colourOf[viewBatch(batch).meaning], text),
        }),
        column('jobs.headBatch', ({ batch_id: id }) => writeShortId(id)),
        column('shared.headTitle', ({ title }) => title || phrase('shared.noTitle'), {
          shrinks: true,
        }),
        column('jobs.headEnded', (batch) => writeShare(batch, 10)),
        column('', writeCounts, { shrinks: true, spare: 3 }),
        column('shared.headSystem', ({ project_hpc: name }) => name.toLowerCase(), { spare: 1 }),
        column('shared.headAge', ({ init_date: begun }) => writeAge(begun, now), { spare: 2 }),
      ]);
    });
}

export function createBatch(open: Open) {
  return createCommand('batch', phrase('jobs.showABatch'))
    .examples('slipway batch 5C6D')
    .argument('[batch]', phrase('jobs.batchId'))
    .action(async (wanted, _, command) => {
      const session = open(command);
      const { client, screen, json, print } = session;
      const batch = await findBatch(client, wanted);
      if (json) return print(batch);
      const charging = (await readCharging(client))(batch.project_hpc);
      const reserved = writeNodeTime(batch.held.time, charging);
      const used = writeNodeTime(batch.used.time, charging);
      screen.say(
        ...listFacts(session, batch),
        batch.end_date === null
          ? phrase('jobs.reservesUsed', { reserved, used })
          : phrase('jobs.batchUsed', { used }),
        ...(await listFailed(session, batch)),
      );
    });
}

function listFacts({ screen }: Session, batch: Batch): string[] {
  const { title, batch_id: id, project_hpc: hpc, project_name: project, max_running: most } = batch;
  const view = viewBatch(batch);
  const duration = writeDuration(batch.runtime * 3600);
  const begun = writeMoment(batch.init_date);
  return [
    screen.paint('bold', cleanText(title || phrase('shared.noTitle'))),
    id,
    `${hpc.toLowerCase()} / ${project}`,
    `${screen.paint(colourOf[view.meaning], writeStage(view))}  ${writeShare(batch)}  ${writeCounts(batch)}`,
    most === null
      ? phrase('jobs.eachMayRun', { duration })
      : phrase('jobs.eachMayRunAtMostAt', { duration, most: writeNumber(most) }),
    batch.end_date === null
      ? phrase('jobs.submitted', { begun })
      : phrase('jobs.submittedEnded', { begun, moment: writeMoment(batch.end_date) }),
  ];
}

const mostFailed = 10;

/** Lists the first failed jobs, and why they failed. */
async function listFailed({ client, screen }: Session, batch: Batch): Promise<string[]> {
  const { failed } = batch.counts;
  if (failed === 0) return [];
  const jobs = await take(client.jobsOf(batch, { failed: true, limit: mostFailed }), mostFailed);
  const rows = await Promise.all(
    jobs.map(async (job) => {
      const [{ reason }, last] = await Promise.all([
        client.getTimeline(placeOf(job)),
        readLastLine(client, job),
      ]);
      return { job, why: [reason && tell(reason), last].filter((text) => text).join(' ') };
    }),
  );
  const id = writeShortId(batch.batch_id);
  const more = failed - jobs.length;
  return [
    '',
    ...screen.layOut<{ readonly job: Job; readonly why: string }>(rows, [
      rightColumn('shared.headIndex', ({ job }) => String(job.index ?? '')),
      column('shared.headFailed', ({ job }) => writeShortId(job.job_id)),
      column('shared.headTitle', ({ job }) => job.title || phrase('shared.noTitle'), {
        shrinks: true,
      }),
      column('shared.headWhy', ({ why }) => why, { shrinks: true }),
    ]),
    ...(more > 0 ? [phrase('jobs.andMoreFailed', { count: more })] : []),
    '',
    phrase('jobs.allOfThem', { id }),
  ];
}

export function createAgain(open: Open) {
  return createCommand('again', phrase('jobs.runTheFailedJobs'))
    .examples('slipway again 5C6D')
    .argument('[batch]', phrase('jobs.batchId'))
    .action(async (wanted, _, command) => {
      const session = open(command);
      const batch = await findBatch(session.client, wanted);
      const made = await session.client.repeatFailed(placeOf(batch));
      await reportSubmission(session, made, made);
    });
}
