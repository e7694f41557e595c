import { ProjectNotFoundError } from '#lib/catalog/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/transaction.ts';
import type { OpenedProject } from './opened-project.ts';
import { readOpenedProject } from './opened-project-store.ts';
import { openedKeyOf, type ProjectOrder, writeOrder } from './project-order.ts';

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
