import type { FolderSize } from '#lib/hpc/connector.ts';
import { defineItem, moment, number, type Stored } from '#lib/table/define-item.ts';
import { type ProjectKey, projectFolderKey } from '#lib/table/keys.ts';
import { projectKeyFields } from '#lib/table/named-fields.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { putItem } from '#lib/table/writes.ts';

/** What the folder of a project had when it was last looked at. */
const storedSize = defineItem('project-folder', () => ({
  ...projectKeyFields(),
  bytes: number('size'),
  files: number('files'),
  measuredAt: moment('measured_at'),
}));

export interface MeasuredFolder extends Stored<typeof storedSize> {}

export function readFolderSize(
  table: Table,
  project: ProjectKey,
): Promise<MeasuredFolder | undefined> {
  return readItem(table, projectFolderKey(project), storedSize.parse);
}

/** Replaces what was known. Of two that measure at once, one is a moment older. */
export async function noteFolderSize(
  table: Table,
  { hpc, project }: ProjectKey,
  { bytes, files }: FolderSize,
  measuredAt: Date,
): Promise<MeasuredFolder> {
  const measured = { hpc, project, bytes, files, measuredAt };
  await putItem(table, {
    Item: { ...projectFolderKey({ hpc, project }), ...storedSize.format(measured) },
  });
  return measured;
}
