import type { Command } from '@commander-js/extra-typings';
import {
  type JobsLeft,
  jobsLeft,
  type Removal,
  removeWithJobs,
} from '../../changes/remove-with-jobs.ts';
import { writeCount } from '../../format/numbers/write-number.ts';
import type { Quota, QuotaWithUsage, Slipway } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { findProject, readCharging } from '../session/find.ts';
import { readUser } from '../session/options.ts';
import { confirm, createCommand, type Open, type Session } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';
import { askReason, reasonWords } from './act.ts';
import { describeQuotaLeft } from './change-quota.ts';

export function createRemoveQuota(open: Open) {
  return withRemovalOptions(
    createCommand('remove', phrase('admin.removeAQuota')).examples(
      'slipway admin remove 306328 proj_hpc_two_02 --with-jobs --reason "she has left"',
    ),
  )
    .argument('<project>', phrase('shared.projectOrItsSystem'))
    .action((user, project, options, command) =>
      removeQuota(open(command), user, options, (client) => findProject(client, project)),
    );
}

export function withRemovalOptions(command: Command) {
  return command
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .option('--with-jobs', phrase('admin.cancelItsActiveJobs'))
    .option('-y, --yes', phrase('shared.skipTheQuestion'))
    .option('--reason <text>', reasonWords());
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
  if (!(await confirm(session, phrase('admin.removeIt'), options.yes))) {
    return screen.tell(phrase('admin.nothingWasRemoved'));
  }
  const removal = { ...place, body: { reason } };
  const removed = options.withJobs
    ? await removeAll(session, removal)
    : await removeAlone(client, removal);
  print(removed, phrase('admin.removedIn', { user, projectName: place.project_name }));
}

async function announce(client: Slipway, quota: Quota, withJobs: boolean): Promise<string[]> {
  const charging = (await readCharging(client))(quota.project_hpc);
  const active = quota.usage?.living_jobs ?? 0;
  return [
    phrase('admin.remainingFor', {
      user: quota.user,
      projectName: quota.project_name,
      left: describeQuotaLeft(quota, charging),
    }),
    ...(withJobs
      ? [phrase('admin.willBeCancelled', { jobs: writeCount(active, 'active job') })]
      : []),
  ];
}

function removeAlone(client: Slipway, removal: Removal): Promise<QuotaWithUsage> {
  return client.removeQuota(removal).catch((error) => {
    const left = jobsLeft(error);
    if (!left) throw error;
    throw new CannotDo(phrase('admin.jobsStillNeedThisQuota', { jobs: countJobs(left) }), {
      outcome: outcome.refused,
      next: phrase('admin.toCancelAndDeleteThem'),
    });
  });
}

async function removeAll(session: Session, removal: Removal): Promise<QuotaWithUsage> {
  const { client, screen, interrupt } = session;
  const tell = (left: JobsLeft) => {
    interrupt.throwIfAborted();
    screen.tell(phrase('admin.remainingContinuing', { jobs: countJobs(left) }));
  };
  try {
    return await removeWithJobs(client, removal, tell);
  } catch (error) {
    const left = jobsLeft(error);
    if (!left) throw error;
    throw new CannotDo(phrase('admin.newJobsKeepComing', { jobs: countJobs(left) }), {
      outcome: outcome.refused,
      next: phrase('admin.banTheUserFrom', {
        userId: removal.user_id,
        projectName: removal.project_name,
      }),
    });
  }
}

function countJobs({ active, ended }: JobsLeft): string {
  return phrase('admin.activeAndEndedJobs', { active, ended });
}
