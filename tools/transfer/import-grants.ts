import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { changeBudget } from '#lib/budgets/change-budget.ts';
import { findSystem, projectOfCatalog } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import {
  budgetHolder,
  isProjectName,
  isUserId,
  type ProjectName,
  type UserId,
} from '#lib/catalog/identifiers.ts';
import { openProject } from '#lib/projects/open-project.ts';
import { readOpenedProject } from '#lib/projects/opened-project-store.ts';
import type { QuotaChange } from '#lib/quotas/grants/change-quota.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { defineItem, number, text } from '#lib/table/define-item.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { type AccountKey, importedGrantKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { storedLogin } from '#lib/users/logins/login.ts';
import type { ImportOptions, Outcome } from './import-record.ts';
import type { OutsideGrant, Translation } from './outside-grant.ts';

/** Marks a grant of another system as imported, in the transaction that grants it. */
const importedGrant = defineItem('imported-grant', () => ({
  source: text('source'),
  id: text('id'),
  seconds: number('seconds'),
  kilobytes: number('kilobytes'),
}));

type Counts = Record<Outcome['state'], number>;

interface GrantsReport {
  onProblem(line: number, message: string): void;
  /** Called with each grant that is made, or would be. */
  onGrant(line: number, words: string): void;
}

/** Reads who has which account on which system. Scans the whole table, as only tools do. */
export async function readLogins(table: Table): Promise<FindUser> {
  const users = new Map<string, UserId>();
  const whole = {
    TableName: table.name,
    FilterExpression: '#type = :login',
    ExpressionAttributeNames: { '#type': 'type' },
    ExpressionAttributeValues: { ':login': 'login' },
  };
  for await (const { Items = [] } of paginateScan({ client: table.client }, whole)) {
    for (const { user, hpc, name } of Items.map(storedLogin.parse))
      users.set(`${hpc} ${name}`, user);
  }
  return (login, hpc) => users.get(`${hpc} ${login}`);
}

/** Finds the user of an account on a system. */
export type FindUser = (login: string, hpc: string) => UserId | undefined;

/**
 * Imports the grants of another system, one after the other, each once. A grant that was changed at
 * its source since then is reported, and nothing is taken away.
 */
export async function importGrants(
  options: ImportOptions,
  { source, grants, problems }: Translation,
  findUser: FindUser,
  report: GrantsReport,
  now = new Date(),
): Promise<Counts> {
  const counts: Counts = { created: 0, present: 0, different: 0, wrong: problems.length };
  for (const { line, message } of problems) report.onProblem(line, message);
  const seen = new Map<string, number>();
  for (const grant of grants) {
    const outcome = await tryGrant(options, source, grant, { findUser, seen, report, now });
    counts[outcome.state] += 1;
    if ('problem' in outcome) report.onProblem(grant.line, outcome.problem);
  }
  return counts;
}

interface Around {
  readonly findUser: FindUser;
  readonly seen: Map<string, number>;
  readonly report: GrantsReport;
  readonly now: Date;
}

async function tryGrant(
  options: ImportOptions,
  source: string,
  grant: OutsideGrant,
  around: Around,
): Promise<Outcome> {
  try {
    return await importGrant(options, source, grant, around);
  } catch (error) {
    return { state: 'wrong', problem: error instanceof Error ? error.message : String(error) };
  }
}

