import { randomUUID } from 'node:crypto';
import { type Act, type Fact, listChanges } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import { defaultProject, projectOfCatalog } from '#lib/catalog/catalog.ts';
import { ProjectNotFoundError } from '#lib/catalog/errors.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { firstOpenedNumber, type ProjectName } from '#lib/catalog/identifiers.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, writeTransaction } from '#lib/table/transaction.ts';
import { ProjectInCatalogError } from './errors.ts';
import { type OpenedProject, projectKeyOf } from './opened-project.ts';
import { readOpenedProject, saveProject } from './opened-project-store.ts';

interface OpeningOrder extends ProjectOrder {
  /** Undefined keeps the description. A new project then has none. */
  readonly description?: string | undefined;
  /** Undefined keeps the limit. A new project then has that of the default project. */
  readonly maxLivingJobs?: number | undefined;
  /** Undefined keeps it. A new project is not shared. */
  readonly shared?: boolean | undefined;
  /** Undefined keeps the group, null removes it. */
  readonly members?: { readonly group: string } | null | undefined;
}

/**
 * Opens or changes a project. A closed project is opened again with its old number. An order
 * without effect writes nothing.
 */
export async function openProject(
  table: Table,
  order: OpeningOrder,
  at = new Date(),
): Promise<{ readonly project: OpenedProject; readonly created: boolean }> {
  const key = openedKeyOf(order);
  return decideUntilWritten(async () => {
    const before = await readOpenedProject(table, key);
    if (!before) {
      const project = await beginProject(table, order);
      await writeOrder(table, order, 'project-opened', undefined, project, at);
      return { project, created: true };
    }
    const project = changeProject(before, order);
    if (isSame(before, project)) return { project: before, created: false };
    const kind = before.closed ? 'project-opened' : 'project-changed';
    await writeOrder(table, order, kind, before, project, at);
    return { project, created: false };
  });
}

/**
 * Takes a number for the project. If another request opens the project first, the number is lost,
 * so numbers have gaps.
 */
async function beginProject(table: Table, order: OpeningOrder): Promise<OpenedProject> {
  const { system, name } = order;
  return {
    number: firstOpenedNumber - 1 + (await takeNumbers(table, 'project')),
    hpc: system.name,
    name,
    description: order.description ?? '',
    maxLivingJobs: order.maxLivingJobs ?? defaultProject(system).maxLivingJobs,
    closed: false,
    ...chooseMembers({}, order),
    revision: 1,
  };
}

type Membership = Pick<OpenedProject, 'shared' | 'members'>;

function chooseMembers(before: Membership, order: OpeningOrder): Membership {
  const shared = order.shared ?? before.shared ?? false;
  const members = order.members === undefined ? before.members : order.members;
  return { ...(shared && { shared: true as const }), ...(members && { members }) };
}

function changeProject(before: OpenedProject, order: OpeningOrder): OpenedProject {
  const { shared: _, members: __, ...others } = before;
  return {
    ...others,
    ...chooseMembers(before, order),
    description: order.description ?? before.description,
    maxLivingJobs: order.maxLivingJobs ?? before.maxLivingJobs,
    closed: false,
    revision: before.revision + 1,
  };
}

function isSame(before: OpenedProject, after: OpenedProject): boolean {
  return (
    before.description === after.description &&
    before.maxLivingJobs === after.maxLivingJobs &&
    before.shared === after.shared &&
    before.members?.group === after.members?.group &&
    before.closed === after.closed
  );
}

/**
 * Closes a project to submissions. Everything else goes on: its jobs run and are settled, and can
 * be read, fetched, cancelled and deleted. The project is not removed, so its name and number never
 * mean another project.
 */
export async function closeProject(
  table: Table,
  order: ProjectOrder,
  at = new Date(),
): Promise<OpenedProject> {
  const key = openedKeyOf(order);
  return decideUntilWritten(async () => {
    const before = await readOpenedProject(table, key);
    if (!before) throw new ProjectNotFoundError(key.hpc, key.project);
    if (before.closed) return before;
    const closed = { ...before, closed: true, revision: before.revision + 1 };
    await writeOrder(table, order, 'project-closed', before, closed, at);
    return closed;
  });
}

interface ProjectOrder {
  readonly system: HpcSystem;
  readonly name: ProjectName;
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
}

/** Returns the key of a project, unless the catalog has it. Then it is the operator's. */
function openedKeyOf({ system, name }: ProjectOrder): ProjectKey {
  const key = { hpc: system.name, project: name };
  if (projectOfCatalog(system, name)) throw new ProjectInCatalogError(key);
  return key;
}

async function writeOrder(
  table: Table,
  { by, reason }: ProjectOrder,
  kind: Act['kind'],
  before: OpenedProject | undefined,
  after: OpenedProject,
  at: Date,
): Promise<void> {
  const subject = projectKeyOf(after);
  const changes = listChanges(before ? listFacts(before) : {}, listFacts(after));
  const details = { project: after.number, ...changes };
  await writeTransaction(table, [
    saveProject(before, after),
    recordAct({ id: randomUUID(), kind, at, by, reason, subject, details }),
  ]);
}

function listFacts(project: OpenedProject): Record<string, Fact> {
  const { description, maxLivingJobs, closed, shared, members } = project;
  return {
    description,
    max_living_jobs: maxLivingJobs,
    state: closed ? 'closed' : 'open',
    ...(shared && { shared: 'yes' }),
    ...(members && { group: members.group }),
  };
}
