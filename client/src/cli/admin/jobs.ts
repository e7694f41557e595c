import type { Command } from '@commander-js/extra-typings';
import type { StageOf } from '../../format/describe-stage.ts';
import { matchesId, writeShortId } from '../../format/write-short-id.ts';
import { type Job, placeOf, type Slipway } from '../../index.ts';
import type { PartialPlace } from '../../rows/match-projects.ts';
import { listJobFacts } from '../commands/jobs.ts';
import { chooseJob, mayBeWhole } from '../session/find.ts';
import {
  type JobOptions,
  jobColumns,
  readJobFilter,
  readStages,
  withJobFilter,
} from '../session/job-view.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import type { Column } from '../terminal/screen.ts';
import { cleanText, type Paint } from '../terminal/text.ts';
import { askReason, readUser, reasonWords } from './act.ts';

const mostOfPage = 1000;

export function createAllJobs(open: Open) {
  return withJobFilter(
    createCommand(
      'jobs',
      "list everybody's jobs, newest first",
      'slipway admin jobs --user 306328 --active',
      'slipway admin jobs hpc_one --failed --since 7d',
    ),
  )
    .option('--user <user>', 'user number', readUser)
    .action((hpc, project, options, command) =>
      showAllJobs(open(command), { hpc, project_name: project }, options),
    );
}

/** Lists everybody's jobs of a place, with their owners. */
export async function showAllJobs(
  session: Session,
  { hpc, project_name: project }: PartialPlace,
  options: JobOptions & { readonly user?: string },
): Promise<void> {
  const { client, screen } = session;
  const most = options.all ? Infinity : options.limit;
  const filter = { ...readJobFilter(hpc, project, options), user: options.user };
  const limit = Math.min(mostOfPage, most);
  showList(session, {
    rows: await take(client.listAllJobs({ ...filter, limit }), most),
    columns: allJobsColumns(screen.paint, await readStages(client)),
    csv: options.csv,
    none: 'No jobs match.',
    most,
  });
}

/** The columns of one's own list, and the owner. */
function allJobsColumns(paint: Paint, stageOf: StageOf): Column<Job>[] {
  const [stage, id, ...others] = jobColumns(new Date(), paint, stageOf).map(ofJob);
  const owner: Column<Job> = { head: 'USER', cell: (job) => job.owner };
  return [stage, id, owner, ...others].filter((column) => column !== undefined);
}

function ofJob({ cell, paint, ...column }: ReturnType<typeof jobColumns>[number]): Column<Job> {
  return {
    ...column,
    cell: (job) => cell({ job }),
    ...(paint && { paint: (job, text) => paint({ job }, text) }),
  };
}

export function createAnyJob(open: Open) {
  const example = 'slipway admin job AF17D39A --user 306328';
  return withAnyJob(createCommand('job', "show anybody's job", example)).action(
    async (wanted, { user }, command) => {
      const session = open(command);
      const { client } = session;
      const job = await findAnyJob(client, wanted, user);
      const timeline = await client.getAnyTimeline(placeOf(job));
      const facts = listJobFacts(session, job, timeline, (await readStages(client))(job));
      session.print({ ...job, timeline }, `A job of ${job.owner}`, ...facts);
    },
  );
}

export function createCancelAny(open: Open) {
  const example = 'slipway admin cancel AF17 --user 306328 --reason "it fills the disks"';
  return withAnyJob(createCommand('cancel', "cancel anybody's job", example))
    .option('--reason <text>', reasonWords)
    .action(async (wanted, options, command) => {
      const session = open(command);
      const { job, remove } = await prepareRemoval(session, wanted, options);
      // The same request would delete an ended job.
      if (job.terminal_stage) return tell(session, 'Unchanged', job, ` has ended: ${job.stage}`);
      tell(session, 'Cancelled', await remove());
    });
}

export function createRemoveAny(open: Open) {
  const example = 'slipway admin rm AF17 --user 306328 --reason "as she asked"';
  return withAnyJob(createCommand('rm', "delete anybody's ended job", example))
    .option('--reason <text>', reasonWords)
    .action(async (wanted, options, command) => {
      const session = open(command);
      const { job, remove } = await prepareRemoval(session, wanted, options);
      if (!job.terminal_stage) {
        throw new CannotDo(`${writeShortId(job.job_id)} has not ended. Nothing was deleted.`, {
          outcome: outcome.refused,
          next: `Cancel it first: slipway admin cancel ${job.job_id} --reason "..."`,
        });
      }
      tell(session, 'Deleted', await remove());
    });
}

/** Asks for a missing reason and finds the job. */
async function prepareRemoval(
  session: Session,
  wanted: string,
  options: { readonly user?: string; readonly reason?: string },
) {
  const reason = await askReason(session, options.reason);
  const { client } = session;
  const job = await findAnyJob(client, wanted, options.user);
  return { job, remove: () => client.deleteAnyJob({ ...placeOf(job), reason }) };
}

function tell({ print }: Session, done: string, job: Job, more = ''): void {
  const name = `${writeShortId(job.job_id)}, '${cleanText(job.title)}', of ${job.owner}`;
  print(job, `${done.padEnd(9)}  ${name} in ${job.project_name}${more}`);
}

function withAnyJob(command: Command) {
  return command
    .argument('<job>', 'job id, or the start of it with --user')
    .option('--user <user>', 'user number of the owner', readUser);
}

/** Finds anybody's job by its id, or by the start of it among the jobs of one user. */
async function findAnyJob(client: Slipway, wanted: string, user: string | undefined): Promise<Job> {
  const jobId = wanted.toUpperCase();
  const [exact] = mayBeWhole(jobId) ? await client.listAllJobs({ job_id: jobId }) : [];
  if (exact) return exact;
  const none = `Unknown job '${wanted}'.`;
  if (user === undefined) {
    const next = 'Write the whole id, or add its owner: --user USER';
    throw new CannotDo(none, { outcome: outcome.refused, next });
  }
  const found: Job[] = [];
  for await (const job of client.listAllJobs({ user, order: 'desc', limit: 1000 })) {
    if (matchesId(job.job_id, wanted)) found.push(job);
  }
  const next = `The jobs of ${user}: slipway admin jobs --user ${user} --all`;
  return chooseJob(found, wanted, { none, next });
}
