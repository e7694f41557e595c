import { Command } from '@commander-js/extra-typings';
import { problems, type Quota, type QuotaWithUsage, type Slipway } from '../../../index.ts';
import { findProject } from '../../account/find-project.ts';
import { readCharging } from '../../account/read-charging.ts';
import { CannotDo, outcome } from '../../outcome/outcome.ts';
import { confirm } from '../../session/confirm.ts';
import type { Open } from '../../session/open.ts';
import type { Session } from '../../session/session.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { askReason, reasonWords } from '../act/ask-reason.ts';
import { readUser } from '../act/read-user.ts';
import type { QuotaPlace } from './change-quota.ts';
import { describeQuotaLeft } from './show-change.ts';

export function createRemoveQuota(open: Open) {
  return new Command('remove')
    .description('remove the quota of a user in a project')
    .argument('<user>', 'the number of the user', readUser)
    .argument('<project>', 'the project, or a system for its default project')
    .option('--with-jobs', 'cancel the jobs that live there, and delete those that have ended')
    .option('-y, --yes', 'do not ask')
    .option('--reason <text>', reasonWords)
    .addHelpText(
      'after',
      writeExamples(
        'slipway admin remove 306328 proj_hpc_two_02 --with-jobs --reason "she has left"',
      ),
    )
    .action(async (user, project, options, command) => {
      const session = open(command);
      const { screen, json } = session;
      const reason = await askReason(session, options.reason);
      const client = session.connect();
      const place = { user_id: user, ...(await findProject(client, project)) };
      const quota = await client.getQuotaOfUser({ ...place, expand: 'usage' });
      screen.tell(...(await announce(client, quota, options.withJobs === true)));
      if (!(await confirm(session, 'Remove it?', options.yes))) {
        return screen.tell('Nothing was removed.');
      }
      const removed = options.withJobs
        ? await removeWithJobs(session, client, place, reason)
        : await removeAlone(client, place, reason);
      if (json) return screen.say(JSON.stringify(removed, null, 2));
      screen.say(`Removed    ${user} in ${place.project_name}; the ledger stays`);
    });
}

async function announce(client: Slipway, quota: Quota, withJobs: boolean): Promise<string[]> {
  const charging = (await readCharging(client))(quota.project_hpc);
  const living = quota.usage?.living_jobs ?? 0;
  return [
    `Left to ${quota.user} in ${quota.project_name}: ${describeQuotaLeft(quota, charging)}.`,
    ...(withJobs
      ? [`Its ${living} living jobs are cancelled, and all ended ones deleted with their files.`]
      : []),
  ];
}

function removeAlone(client: Slipway, place: QuotaPlace, reason: string): Promise<QuotaWithUsage> {
  return client.removeQuota({ ...place, reason }).catch((error) => {
    if (!(error instanceof problems['quota-in-use'])) throw error;
    throw new CannotDo(`Jobs still need this quota: ${countJobs(error.problem)}.`, {
      outcome: outcome.refused,
      next: 'To cancel and delete them with it, add --with-jobs.',
    });
  });
}

/** One request has the time for some of the jobs: it is sent again while there are fewer each time. */
async function removeWithJobs(
  { screen, interrupt }: Session,
  client: Slipway,
  place: QuotaPlace,
  reason: string,
): Promise<QuotaWithUsage> {
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    try {
      return await client.removeQuota({ ...place, reason, with_jobs: true });
    } catch (error) {
      if (!(error instanceof problems['quota-in-use'])) throw error;
      interrupt.throwIfAborted();
      const left = sumJobs(error.problem);
      if (left >= before) {
        throw new CannotDo(`Jobs keep coming: ${countJobs(error.problem)} are still there.`, {
          outcome: outcome.refused,
          next: `Ban the user there first: slipway admin ban ${place.user_id} ${place.project_name} --reason "..."`,
        });
      }
      before = left;
      screen.tell(`Still there: ${countJobs(error.problem)}. Going on.`);
    }
  }
}

type Counts = Readonly<Record<string, unknown>>;

function sumJobs({ living_jobs: living, ended_jobs: ended }: Counts): number {
  return Number(living ?? 0) + Number(ended ?? 0);
}

function countJobs({ living_jobs: living, ended_jobs: ended }: Counts): string {
  return `${Number(living ?? 0)} living and ${Number(ended ?? 0)} ended jobs`;
}
