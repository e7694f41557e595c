import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { given } from '../../calls/given.ts';
import { writeNumber } from '../../format/write-number.ts';
import type { Project } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { term } from '../../words/terms.ts';
import { findProject } from '../session/find.ts';
import { readCount } from '../session/options.ts';
import { createCommand, type Open, showList } from '../session/session.ts';
import { type Column, column } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';
import { beginAct, reasonWords } from './act.ts';
import { createBudget, createLeaders } from './budgets.ts';

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
