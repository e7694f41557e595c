import { Command } from '@commander-js/extra-typings';
import { describeStage } from '../../../format/describe-stage.ts';
import { writeShortId } from '../../../format/write-short-id.ts';
import type { Job } from '../../../index.ts';
import { placeOf } from '../../jobs/find/find-job.ts';
import { CannotDo, outcome } from '../../outcome/outcome.ts';
import { cleanText } from '../../screen/clean-text.ts';
import { confirm } from '../../session/confirm.ts';
import type { Open } from '../../session/open.ts';
import type { Session } from '../../session/session.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { askReason, reasonWords } from '../act/ask-reason.ts';
import { readUser } from '../act/read-user.ts';
import { findAnyJob } from './find-any-job.ts';

export function createCancel(open: Open) {
  return new Command('cancel')
    .description("cancel anybody's living job")
    .argument('<job>', 'its id, or with --user the beginning of it')
    .option('--user <user>', 'whose job it is', readUser)
    .option('--reason <text>', `${reasonWords} in the timeline of the job`)
    .addHelpText(
      'after',
      writeExamples('slipway admin cancel AF17D39A --user 306328 --reason "it fills the disks"'),
    )
    .action(async (wanted, { user, reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const client = session.connect();
      const job = await findAnyJob(client, wanted, user);
      // One request cancels what lives and deletes what has ended: nobody means the other one.
      if (job.terminal_stage) {
        throw new CannotDo(`${nameJob(job)} has ended: it is ${describeStage(job).meaning}.`, {
          outcome: outcome.refused,
          next: `To delete it with its files: slipway admin delete ${job.job_id} --reason "..."`,
        });
      }
      const canceled = await client.deleteAnyJob({ ...placeOf(job), reason });
      showJob(session, 'Canceled', canceled);
    });
}

export function createDelete(open: Open) {
  return new Command('delete')
    .description("delete anybody's ended job, with its files")
    .argument('<job>', 'its id, or with --user the beginning of it')
    .option('--user <user>', 'whose job it is', readUser)
    .option('-y, --yes', 'do not ask')
    .option('--reason <text>', reasonWords)
    .addHelpText(
      'after',
      writeExamples('slipway admin delete AF17D39A --user 306328 --reason "as she asked"'),
    )
    .action(async (wanted, { user, yes, reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const client = session.connect();
      const job = await findAnyJob(client, wanted, user);
      if (!job.terminal_stage) {
        throw new CannotDo(`${nameJob(job)} has not ended: it is ${describeStage(job).meaning}.`, {
          outcome: outcome.refused,
          next: `To cancel it: slipway admin cancel ${job.job_id} --reason "..."`,
        });
      }
      if (!(await confirm(session, `Delete ${nameJob(job)} with its files?`, yes))) {
        return session.screen.tell('Nothing was deleted.');
      }
      const deleted = await client.deleteAnyJob({ ...placeOf(job), reason });
      showJob(session, 'Deleted', deleted);
    });
}

function showJob({ screen, json }: Session, done: string, job: Job): void {
  if (json) return screen.say(JSON.stringify(job, null, 2));
  screen.say(`${done.padEnd(9)}  ${nameJob(job)} of ${job.owner} in ${job.project_name}`);
}

function nameJob({ job_id: id, title }: Job): string {
  return `${writeShortId(id)} (${cleanText(title || 'no title')})`;
}
