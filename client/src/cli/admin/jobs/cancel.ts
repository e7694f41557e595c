import { Command } from '@commander-js/extra-typings';
import { writeShortId } from '../../../format/write-short-id.ts';
import { type Job, placeOf } from '../../../index.ts';
import { CannotDo, outcome } from '../../outcome/outcome.ts';
import { cleanText } from '../../screen/clean-text.ts';
import type { Open } from '../../session/open.ts';
import type { Session } from '../../session/session.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { askReason, reasonWords } from '../act/ask-reason.ts';
import { readUser } from '../act/read-user.ts';
import { findAnyJob } from './find-any-job.ts';

export function createCancelAny(open: Open) {
  return new Command('cancel')
    .description("cancel anybody's living job")
    .argument('<job>', 'its id, or with --user the beginning of it')
    .option('--user <user>', 'whose job it is', readUser)
    .option('--reason <text>', reasonWords)
    .addHelpText(
      'after',
      writeExamples('slipway admin cancel AF17 --user 306328 --reason "it fills the disks"'),
    )
    .action(async (wanted, { user, reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const client = session.connect();
      const job = await findAnyJob(client, wanted, user);
      // The same request deletes what has ended, which nobody asked for.
      if (job.terminal_stage) return tell(session, 'Unchanged', job, ` has ended: ${job.stage}`);
      tell(session, 'Cancelled', await client.deleteAnyJob({ ...placeOf(job), reason }));
    });
}

export function createRemoveAny(open: Open) {
  return new Command('rm')
    .description("delete anybody's ended job, its files and the space it takes")
    .argument('<job>', 'its id, or with --user the beginning of it')
    .option('--user <user>', 'whose job it is', readUser)
    .option('--reason <text>', reasonWords)
    .addHelpText(
      'after',
      writeExamples('slipway admin rm AF17 --user 306328 --reason "as she asked"'),
    )
    .action(async (wanted, { user, reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const client = session.connect();
      const job = await findAnyJob(client, wanted, user);
      if (!job.terminal_stage) {
        throw new CannotDo(`${writeShortId(job.job_id)} has not ended. Nothing was deleted.`, {
          outcome: outcome.refused,
          next: `Cancel it first: slipway admin cancel ${job.job_id} --reason "..."`,
        });
      }
      tell(session, 'Deleted', await client.deleteAnyJob({ ...placeOf(job), reason }));
    });
}

function tell({ screen, json }: Session, done: string, job: Job, more = ''): void {
  const name = `${writeShortId(job.job_id)}, '${cleanText(job.title)}', of ${job.owner}`;
  const words = `${done.padEnd(9)}  ${name} in ${job.project_name}${more}`;
  screen.say(json ? JSON.stringify(job, null, 2) : words);
}
