import { Command } from '@commander-js/extra-typings';
import { writeMoment } from '../../../format/write-day.ts';
import { writeDuration } from '../../../format/write-duration.ts';
import type { Job, Timeline } from '../../../index.ts';
import { placeOf } from '../../jobs/find/find-job.ts';
import { writeStage } from '../../jobs/list/job-columns.ts';
import { cleanText } from '../../screen/clean-text.ts';
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
      const { connect, screen, json } = open(command);
      const client = connect();
      const job = await findAnyJob(client, wanted, user);
      const timeline = await client.getAnyTimeline(placeOf(job));
      if (json) return screen.say(JSON.stringify({ ...job, timeline }, null, 2));
      screen.say(...describeJob(job, timeline).map(cleanText));
    });
}

function describeJob(job: Job, { stages, reason }: Timeline): string[] {
  return [
    `Job        ${job.job_id}`,
    `Title      ${job.title || '(no title)'}`,
    `User       ${job.owner}`,
    `Where      ${job.project_name} on ${job.project_hpc.toLowerCase()}`,
    `May run    ${writeDuration(job.runtime * 3600)}`,
    `Stage      ${writeStage({ job })}${reason === null ? '' : `: ${reason}`}`,
    ...stages.map(({ stage, since }) => `           ${writeMoment(since)}  ${stage}`),
  ];
}
