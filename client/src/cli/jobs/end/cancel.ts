import { Command } from '@commander-js/extra-typings';
import { writeShortId } from '../../../format/write-short-id.ts';
import type { Job, Slipway } from '../../../index.ts';
import { placeOf } from '../../../index.ts';
import { CannotDo, outcome } from '../../outcome/outcome.ts';
import { cleanText } from '../../screen/clean-text.ts';
import type { Open } from '../../session/open.ts';
import type { Session } from '../../session/session.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { findJob } from '../find/find-job.ts';

export function createCancel(open: Open) {
  return new Command('cancel')
    .description('cancel jobs; what they have not used goes back to the quota')
    .argument('<jobs...>', 'their ids, or the beginnings of them')
    .addHelpText('after', writeExamples('slipway cancel AF17'))
    .action(async (wanted, _, command) => {
      const session = open(command);
      const client = session.connect();
      const jobs = await findAll(client, wanted);
      for (const job of jobs) await cancelOne(session, client, job);
    });
}

export function createRemove(open: Open) {
  return new Command('rm')
    .description('delete ended jobs, their files and the space they take')
    .argument('<jobs...>', 'their ids, or the beginnings of them')
    .addHelpText('after', writeExamples('slipway rm AF17 0D3C'))
    .action(async (wanted, _, command) => {
      const session = open(command);
      const client = session.connect();
      const jobs = await findAll(client, wanted);
      const living = jobs.find((job) => !job.terminal_stage);
      if (living) {
        const id = writeShortId(living.job_id);
        throw new CannotDo(`${id} has not ended. Nothing was deleted.`, {
          outcome: outcome.refused,
          next: `Cancel it first: slipway cancel ${id}`,
        });
      }
      for (const job of jobs) {
        const deleted = await client.deleteJob(placeOf(job));
        tell(session, deleted, 'deleted');
      }
    });
}

/** All are found before anything is done. */
function findAll(client: Slipway, wanted: readonly string[]): Promise<Job[]> {
  return Promise.all(wanted.map((id) => findJob(client, id)));
}

/** Canceling what has ended would delete it, which nobody asked for. */
async function cancelOne(session: Session, client: Slipway, job: Job): Promise<void> {
  if (job.terminal_stage) tell(session, job, `has ended before: ${job.stage}`);
  else tell(session, await client.deleteJob(placeOf(job)), 'cancelled');
}

function tell({ screen, json }: Session, job: Job, words: string): void {
  if (json) screen.say(JSON.stringify(job, null, 2));
  else screen.say(`${writeShortId(job.job_id)}  ${cleanText(job.title || '(no title)')}  ${words}`);
}
