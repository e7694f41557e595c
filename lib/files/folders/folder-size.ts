import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { keptFolderOf, seesFolders } from '#lib/catalog/project-folders.ts';
import type { FolderSize } from '#lib/hpc/connector.ts';
import { accountOf } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { defineItem, moment, number, type Stored } from '#lib/table/define-item.ts';
import { type ProjectKey, projectFolderKey } from '#lib/table/keys.ts';
import { projectKeyFields } from '#lib/table/named-fields.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { putItem } from '#lib/table/writes.ts';
import { FolderFullError } from '../errors.ts';

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

interface Submitted {
  readonly owner: UserId;
  readonly system: HpcSystem;
  readonly project: Project;
  /** True if a group makes the owner a member. */
  readonly joins?: boolean | undefined;
}

/**
 * Throws if the folder of the project is over its bound. Only where the service can look again: where
 * jobs alone see their folder, each tells for itself. A stranger is refused for being one, and learns
 * nothing about the folder.
 */
export async function requireRoomInFolder(
  table: Table,
  { owner, system, project, joins }: Submitted,
): Promise<void> {
  const kept = keptFolderOf(system, project.name);
  if (!kept || !seesFolders(system)) return;
  const key = { hpc: system.name, project: project.name };
  const { bytes = 0 } = (await readFolderSize(table, key)) ?? {};
  if (bytes <= kept.maxBytes) return;
  if (!joins && !(await readQuota(table, accountOf({ user: owner, project })))) return;
  throw new FolderFullError(key, bytes, kept.maxBytes);
}
