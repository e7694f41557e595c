import {
  changeShare,
  chooseFirstSpace,
  describeTooMuch,
  findMember,
  type MemberPlace,
  type ShareChange,
} from '../../changes/change-share.ts';
import { writeNodeTime } from '../../format/amounts/amounts.ts';
import type { Quota, Slipway } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { askReason, reasonWords } from '../admin/act.ts';
import { nameNewEnd, showChange } from '../admin/change-quota.ts';
import { quotaColumns } from '../admin/quotas.ts';
import { removeQuota, withRemovalOptions } from '../admin/remove.ts';
import { type ChargingOf, readCharging } from '../session/find.ts';
import { readAmount, readEnd, readSpace, readUser } from '../session/options.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import { namesOption, wantsNames } from '../session/user-names.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { type Column, rightColumn } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';
import { findLed, projectOption } from './find-led.ts';

export function createMembers(open: Open) {
  return createCommand('members', phrase('project.listTheMembersAndWhat'))
    .examples('slipway project members', 'slipway project members -p lab_42 --csv')
    .option(...projectOption())
    .option('--csv', phrase('shared.printCsvInSecondsAndKilobytes'))
    .option(...namesOption())
    .action(async ({ project, csv, names }, command) => {
      const session = open(command);
      const { client } = session;
      const rows = await readMembers(
        client,
        await findLed(project)(client),
        wantsNames({ csv, names }),
      );
      const columns = memberColumns(await readCharging(client));
      showList(session, rows, { csv, none: phrase('project.noMembersYet') }, columns);
    });
}

/** Reads the quotas of all members. A new member can take a moment to appear. */
export function readMembers(
  client: Slipway,
  { hpc, project_name: project }: ProjectPlace,
  names = true,
): Promise<Quota[]> {
  return take(client.listAllQuotas({ hpc, project, names, expand: 'usage' }), Infinity);
}

/** The columns of quotas without the project, which all rows share, and with the used time. */
export function memberColumns(chargingOf: ChargingOf): Column<Quota>[] {
  const used: Column<Quota> = rightColumn(
    'shared.headUsed',
    ({ usage, project_hpc: hpc }) => (usage ? writeNodeTime(usage.time.used, chargingOf(hpc)) : ''),
    { spare: 3 },
  );
  return quotaColumns(chargingOf).flatMap((column) => {
    if (column.id === 'shared.headProject' || column.id === 'shared.headSystem') return [];
    return column.id === 'shared.headLeft' ? [column, used] : [column];
  });
}

export function createInvite(open: Open) {
  return createCommand('invite', phrase('project.makeSomebodyAMember'))
    .examples('slipway project invite 306330 --reason "starts her thesis"')
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .option(...projectOption())
    .option('--reason <text>', reasonWords())
    .action(async (user, options, command) => {
      const session = open(command);
      const target = await prepare(session, user, options);
      const { quota, isNew } = await changeShare(session.client, target.place, target);
      const { project_name: name } = target.place;
      session.print(
        quota,
        isNew
          ? phrase('project.invitedIsAMember', { user, name })
          : phrase('project.unchangedIsAlreadyAMember', { user, name }),
        phrase('project.nextGiveTime', { user, name }),
      );
    });
}

export function createGrant(open: Open) {
  return createCommand('grant', phrase('project.giveAMemberTimeFrom'))
    .examples(
      'slipway project grant 306330 20 --reason "the first experiments"',
      'slipway project grant 306330 500h --space 10GB --until "31 March" --reason "her thesis"',
    )
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .argument('<amount>', phrase('shared.additionalTimeOrSo'), readAmount)
    .option(...projectOption())
    .option('--space <size>', phrase('project.spaceOfShare'), readSpace)
    .option('--until <day>', phrase('project.lastDay'), readEnd)
    .option('--reason <text>', reasonWords())
    .action(async (user, amount, { space, until, ...options }, command) => {
      const session = open(command);
      refuseNegative([amount, space], phrase('project.theAmountToGrantCannot'), 'take');
      const target = await prepare(session, user, options);
      const firstSpace = await readFirstSpace(session, target.place);
      const wish = { ...target, time: amount, space, firstSpace, until };
      const quota = await changeAndShow(session, phrase('shared.doneGranted'), wish);
      if (quota.usage?.space.granted === 0) session.screen.tell(phrase('admin.theQuotaHasNoSpace'));
    });
}

