import { ifRevision } from '#lib/table/conditions.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { openedProjectKey, openedProjects, type ProjectKey } from '#lib/table/keys.ts';
import { queryAll, readItem, selectAll } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import {
  type OpenedProject,
  openedProjectFromItem,
  openedProjectToItem,
} from './opened-project.ts';

export function readOpenedProject(
  table: Table,
  project: ProjectKey,
): Promise<OpenedProject | undefined> {
  return readItem(table, openedProjectKey(project), openedProjectFromItem);
}

/** Reads all opened projects by number, including closed ones. */
export async function readOpenedProjects(table: Table): Promise<OpenedProject[]> {
  const all = selectAll(openedProjects);
  const projects = await queryAll(table, all, openedProjectFromItem);
  return projects.sort((a, b) => a.number - b.number);
}

/** Saves a project only if it is still as it was read, or still missing. */
export function saveProject(before: OpenedProject | undefined, after: OpenedProject): Step {
  return {
    Put: { Item: openedProjectToItem(after), ...ifRevision(before?.revision ?? 0) },
    refuse: () => new StaleReadError(),
  };
}
