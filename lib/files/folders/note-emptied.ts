import { randomUUID } from 'node:crypto';
import { recordAct } from '#lib/audit/audit-store.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { FolderSize } from '#lib/hpc/connector.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { writeTransaction } from '#lib/table/transaction.ts';

/** Records who ordered it before anything is gone, because nothing can be recorded of files that were. */
export async function noteEmptied(
  table: Table,
  { project, by, files, bytes }: { readonly project: ProjectKey; readonly by: UserId } & FolderSize,
  at = new Date(),
): Promise<void> {
  const act = {
    id: randomUUID(),
    kind: 'folder-emptied',
    at,
    by,
    reason: 'everything in the folder of the project was deleted',
    subject: project,
    details: { files, bytes },
  } as const;
  await writeTransaction(table, [recordAct(act)]);
}
