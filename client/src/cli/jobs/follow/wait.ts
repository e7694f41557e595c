import { Command } from '@commander-js/extra-typings';
import { describeStage } from '../../../format/describe-stage.ts';
import { writeShortId } from '../../../format/write-short-id.ts';
import type { Job, Slipway } from '../../../index.ts';
import { placeOf } from '../../../index.ts';
import { outcome } from '../../outcome/outcome.ts';
import { cleanText } from '../../screen/clean-text.ts';
import { colourOf } from '../../screen/paint.ts';
import type { Open } from '../../session/open.ts';
import type { Session } from '../../session/session.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { findJob } from '../find/find-job.ts';
import { describeAccount } from '../list/describe-account.ts';
import { writeStage } from '../list/job-columns.ts';
import { showWhileWaiting } from './show-while-waiting.ts';

export function createWait(open: Open) {
  return new Command('wait')
    .description('wait until a job has ended; ends with 1 if it failed or was cancelled')
    .argument('[job]', 'its id, or the beginning of it (default: the newest job)')
    .addHelpText('after', writeExamples('slipway wait AF17', 'slipway wait && slipway download'))
    .action(async (wanted, _, command) => {
      const session = open(command);
      const client = session.connect();
      await waitToEnd(session, client, await findJob(client, wanted));
    });
}

/** To its end, or to the first Ctrl-C, which takes nothing from the job. */
export async function waitToEnd(session: Session, client: Slipway, job: Job): Promise<Job> {
  const { screen, interrupt } = session;
  const shown = showWhileWaiting(session, client, job);
  try {
    const ended = await client.waitFor(job, { onChange: shown.change, signal: interrupt });
    shown.stop();
    await reportEnd(session, client, ended);
    return ended;
  } catch (error) {
    shown.stop();
    if (!interrupt.aborted) throw error;
    const id = writeShortId(job.job_id);
    screen.tell(
      `${id} goes on without you.`,
      `Go on waiting: slipway wait ${id}      Cancel it: slipway cancel ${id}`,
    );
    throw error;
  }
}

async function reportEnd(session: Session, client: Slipway, job: Job): Promise<void> {
  const { screen, json } = session;
  const { meaning } = describeStage(job);
  if (meaning !== 'done') session.end(outcome.jobFailed);
  if (json) return screen.say(JSON.stringify(job, null, 2));
  const stage = screen.paint(colourOf[meaning], writeStage({ job }));
  const title = cleanText(job.title || '(no title)');
  const account = await describeAccount(client, job);
  screen.say([stage, writeShortId(job.job_id), title, ...account].join('  '));
  if (meaning === 'failed') {
    const { reason } = await client.getTimeline(placeOf(job));
    const id = writeShortId(job.job_id);
    screen.tell(
      ...(reason === null ? [] : [cleanText(reason)]),
      `What it wrote: slipway logs ${id}`,
    );
  }
}
