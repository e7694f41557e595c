import { NotLeaderError } from '#lib/budgets/errors.ts';
import { joinsByGroup } from '#lib/budgets/joins-by-group.ts';
import { isLeader } from '#lib/budgets/led-projects.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { accountOf } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import type { Table } from '#lib/table/table.ts';
import { FolderNotFoundError } from '../errors.ts';

/** Somebody who asks for the folder of a project. */
export interface FolderVisitor {
  readonly user: UserId;
  readonly administrator: boolean;
  readonly groups: readonly string[];
}

/** Throws for a stranger, who must not learn whether there is anything. */
export async function requireMember(
  table: Table,
  { user, administrator, groups }: FolderVisitor,
  project: Project,
): Promise<void> {
  if (administrator) return;
  const quota = await readQuota(table, accountOf({ user, project }));
  if (quota && (!quota.throughGroup || joinsByGroup({ project, groups }))) return;
  if (!(await leads(table, user, project))) throw new FolderNotFoundError(keyOf(project));
}

/** Throws for members who do not lead the project. */
export async function requireLeaderOfFolder(
  table: Table,
  visitor: FolderVisitor,
  project: Project,
): Promise<void> {
  await requireMember(table, visitor, project);
  if (visitor.administrator || (await leads(table, visitor.user, project))) return;
  throw new NotLeaderError(keyOf(project), 'empty its folder');
}

const keyOf = ({ hpc, name }: Project) => ({ hpc, project: name });

const leads = (table: Table, user: UserId, project: Project) =>
  isLeader(table, { user, ...keyOf(project) });
