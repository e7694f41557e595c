import { describeStage } from '../../../format/describe-stage.ts';
import { writeDuration } from '../../../format/write-duration.ts';
import { writeShortId } from '../../../format/write-short-id.ts';
import type { Job, Slipway, Timeline } from '../../../index.ts';
import { placeOf } from '../../../index.ts';
import { cleanText } from '../../screen/clean-text.ts';
import { cutText } from '../../screen/measure-text.ts';
import type { Session } from '../../session/session.ts';
import { writeStage } from '../list/job-columns.ts';
import { describeTimeline } from '../list/read-progress.ts';

const redrawMs = 500;
const timelineMs = 5_000;

/** One line that lives on a terminal; elsewhere a line for each stage. */
export function showWhileWaiting({ screen }: Session, client: Slipway, first: Job) {
  let job = first;
  let timeline: Timeline | undefined;
  const draw = () =>
    screen.progress(cutText(writeLine(job, timeline), Math.min(screen.width, 200) - 1));
  const look = () => {
    if (job.terminal_stage) return;
    client.getTimeline(placeOf(job)).then(
      (seen) => {
        timeline = seen;
      },
      // It is there to be looked at: waiting itself tells of what is wrong.
      () => undefined,
    );
  };
  const timers = screen.isLive ? [setInterval(draw, redrawMs), setInterval(look, timelineMs)] : [];
  if (screen.isLive) {
    draw();
    look();
  } else screen.tell(writeLine(job, undefined));
  return {
    change: (seen: Job): void => {
      job = seen;
      if (screen.isLive) look();
      else if (!seen.terminal_stage) screen.tell(writeLine(seen, undefined));
    },
    stop: (): void => {
      for (const timer of timers) clearInterval(timer);
      screen.endProgress();
    },
  };
}

function writeLine(job: Job, timeline: Timeline | undefined): string {
  const { meaning } = describeStage(job);
  const { ran, reason } = timeline ? describeTimeline(job, timeline, new Date()) : {};
  const parts = [
    writeStage({ job }),
    writeShortId(job.job_id),
    job.title || '(no title)',
    ...(meaning === 'running' && ran !== undefined
      ? [`${writeDuration(ran)} of ${writeDuration(job.runtime * 3600)}`]
      : []),
    ...(reason === undefined ? [] : [reason]),
  ];
  return cleanText(parts.join('  '));
}
