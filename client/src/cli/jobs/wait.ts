import type { StageOf, StageView } from '../../format/jobs/describe-stage.ts';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { tell } from '../../format/sentences/tell.ts';
import { writeDuration } from '../../format/times/duration.ts';
import { type Job, placeOf, type Timeline } from '../../index.ts';
import { readLastLine } from '../../jobs/last-line.ts';
import { waitForBatch } from '../batches/wait-batch.ts';
import { findWork, isBatch } from '../session/find.ts';
import { describeAccount, describeTimeline, readStages, writeStage } from '../session/job-view.ts';
import { createCommand, type Open, type Session } from '../session/session.ts';
import { outcome } from '../terminal/outcome.ts';
import { cleanText, colourOf, cutText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

export function createWait(open: Open) {
  return createCommand('wait', phrase('jobs.waitForAJob'))
    .examples('slipway wait AF17', 'slipway wait && slipway download')
    .argument('[id]', phrase('jobs.jobOrBatchId'))
    .action(async (wanted, _, command) => {
      const session = open(command);
      const work = await findWork(session.client, wanted);
      if (isBatch(work)) await waitForBatch(session, work);
      else await waitToEnd(session, work);
    });
}

/** Waits until the job ends, or until the first Ctrl-C. The job itself goes on. */
export async function waitToEnd(session: Session, job: Job): Promise<Job> {
  const { client, screen, interrupt } = session;
  const stageOf = await readStages(client);
  const shown = showWhileWaiting(session, job, stageOf);
  try {
    const ended = await client.waitFor(job, { onChange: shown.change, signal: interrupt });
    shown.stop();
    await reportEnd(session, ended, stageOf(ended));
    return ended;
  } catch (error) {
    shown.stop();
    if (!interrupt.aborted) throw error;
    const id = writeShortId(job.job_id);
    screen.tell(phrase('jobs.continuesWithout', { id }), phrase('jobs.keepWaiting', { id }));
    throw error;
  }
}

async function reportEnd(session: Session, job: Job, view: StageView): Promise<void> {
  const { client, screen } = session;
  const { meaning } = view;
  if (meaning !== 'done') session.end(outcome.jobFailed);
  if (session.json) return session.print(job);
  const stage = screen.paint(colourOf[meaning], writeStage(view));
  const title = cleanText(job.title || phrase('shared.noTitle'));
  const account = await describeAccount(client, job);
  screen.say([stage, writeShortId(job.job_id), title, ...account].join('  '));
  if (meaning === 'failed') {
    const { reason } = await client.getTimeline(placeOf(job));
    const last = await readLastLine(client, job);
    const id = writeShortId(job.job_id);
    screen.tell(
      ...[reason && tell(reason), last].flatMap((text) => (text ? [cleanText(text)] : [])),
      phrase('jobs.whatItWrote', { id }),
    );
  }
}

const redrawMs = 500;
const timelineMs = 5_000;

/** Shows one changing line on a terminal, and a line for each stage elsewhere. */
function showWhileWaiting({ client, screen }: Session, first: Job, stageOf: StageOf) {
  let job = first;
  let timeline: Timeline | undefined;
  const draw = () =>
    screen.progress(
      cutText(writeLine(job, timeline, stageOf(job)), Math.min(screen.width, 200) - 1),
    );
  const look = () => {
    if (job.terminal_stage) return;
    client.getTimeline(placeOf(job)).then(
      (seen) => {
        timeline = seen;
      },
      // Only for show: waiting itself reports errors.
      () => undefined,
    );
  };
  const timers = screen.isLive ? [setInterval(draw, redrawMs), setInterval(look, timelineMs)] : [];
  if (screen.isLive) {
    draw();
    look();
  } else if (!job.terminal_stage) screen.tell(writeLine(job, undefined, stageOf(job)));
  return {
    change: (seen: Job): void => {
      job = seen;
      if (screen.isLive) look();
      else if (!seen.terminal_stage) screen.tell(writeLine(seen, undefined, stageOf(seen)));
    },
    stop: (): void => {
      for (const timer of timers) clearInterval(timer);
      screen.endProgress();
    },
  };
}

function writeLine(job: Job, timeline: Timeline | undefined, view: StageView): string {
  const { ran, reason } = timeline ? describeTimeline(job, timeline, new Date()) : {};
  const parts = [
    writeStage(view),
    writeShortId(job.job_id),
    job.title || phrase('shared.noTitle'),
    ...(view.meaning === 'running' && ran !== undefined
      ? [
          phrase('shared.partOfWhole', {
            part: writeDuration(ran),
            whole: writeDuration(job.runtime * 3600),
          }),
        ]
      : []),
    ...(reason === undefined ? [] : [reason]),
  ];
  return cleanText(parts.join('  '));
}
