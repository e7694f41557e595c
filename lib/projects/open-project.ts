import { defaultProject } from '#lib/catalog/catalog.ts';
import { ProjectNotFoundError } from '#lib/catalog/errors.ts';
import { firstOpenedNumber } from '#lib/catalog/identifiers.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/transaction.ts';
import type { OpenedProject } from './opened-project.ts';
import { readOpenedProject } from './opened-project-store.ts';
import { openedKeyOf, type ProjectOrder, writeOrder } from './project-order.ts';

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

interface Opening {
  readonly project: OpenedProject;
  readonly created: boolean;
}

/**
 * Opens or changes a project. A closed project is opened again with its old number. An order
 * without effect writes nothing.
 */
export async function openProject(
  table: Table,
  order: OpeningOrder,
  at = new Date(),
): Promise<Opening> {
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
