import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { writeNumber } from '../../format/write-number.ts';
import type { Project } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { findProject } from '../session/find.ts';
import { readCount } from '../session/options.ts';
import { createCommand, type Open, showList } from '../session/session.ts';
import type { Column } from '../terminal/screen.ts';
import { askReason, reasonWords } from './act.ts';
import { createBudget, createLeaders } from './budgets.ts';

export function createProjects(open: Open) {
  return createCommand(
    'projects',
    'list, open and close projects, set budgets and leaders',
    'slipway admin projects',
  )
    .addCommand(createList(open), { isDefault: true })
    .addCommand(createOpen(open))
    .addCommand(createClose(open))
    .addCommand(createBudget(open))
    .addCommand(createLeaders(open));
}

const columns: readonly Column<Project>[] = [
  { head: 'PROJECT', cell: ({ project_name: name }) => name },
  { head: 'SYSTEM', cell: ({ project_hpc: hpc }) => hpc.toLowerCase() },
  { head: 'ACTIVE JOBS', cell: (each) => `at most ${writeNumber(each.max_living_jobs)}`, spare: 1 },
  { head: '', cell: writeState, spare: 2 },
  { head: 'PURPOSE', cell: ({ description = '' }) => description, shrinks: true },
];

function writeState({ closed, default: isDefault, shared }: Project): string {
  const state = isDefault ? 'default' : 'open';
  return [
    ...(closed ? ['closed'] : []),
    ...(!closed && (isDefault || closed === false) ? [state] : []),
    ...(shared ? ['shared'] : []),
  ].join(', ');
}

function createList(open: Open) {
  return createCommand('list', 'list all projects', 'slipway admin projects list')
    .option('--csv', 'print CSV with all fields')
    .action(async ({ csv }, command) => {
      const session = open(command);
      const rows = await session.client.listProjects();
      showList(session, { rows, columns, csv, none: 'There are no projects.' });
    });
}

function createOpen(open: Open) {
  return createCommand(
    'open',
    'open or change a project',
    'slipway admin projects open hpc_one/spring_course --active-jobs 20 --reason "a course in spring"',
  )
    .argument('<project>', 'system and name: hpc_one/spring_course', readNewProject)
    .option('--description <text>', 'purpose')
    .option('--active-jobs <count>', 'most active jobs of one user', readCount)
    .addOption(new Option('--living-jobs <count>').argParser(readCount).hideHelp())
    .option('--shared', 'members draw from the budget directly')
    .option('--no-shared', 'members need a share of the budget')
    .option('--group <group>', 'group of the identity provider whose people are members')
    .option('--no-group', 'nobody is a member by a group')
    .option('--reason <text>', reasonWords)
    .action(async ({ hpc, project_name: name }, options, command) => {
      const session = open(command);
      const reason = await askReason(session, options.reason);
      const { description, activeJobs = options.livingJobs, shared, group } = options;
      const project = await session.client.openProject({
        hpc,
        any_project_name: name,
        body: {
          reason,
          ...(description !== undefined && { description }),
          ...(activeJobs !== undefined && { max_living_jobs: activeJobs }),
          ...(shared !== undefined && { shared }),
          ...(group !== undefined && { members: isName(group) ? { group } : null }),
        },
      });
      session.print(
        project,
        `Opened     ${name} on ${hpc}, for at most ${writeNumber(project.max_living_jobs)} active jobs of each user`,
        project.shared
          ? `Next:      slipway admin projects budget ${name} AMOUNT --reason "..."`
          : `Next:      slipway admin grant USER ${name} AMOUNT --reason "..."`,
      );
    });
}

/** The option is true or false without a name. */
function isName(group: string | boolean): group is string {
  return typeof group === 'string';
}

function createClose(open: Open) {
  return createCommand(
    'close',
    'close a project to submissions',
    'slipway admin projects close spring_course --reason "the course is over"',
  )
    .argument('<project>', 'project that was opened here')
    .option('--reason <text>', reasonWords)
    .action(async (wanted, { reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const { client } = session;
      const { hpc, project_name: name } = await findProject(client, wanted);
      const project = await client.closeProject({ hpc, any_project_name: name, reason });
      session.print(project, `Closed     ${name} on ${hpc}; active jobs continue`);
    });
}

/** Reads the place of a project that may not exist yet. */
function readNewProject(text: string): ProjectPlace {
  const [, hpc, name] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (hpc !== undefined && name !== undefined) return { hpc, project_name: name };
  throw new InvalidArgumentError('Write its system and its name, such as hpc_one/spring_course.');
}