export function createTake(open: Open) {
  return createCommand('take', phrase('project.takeTimeBackFrom'))
    .examples('slipway project take 306330 5 --reason "needed elsewhere"')
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .argument('<amount>', phrase('project.timeThatGoesBack'), readAmount)
    .option(...projectOption())
    .option('--space <size>', phrase('project.spaceThatGoesBack'), readSpace)
    .option('--reason <text>', reasonWords())
    .action(async (user, amount, { space = 0, ...options }, command) => {
      const session = open(command);
      refuseNegative([amount, space], phrase('project.theAmountToTakeCannot'), 'grant');
      const target = await prepare(session, user, options);
      const member = await requireMember(session, target.place);
      const charging = (await readCharging(session.client))(member.project_hpc);
      const tooMuch = describeTooMuch(member, { time: amount, space }, charging);
      if (tooMuch !== undefined) throw new CannotDo(tooMuch);
      const wish = { ...target, time: -amount, space: -space };
      await changeAndShow(session, phrase('project.doneTaken'), wish);
    });
}

export function createExtend(open: Open) {
  return createCommand('extend', phrase('project.changeTheLastDay'))
    .examples('slipway project extend 306330 "30 June" --reason "the thesis takes longer"')
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .argument('<day>', phrase('project.lastDayOfShare'), readEnd)
    .option(...projectOption())
    .option('--reason <text>', reasonWords())
    .action(async (user, until, options, command) => {
      const session = open(command);
      const target = await prepare(session, user, options);
      const done = await nameNewEnd(session, await requireMember(session, target.place), until);
      if (done !== undefined) await changeAndShow(session, done, { ...target, until });
    });
}

export function createRemove(open: Open) {
  return withRemovalOptions(
    createCommand('remove', phrase('project.removeAMember')).examples(
      'slipway project remove 306330 --reason "she has left"',
    ),
  )
    .option(...projectOption())
    .action((user, { project, ...options }, command) =>
      removeQuota(open(command), user, options, findLed(project)),
    );
}

interface Target extends ShareChange {
  readonly place: MemberPlace;
}

async function prepare(
  session: Session,
  user: string,
  options: { readonly project?: string | undefined; readonly reason?: string | undefined },
): Promise<Target> {
  const reason = await askReason(session, options.reason);
  const place = await findLed(options.project)(session.client);
  return { reason, place: { user_id: user, ...place } };
}

async function readFirstSpace({ client }: Session, { hpc, project_name }: MemberPlace) {
  const { budget } = await client.getBudget({ hpc, project_name });
  return chooseFirstSpace(budget);
}

/** Without it, a mistyped number would make somebody a member. */
async function requireMember({ client }: Session, place: MemberPlace): Promise<Quota> {
  const member = await findMember(client, place);
  if (member) return member;
  const { user_id: userId, project_name: projectName } = place;
  throw new CannotDo(phrase('project.isNotAMember', { userId, projectName }), {
    next: phrase('project.listItsMembers', { projectName }),
  });
}

function refuseNegative(amounts: readonly (number | undefined)[], words: string, other: string) {
  if (amounts.every((amount = 0) => amount >= 0)) return;
  throw new CannotDo(words, {
    next: phrase('project.useHelp', { other: `slipway project ${other}` }),
  });
}

async function changeAndShow(
  session: Session,
  done: string,
  { place, ...wanted }: Target,
): Promise<Quota> {
  const { quota, change } = await changeShare(session.client, place, wanted);
  await showChange(session, done, quota, change);
  return quota;
}
