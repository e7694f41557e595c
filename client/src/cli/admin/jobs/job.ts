import { Command } from '@commander-js/extra-typings';
import { placeOf } from '../../../index.ts';
import { describeJob } from '../../jobs/list/job.ts';
import type { Open } from '../../session/open.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { readUser } from '../act/read-user.ts';
import { findAnyJob } from './find-any-job.ts';

export function createAnyJob(open: Open) {
  return new Command('job')
    .description("show anybody's job: whose it is, where it is, and why it waits")
    .argument('<job>', 'its id, or with --user the beginning of it')
    .option('--user <user>', 'whose job it is', readUser)
    .addHelpText('after', writeExamples('slipway admin job AF17D39A --user 306328'))
    .action(async (wanted, { user }, command) => {
      const session = open(command);
      const { screen } = session;
      const client = session.connect();
      const job = await findAnyJob(client, wanted, user);
      const timeline = await client.getAnyTimeline(placeOf(job));
      if (session.json) return screen.say(JSON.stringify({ ...job, timeline }, null, 2));
      screen.say(`A job of ${job.owner}`, ...describeJob(session, job, timeline));
    });
}
