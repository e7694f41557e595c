import { Command } from '@commander-js/extra-typings';
import { describeStage } from '../../../format/describe-stage.ts';
import { writeMoment } from '../../../format/write-day.ts';
import { writeDuration } from '../../../format/write-duration.ts';
import type { Job, Timeline } from '../../../index.ts';
import { placeOf } from '../../../index.ts';
import { cleanText } from '../../screen/clean-text.ts';
import { colourOf } from '../../screen/paint.ts';
import type { Open } from '../../session/open.ts';
import type { Session } from '../../session/session.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { findJob } from '../find/find-job.ts';
import { describeAccount } from './describe-account.ts';
import { writeStage } from './job-columns.ts';
import { describeTimeline } from './read-progress.ts';

export function createJob(open: Open) {
  return new Command('job')
    .description('show a job: its stages, why it waits, and what it used')
    .argument('[job]', 'its id, or the beginning of it (default: the newest job)')
    .addHelpText('after', writeExamples('slipway job AF17'))
    .action(async (wanted, _, command) => {
      const session = open(command);
      const client = session.connect();
      const job = await findJob(client, wanted);
      const timeline = await client.getTimeline(placeOf(job));
      const { screen } = session;
      if (session.json) return screen.say(JSON.stringify({ ...job, timeline }, null, 2));
      screen.say(...describeJob(session, job, timeline), ...(await describeAccount(client, job)));
    });
}

function describeRun({ runtime, terminal_stage: ended }: Job, ran: number | undefined): string {
  const granted = writeDuration(runtime * 3600);
  if (ran !== undefined) return `ran ${writeDuration(ran)} of ${granted}`;
  return ended ? `was granted ${granted}` : `may run ${granted}`;
}

/** What there is to say of a job, a line for each. */
export function describeJob({ screen }: Session, job: Job, timeline: Timeline): string[] {
  const { meaning } = describeStage(job);
  const { ran, reason } = describeTimeline(job, timeline, new Date());
  const stage = `${screen.paint(colourOf[meaning], writeStage({ job }))} (${job.stage})`;
  return [
    screen.paint('bold', cleanText(job.title || '(no title)')),
    `${job.job_id}`,
    `${job.project_hpc.toLowerCase()} / ${job.project_name}`,
    `${stage}${reason === undefined ? '' : `  ${cleanText(reason)}`}`,
    describeRun(job, ran),
    '',
    ...timeline.stages.map(({ stage: word, since }) => `  ${writeMoment(since)}  ${word}`),
    ...timeline.tries
      .filter(({ accepted }) => !accepted)
      .map(
        ({ at, reason: why }) => `  ${writeMoment(at)}  not handed over: ${cleanText(why ?? '')}`,
      ),
    '',
  ];
}
