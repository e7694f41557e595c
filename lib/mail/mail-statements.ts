import { readLeaders } from '#lib/budgets/leaders.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { projectKeyOf } from '#lib/projects/opened-project.ts';
import { lastClosedMonth, readStatement, type Statement } from '#lib/statements/read-statement.ts';
import { sumRows } from '#lib/statements/statement.ts';
import { defineItem, flag, map, optional, type Stored, text } from '#lib/table/define-item.ts';
import { type ProjectKey, statementMailsKey } from '#lib/table/keys.ts';
import { projectKeyFields } from '#lib/table/named-fields.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { putItem } from '#lib/table/writes.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import type { TimeLeft } from '#lib/time/time-left.ts';
import { unitOf, writeBalance } from './amounts.ts';
import { type Note, pageOf, writePlace } from './describe-event.ts';
import { putNote } from './mailbox.ts';
import { type Preferences, wants } from './preferences.ts';
import { readPreferences } from './read-preferences.ts';
import type { MailWords } from './words/english.ts';
import { mailWords } from './words/words.ts';

/** Where the walk through all projects has come to in a month. */
const storedProgress = defineItem('statement-mails', () => ({
  month: text('month'),
  /** The last project whose leaders were told. */
  after: optional(map('after', projectKeyFields())),
  done: flag('done'),
}));

interface Progress extends Stored<typeof storedProgress> {}

/**
 * Queues the statements of the last closed month for leaders who want them. The next run goes on
 * where this one stops. A run that was cut off repeats one project, whose notes are recognised by
 * their ids. A project whose statement cannot be drawn up is left out, so that it stops no others.
 */
export async function mailStatements(
  table: Table,
  { systems }: Catalog,
  { isOver }: Pick<TimeLeft, 'isOver'>,
  now = new Date(),
): Promise<void> {
  const month = lastClosedMonth(now);
  const progress = await readItem(table, statementMailsKey(), storedProgress.parse);
  if (progress && isTold(progress, month)) return;
  const failures: unknown[] = [];
  const projects = await listProjects(table, systems);
  for (const project of projectsLeft(projects, progress, month)) {
    if (isOver()) return reportFailures(failures, summary);
    await tellLeaders(table, project, month, now).catch((error) => failures.push(error));
    await saveProgress(table, { month, after: projectKeyOf(project), done: false });
  }
  await saveProgress(table, { month, done: true });
  reportFailures(failures, summary);
}

const summary = 'Some statements could not be sent by mail';

/** True also after a clock was set back. */
function isTold(progress: Progress, month: string): boolean {
  return progress.month > month || (progress.month === month && progress.done);
}

/** Lists what follows the last project, or everything if that is of another month or gone. */
function projectsLeft(
  projects: readonly Project[],
  progress: Progress | undefined,
  month: string,
): readonly Project[] {
  if (progress?.month !== month) return projects;
  const { after } = progress;
  const last = projects.findIndex(({ hpc, name }) => hpc === after?.hpc && name === after.project);
  return projects.slice(last + 1);
}

async function tellLeaders(
  table: Table,
  project: Project,
  month: string,
  now: Date,
): Promise<void> {
  const leaders = await listLeadersToTell(table, projectKeyOf(project));
  if (leaders.length === 0) return;
  const statement = await readStatement(table, project, month, now);
  if (statement.rows.length === 0) return;
  for (const { user, language } of leaders) {
    await putNote(table, user, describeStatement(statement, mailWords[language]), now);
  }
}

async function listLeadersToTell(table: Table, project: ProjectKey): Promise<Preferences[]> {
  const leaders = await readLeaders(table, project);
  const preferences = await Promise.all(leaders.map((leader) => readPreferences(table, leader)));
  return preferences.filter((each) => wants(each, 'project.statement'));
}

async function saveProgress(table: Table, progress: Progress): Promise<void> {
  await putItem(table, { Item: { ...statementMailsKey(), ...storedProgress.format(progress) } });
}

/** Describes the statement of a closed month for a leader. The page has the other sums. */
export function describeStatement(
  { project, month, until, rows }: Statement,
  words: MailWords,
): Note {
  const { hpc, name } = project;
  const inProject = { project_hpc: hpc, project_name: name };
  const sums = sumRows(rows);
  // Between the budget and members, what is shared and drawn adds up to nothing.
  const changes = [
    { label: words.opening, sign: 1, amount: sums.opening },
    { label: words.granted, sign: 1, amount: sums.granted },
    { label: words.expired, sign: -1, amount: sums.expired },
    { label: words.corrections, sign: 1, amount: sums.corrected },
    { label: words.used, sign: -1, amount: sums.used },
    { label: words.reserved, sign: -1, amount: sums.reserved },
  ] as const;
  return {
    id: `statement/${hpc}/${name}/${month}`,
    topic: 'project.statement',
    at: until,
    headline: words.statement(name, words.month(new Date(month))),
    place: writePlace(inProject, words),
    facts: writeBalance(changes, { label: words.closing, unit: unitOf(hpc) }, words),
    page: `${pageOf('projects', inProject, 'statement')}?month=${month}`,
    command: `slipway project statement ${name} --month ${month}`,
  };
}