async function importGrant(
  { table, catalog, dryRun }: ImportOptions,
  source: string,
  grant: OutsideGrant,
  { findUser, seen, report, now }: Around,
): Promise<Outcome> {
  const { line, id, seconds = 0, kilobytes = 0 } = grant;
  const earlier = seen.get(id);
  if (earlier !== undefined) throw new Error(`The grant ${id} is also on line ${earlier}.`);
  seen.set(id, line);
  refuseDates(grant, now);
  const system = findSystem(catalog, grant.hpc);
  const name = checkProject(grant.project);
  const user = nameUser(grant, system, findUser);
  const account: AccountKey = { user, hpc: system.name, project: name };
  const done = await readItem(table, importedGrantKey(account, source, id), importedGrant.parse);
  if (done) {
    if (done.seconds === seconds && done.kilobytes === kilobytes) return { state: 'present' };
    const problem = `The grant ${id} was imported with ${done.seconds} seconds and ${done.kilobytes} kilobytes, and is ${seconds} and ${kilobytes} now. Change the quota here.`;
    return { state: 'different', problem };
  }
  report.onGrant(line, describeGrant(grant, user));
  if (dryRun) return { state: 'created' };
  const project = await findOrOpen(table, system, name, { source, shared: grant.shared });
  const stored = await readQuota(table, account);
  const change: QuotaChange = {
    amounts: { mode: 'add', seconds, kilobytes },
    ...planEnd(grant, stored),
  };
  const reason = `imported from ${source}: ${id}`;
  const mark = { source, id, seconds, kilobytes };
  const planBefore = async () => [markImported(account, mark)];
  const order = { project, change, reason, by: 'slipway', planBefore };
  if (user === budgetHolder) await changeBudget(table, order, now);
  else await grantQuota(table, catalog, { ...order, user }, now);
  return { state: 'created' };
}

function refuseDates({ start, end }: OutsideGrant, now: Date): void {
  if (end && end <= now) throw new Error(`It has ended on ${dayOf(end)}.`);
  if (start && start > now) {
    throw new Error(`It begins on ${dayOf(start)}. Import it again then.`);
  }
}

/** A quota lasts as long as its last grant. One without an end keeps having none. */
function planEnd({ end }: OutsideGrant, stored: { validUntil: Date | undefined } | undefined) {
  const isLater = !stored || (stored.validUntil !== undefined && end && end > stored.validUntil);
  return end && isLater ? { validUntil: end } : {};
}

function checkProject(name: string): ProjectName {
  if (isProjectName(name)) return name;
  throw new Error(
    `'${name}' is not a name for a project: lower-case letters, digits and _, beginning with a letter. Rename it with --map.`,
  );
}

function nameUser(grant: OutsideGrant, system: HpcSystem, findUser: FindUser): UserId {
  const { user, login } = grant;
  if (user !== undefined) {
    if (isUserId(user)) return user;
    throw new Error(`'${user}' is not a user number.`);
  }
  if (login === undefined) return budgetHolder;
  const found = findUser(login, system.name);
  if (found) return found;
  throw new Error(
    `Nobody is known to have the account '${login}' on ${system.name}. Name its user with --users FILE, or map the account.`,
  );
}

async function findOrOpen(
  table: Table,
  system: HpcSystem,
  name: ProjectName,
  { source, shared }: { readonly source: string; readonly shared: true | undefined },
) {
  const known =
    projectOfCatalog(system, name) ??
    (await readOpenedProject(table, { hpc: system.name, project: name }));
  if (known) return known;
  const order = { system, name, shared, reason: `imported from ${source}`, by: 'slipway' };
  return (await openProject(table, order)).project;
}

function markImported(account: AccountKey, mark: ReturnType<typeof importedGrant.parse>): Step {
  return {
    Put: {
      Item: {
        ...importedGrantKey(account, mark.source, mark.id),
        ...importedGrant.format(mark),
      },
      ...ifMissing,
    },
    refuse: () => new StaleReadError(),
  };
}

function describeGrant(grant: OutsideGrant, user: UserId): string {
  const { id, hpc, project, seconds, kilobytes, end } = grant;
  const who = user === budgetHolder ? `the budget of ${project}` : `user ${user} in ${project}`;
  const parts = [
    ...(seconds ? [`${seconds / 3600} charged hours`] : []),
    ...(kilobytes ? [`${kilobytes} KB`] : []),
  ];
  const what = parts.length > 0 ? parts.join(' and ') : 'membership';
  return `${what} for ${who} on ${hpc}${end ? ` until ${dayOf(end)}` : ''} (${id})`;
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
