import type { Command } from '@commander-js/extra-typings';
import {
  type JobsLeft,
  jobsLeft,
  type Removal,
  removeWithJobs,
} from '../../changes/remove-with-jobs.ts';
import { writeCount } from '../../format/write-number.ts';
import type { Quota, QuotaWithUsage, Slipway } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { findProject, readCharging } from '../session/find.ts';
import { confirm, createCommand, type Open, type Session } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { askReason, readUser, reasonWords } from './act.ts';
import { describeQuotaLeft } from './change-quota.ts';

export function createRemoveQuota(open: Open) {
  return withRemovalOptions(
    createCommand(
      'remove',
      'remove a quota',
      'slipway admin remove 306328 proj_hpc_two_02 --with-jobs --reason "she has left"',
    ),
  )
    .argument('<project>', 'project, or system for its default project')
    .action((user, project, options, command) =>
      removeQuota(open(command), user, options, (client) => findProject(client, project)),
    );
}

export function withRemovalOptions(command: Command) {
  return command
    .argument('<user>', 'user number', readUser)
    .option('--with-jobs', 'cancel its active jobs and delete its ended ones')
    .option('-y, --yes', 'skip the question')
    .option('--reason <text>', reasonWords);
}

type RemovalOptions = ReturnType<ReturnType<typeof withRemovalOptions>['opts']>;

/** Says what is lost, asks, and removes the quota of a user in a project. */
export async function removeQuota(
  session: Session,
  user: string,
  options: RemovalOptions,
  findPlace: (client: Slipway) => Promise<ProjectPlace>,
): Promise<void> {
  const { screen, print } = session;
  const reason = await askReason(session, options.reason);
  const { client } = session;
  const place = { user_id: user, ...(await findPlace(client)) };
  const quota = await client.getQuotaOfUser({ ...place, expand: 'usage' });
  screen.tell(...(await announce(client, quota, options.withJobs === true)));
  if (!(await confirm(session, 'Remove it?', options.yes))) {
    return screen.tell('Nothing was removed.');
  }
  const removal = { ...place, body: { reason } };
  const removed = options.withJobs
    ? await removeAll(session, removal)
    : await removeAlone(client, removal);
  print(removed, `Removed    ${user} in ${place.project_name}; the ledger stays`);
}

async function announce(client: Slipway, quota: Quota, withJobs: boolean): Promise<string[]> {
  const charging = (await readCharging(client))(quota.project_hpc);
  const active = quota.usage?.living_jobs ?? 0;
  return [
    `Remaining for ${quota.user} in ${quota.project_name}: ${describeQuotaLeft(quota, charging)}.`,
    ...(withJobs
      ? [
          `${writeCount(active, 'active job')} will be cancelled, and all ended ones deleted with their files.`,
        ]
      : []),
  ];
}

function removeAlone(client: Slipway, removal: Removal): Promise<QuotaWithUsage> {
  return client.removeQuota(removal).catch((error) => {
    const left = jobsLeft(error);
    if (!left) throw error;
    throw new CannotDo(`Jobs still need this quota: ${countJobs(left)}.`, {
      outcome: outcome.refused,
      next: 'To cancel and delete them with it, add --with-jobs.',
    });
  });
}

async function removeAll(session: Session, removal: Removal): Promise<QuotaWithUsage> {
  const { client, screen, interrupt } = session;
  const tell = (left: JobsLeft) => {
    interrupt.throwIfAborted();
    screen.tell(`Remaining: ${countJobs(left)}. Continuing.`);
  };
  try {
    return await removeWithJobs(client, removal, tell);
  } catch (error) {
    const left = jobsLeft(error);
    if (!left) throw error;
    throw new CannotDo(`New jobs keep coming: ${countJobs(left)} remain.`, {
      outcome: outcome.refused,
      next: `Ban the user from the project first: slipway admin ban ${removal.user_id} ${removal.project_name} --reason "..."`,
    });
  }
}

function countJobs({ active, ended }: JobsLeft): string {
  return `${active} active and ${ended} ended jobs`;
}
