import type { Command } from '@commander-js/extra-typings';
import type { StageOf } from '../../format/jobs/describe-stage.ts';
import { matchesId, writeShortId } from '../../format/jobs/write-short-id.ts';
import { type Job, placeOf, type Slipway } from '../../index.ts';
import type { PartialPlace } from '../../rows/match-projects.ts';
import { listJobFacts } from '../jobs/jobs.ts';
import { choose, mayBeWhole } from '../session/find.ts';
import {
  type JobOptions,
  jobColumns,
  readJobFilter,
  readStages,
  withJobFilter,
} from '../session/job-view.ts';
import { readUser } from '../session/options.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import { nameColumn, namesOption, wantsNames } from '../session/user-names.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { type Column, column } from '../terminal/screen.ts';
import { cleanText, type Paint } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';
import { askReason, reasonWords } from './act.ts';

const mostOfPage = 1000;

export function createAllJobs(open: Open) {
  return withJobFilter(
    createCommand('jobs', phrase('admin.listEverybodysJobs')).examples(
      'slipway admin jobs --user 306328 --active',
      'slipway admin jobs hpc_one --failed --since 7d',
    ),
  )
    .option('--user <user>', phrase('shared.userNumber'), readUser)
    .option(...namesOption())
    .action((hpc, project, options, command) =>
      showAllJobs(open(command), { hpc, project_name: project }, options),
    );
}

/** Lists everybody's jobs of a place, with their owners. */
export async function showAllJobs(
  session: Session,
  { hpc, project_name: project }: PartialPlace,
  options: JobOptions & { readonly user?: string; readonly names?: true },
): Promise<void> {
  const { client, screen } = session;
  const most = options.all ? Infinity : options.limit;
  const filter = { ...readJobFilter(hpc, project, options), user: options.user };
  const limit = Math.min(mostOfPage, most);
  const names = wantsNames(options);
  const rows = await take(client.listAllJobs({ ...filter, names, limit }), most);
  const columns = allJobsColumns(screen.paint, await readStages(client));
  const { csv } = options;
  showList(session, rows, { csv, most, none: phrase('admin.noJobsMatch') }, columns);
}

/** The columns of one's own list, and the owner. */
function allJobsColumns(paint: Paint, stageOf: StageOf): Column<Job>[] {
  const [stage, id, ...others] = jobColumns(new Date(), paint, stageOf).map(ofJob);
  const owner: Column<Job> = column('shared.headUser', (job) => job.owner);
  const name: Column<Job> = nameColumn((job) => job.owner_name);
  return [stage, id, owner, name, ...others].filter((column) => column !== undefined);
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
  return withAnyJob(createCommand('job', phrase('admin.showAnybodysJob')).examples(example)).action(
    async (wanted, { user }, command) => {
      const session = open(command);
      const { client } = session;
      const job = await findAnyJob(client, wanted, user);
      const timeline = await client.getAnyTimeline(placeOf(job));
      const facts = listJobFacts(session, job, timeline, (await readStages(client))(job));
      session.print(
        { ...job, timeline },
        phrase('admin.jobOfOwner', { owner: writeOwner(job) }),
        ...facts,
      );
    },
  );
}

function writeOwner({ owner, owner_name: name }: Job): string {
  return name === undefined ? owner : `${owner} (${cleanText(name)})`;
}

export function createCancelAny(open: Open) {
  const example = 'slipway admin cancel AF17 --user 306328 --reason "it fills the disks"';
  return withAnyJob(createCommand('cancel', phrase('admin.cancelAnybodysJob')).examples(example))
    .option('--reason <text>', reasonWords())
    .action(async (wanted, options, command) => {
      const session = open(command);
      const { job, remove } = await prepareRemoval(session, wanted, options);
      // The same request would delete an ended job.
      if (job.terminal_stage)
        return session.print(
          job,
          phrase('admin.unchangedHasEnded', { job: nameJob(job), stage: job.stage }),
        );
      const cancelled = await remove();
      session.print(cancelled, phrase('admin.cancelledJob', { job: nameJob(cancelled) }));
    });
}

export function createRemoveAny(open: Open) {
  const example = 'slipway admin rm AF17 --user 306328 --reason "as she asked"';
  return withAnyJob(createCommand('rm', phrase('admin.deleteAnybodysEndedJob')).examples(example))
    .option('--reason <text>', reasonWords())
    .action(async (wanted, options, command) => {
      const session = open(command);
      const { job, remove } = await prepareRemoval(session, wanted, options);
      if (!job.terminal_stage) {
        throw new CannotDo(phrase('shared.hasNotEnded', { id: writeShortId(job.job_id) }), {
          outcome: outcome.refused,
          next: phrase('admin.cancelItFirst', { id: job.job_id }),
        });
      }
      const deleted = await remove();
      session.print(deleted, phrase('admin.deletedJob', { job: nameJob(deleted) }));
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

function nameJob({ job_id: id, title, owner, project_name: project }: Job): string {
  return phrase('admin.jobOfOwnerInProject', {
    id: writeShortId(id),
    title: cleanText(title),
    owner,
    project,
  });
}

function withAnyJob(command: Command) {
  return command
    .argument('<job>', phrase('admin.jobId'))
    .option('--user <user>', phrase('admin.userNumberOfTheOwner'), readUser);
}

/** Finds anybody's job by its id, or by the start of it among the jobs of one user. */
async function findAnyJob(client: Slipway, wanted: string, user: string | undefined): Promise<Job> {
  const jobId = wanted.toUpperCase();
  const [exact] = mayBeWhole(jobId) ? await client.listAllJobs({ job_id: jobId, names: true }) : [];
  if (exact) return exact;
  const none = phrase('admin.unknownJob', { wanted });
  if (user === undefined) {
    const next = phrase('admin.writeTheWholeId');
    throw new CannotDo(none, { outcome: outcome.refused, next });
  }
  const found: Job[] = [];
  for await (const job of client.listAllJobs({ user, names: true, order: 'desc', limit: 1000 })) {
    if (matchesId(job.job_id, wanted)) found.push(job);
  }
  const next = phrase('admin.theJobs', { user });
  return choose(found, wanted, { none, next });
}
