import { ProjectNotFoundError } from '#lib/catalog/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import type { OpenedProject } from './opened-project.ts';
import { readOpenedProject } from './opened-project-store.ts';
import { type ProjectOrder, placeOf, writeOrder } from './project-order.ts';

/**
 * From now on nothing can be submitted there. All else goes on: jobs run and are settled, and what
 * is there can be read, fetched, cancelled and deleted. It is not removed, so neither its name nor
 * its number can come to mean another project.
 */
export async function closeProject(
  table: Table,
  order: ProjectOrder,
  at = new Date(),
): Promise<OpenedProject> {
  const place = placeOf(order);
  return decideUntilWritten(async () => {
    const before = await readOpenedProject(table, place);
    if (!before) throw new ProjectNotFoundError(place.hpc, place.project);
    if (before.closed) return before;
    const closed = { ...before, closed: true, revision: before.revision + 1 };
    await writeOrder(table, order, 'project-closed', before, closed, at);
    return closed;
  });
}
