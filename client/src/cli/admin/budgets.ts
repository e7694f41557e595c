import { given } from '../../calls/given.ts';
import { budgetAsQuota } from '../../changes/change-share.ts';
import type { LedProject } from '../../index.ts';
import { findProject, readCharging } from '../session/find.ts';
import { readAmount, readEnd, readSpace, readUser } from '../session/options.ts';
import { createCommand, type Open, type Session } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';
import { askReason, beginAct, reasonWords } from './act.ts';
import { describeQuotaLeft, readRenewal, withRenewalOptions } from './change-quota.ts';

export function createBudget(open: Open) {
  return withRenewalOptions(
    createCommand('budget', phrase('admin.setTheBudget')).examples(
      'slipway admin projects budget lab_42 10000 --space 100GB --until "31 December" --reason "the year 2027"',
      'slipway admin projects budget lab_42 500 --every monthly --reason "her share of the machine"',
    ),
  )
    .argument('<project>', phrase('shared.projectOrItsSystem'))
    .argument('[amount]', phrase('admin.newTotalTime'), readAmount)
    .option('--space <size>', phrase('admin.newTotalSpace'), readSpace)
    .option('--until <day>', phrase('admin.lastDay'), readEnd)
    .option('--stop-renewal', phrase('admin.endTheRenewal'))
    .option('--reason <text>', reasonWords())
    .action(async (project, amount, options, command) => {
      const session = open(command);
      const { space, until, stopRenewal } = options;
      const renews = stopRenewal ? null : readBudgetRenewal(amount, options);
      const set = given({ time: amount, space });
      const change = given({ set, valid_until: until, renews });
      if (!change) {
        throw new CannotDo(phrase('admin.theNewBudgetIsMissing'), {
          next: phrase('admin.writeAnAmount', { project }),
        });
      }
      const reason = await askReason(session, options.reason);
      const place = await findProject(session.client, project);
      const led = await session.client.changeBudget({ ...place, body: { ...change, reason } });
      await printBudget(session, led);
    });
}

function readBudgetRenewal(amount: number | undefined, wishes: Parameters<typeof readRenewal>[1]) {
  const renews = readRenewal(amount ?? 0, wishes);
  if (renews && amount === undefined) {
    throw new CannotDo(phrase('admin.theAmountOfTheRenewal'), {
      next: phrase('admin.writeItAfterTheProject'),
    });
  }
  return renews;
}

async function printBudget(session: Session, led: LedProject): Promise<void> {
  const quota = budgetAsQuota(led);
  const charging = (await readCharging(session.client))(led.project_hpc);
  const { project_name: name, leaders } = led;
  session.print(
    led,
    quota
      ? phrase('admin.budgetIs', { name, left: describeQuotaLeft(quota, charging) })
      : phrase('admin.budgetIsNone', { name }),
    leaders.length > 0
      ? phrase('admin.leadersAre', { leaders: leaders.join(', ') })
      : phrase('admin.nextAddLeader', { name }),
  );
}

export function createLeaders(open: Open) {
  const leaders = createCommand('leaders', phrase('admin.addAndRemoveLeaders')).examples(
    'slipway admin projects leaders add lab_42 306328 --reason "the new professor"',
  );
  leaders.addCommand(
    createChange(open, 'add', phrase('admin.makeUsersLeaders'), (before, users) => [
      ...new Set([...before, ...users]),
    ]),
  );
  leaders.addCommand(
    createChange(open, 'remove', phrase('admin.endTheLeadOfUsers'), (before, users) =>
      before.filter((leader) => !users.includes(leader)),
    ),
  );
  return leaders;
}

type ChangeLeaders = (before: readonly string[], users: readonly string[]) => string[];

function createChange(
  open: Open,
  name: 'add' | 'remove',
  description: string,
  change: ChangeLeaders,
) {
  return createCommand(name, description)
    .examples(`slipway admin projects leaders ${name} lab_42 306328 --reason "as agreed"`)
    .argument('<project>', phrase('shared.projectOrItsSystem'))
    .argument('<user...>', phrase('admin.userNumbers'), readUsers)
    .option('--reason <text>', reasonWords())
    .action(async (project, users, options, command) => {
      const { reason, client, print } = await beginAct(open(command), options);
      const place = await findProject(client, project);
      // The service replaces all leaders, so that a request that is sent again changes nothing.
      const { leaders: before } = await client.getBudget(place);
      const leaders = change(before, users);
      const led = await client.setLeaders({ ...place, body: { leaders, reason } });
      const { project_name: projectName } = place;
      print(
        led,
        led.leaders.length > 0
          ? phrase('admin.leadersOfProject', { projectName, leaders: led.leaders.join(', ') })
          : phrase('admin.nobodyLeadsProject', { projectName }),
      );
    });
}

function readUsers(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, readUser(text)];
}
