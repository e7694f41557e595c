import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { keptFolderOf } from '#lib/catalog/project-folders.ts';
import { sendsResults } from '#lib/catalog/sends-results.ts';
import { accountOf } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import type { Table } from '#lib/table/table.ts';
import { FolderFullError } from '../errors.ts';
import { readFolderSize } from './folder-size.ts';

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
  if (!kept || sendsResults(system)) return;
  const key = { hpc: system.name, project: project.name };
  const { bytes = 0 } = (await readFolderSize(table, key)) ?? {};
  if (bytes <= kept.maxBytes) return;
  if (!joins && !(await readQuota(table, accountOf({ user: owner, project })))) return;
  throw new FolderFullError(key, bytes, kept.maxBytes);
}
