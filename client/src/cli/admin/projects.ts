import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { given } from '../../calls/given.ts';
import { budgetAsQuota } from '../../changes/budget-as-quota.ts';
import { writeNumber } from '../../format/numbers/write-number.ts';
import type { LedProject, Project } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { term } from '../../words/terms.ts';
import { findProject, readCharging } from '../session/find.ts';
import { readAmount, readCount, readEnd, readSpace, readUser } from '../session/options.ts';
import { createCommand, type Open, type Session, showList } from '../session/session.ts';
import { nameLeaders } from '../session/user-names.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { type Column, column } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';
import { askReason, beginAct, reasonWords } from './act.ts';
import { describeQuotaLeft, readRenewal, withRenewalOptions } from './change-quota.ts';

export function createProjects(open: Open) {
  return createCommand('projects', phrase('admin.listOpenAndCloseProjects'))
    .examples('slipway admin projects')
    .addCommand(createList(open), { isDefault: true })
    .addCommand(createOpen(open))
    .addCommand(createClose(open))
    .addCommand(createBudget(open))
    .addCommand(createLeaders(open));
}

const projectColumns = (): readonly Column<Project>[] => [
  column('shared.headProject', ({ project_name: name }) => name),
  column('shared.headSystem', ({ project_hpc: hpc }) => hpc.toLowerCase()),
  column(
    'admin.headActiveJobs',
    (each) => phrase('admin.atMostJobs', { maxLivingJobs: writeNumber(each.max_living_jobs) }),
    { spare: 1 },
  ),
  column('', writeState, { spare: 2 }),
  column('admin.headPurpose', ({ description = '' }) => description, { shrinks: true }),
];

function writeState({ closed, default: isDefault, shared }: Project): string {
  const state = term(isDefault ? 'default' : 'open');
  return [
    ...(closed ? [term('closed')] : []),
    ...(!closed && (isDefault || closed === false) ? [state] : []),
    ...(shared ? [term('shared')] : []),
  ].join(', ');
}

function createList(open: Open) {
  return createCommand('list', phrase('admin.listAllProjects'))
    .examples('slipway admin projects list')
    .option('--csv', phrase('shared.printCsvWithAllFields'))
    .action(async ({ csv }, command) => {
      const session = open(command);
      const rows = await session.client.listProjects();
      showList(session, rows, { csv, none: phrase('admin.thereAreNoProjects') }, projectColumns());
    });
}

function createOpen(open: Open) {
  return createCommand('open', phrase('admin.openOrChangeAProject'))
    .examples(
      'slipway admin projects open hpc_one/spring_course --active-jobs 20 --reason "a course in spring"',
    )
    .argument('<project>', phrase('admin.systemAndName'), readNewProject)
    .option('--description <text>', phrase('shared.purposeOption'))
    .option('--active-jobs <count>', phrase('admin.mostActiveJobsOfOne'), readCount)
    .addOption(new Option('--living-jobs <count>').argParser(readCount).hideHelp())
    .option('--shared', phrase('admin.membersDrawFromTheBudget'))
    .option('--no-shared', phrase('admin.membersNeedAShare'))
    .option('--group <group>', phrase('admin.groupOfTheIdentityProvider'))
    .option('--no-group', phrase('admin.nobodyIsAMember'))
    .option('--reason <text>', reasonWords())
    .action(async ({ hpc, project_name: name }, options, command) => {
      const { reason, client, print } = await beginAct(open(command), options);
      const { description, activeJobs = options.livingJobs, shared, group } = options;
      const members = group === undefined ? group : isName(group) ? { group } : null;
      const project = await client.openProject({
        hpc,
        any_project_name: name,
        body: { reason, ...given({ description, max_living_jobs: activeJobs, shared, members }) },
      });
      const maxLivingJobs = writeNumber(project.max_living_jobs);
      print(
        project,
        phrase('admin.openedOn', { name, hpc, maxLivingJobs }),
        project.shared
          ? phrase('admin.nextSetBudget', { name })
          : phrase('admin.nextGrant', { name }),
      );
    });
}

/** The option is true or false without a name. */
function isName(group: string | boolean): group is string {
  return typeof group === 'string';
}

function createClose(open: Open) {
  return createCommand('close', phrase('admin.closeAProjectToSubmissions'))
    .examples('slipway admin projects close spring_course --reason "the course is over"')
    .argument('<project>', phrase('admin.projectThatWasOpenedHere'))
    .option('--reason <text>', reasonWords())
    .action(async (wanted, options, command) => {
      const { reason, client, print } = await beginAct(open(command), options);
      const { hpc, project_name: name } = await findProject(client, wanted);
      const project = await client.closeProject({ hpc, any_project_name: name, reason });
      print(project, phrase('admin.closedOn', { name, hpc }));
    });
}

/** Reads the place of a project that may not exist yet. */
function readNewProject(text: string): ProjectPlace {
  const [, hpc, name] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (hpc !== undefined && name !== undefined) return { hpc, project_name: name };
  throw new InvalidArgumentError(phrase('admin.writeItsSystem'));
}

function createBudget(open: Open) {
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
      ? phrase('admin.leadersAre', { leaders: nameLeaders(led) })
      : phrase('admin.nextAddLeader', { name }),
  );
}

function createLeaders(open: Open) {
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
    .argument('<user...>', phrase('admin.userNumbers'), (text, before: readonly string[] = []) => [
      ...before,
      readUser(text),
    ])
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
