import type { Project } from '#lib/catalog/hpc-system.ts';
import type { ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { quotaKey, quotaRegistry } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/page.ts';
import { readItems } from '#lib/table/reads.ts';
import { readRegistry } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';
import { findUsers } from '#lib/users/person-store.ts';
import { accountOf, type Quota } from '../quota.ts';
import { quotaFromItem } from '../quota-item.ts';
import { readQuotas } from '../quota-store.ts';

/** Selects quotas of one system, one project or one user; undefined selects all. */
export interface QuotaList {
  readonly hpc: SystemName | undefined;
  readonly project: ProjectName | undefined;
  readonly user: UserId | undefined;
}

export interface QuotaPosition {
  /** The project's number. */
  readonly project: number;
  readonly user: UserId;
}

/**
 * Lists all users' quotas in these projects, by project and then by user number. The index says
 * which quotas exist and may lag a moment; each quota is read from the table itself. At most 100 at
 * once. The cost depends on the page alone.
 */
export async function listQuotas(
  table: Table,
  projects: readonly Project[],
  limit: number,
  after?: QuotaPosition,
): Promise<Page<Quota, QuotaPosition>> {
  // One more than the page, to see whether the list continues.
  const accounts = await takeAccounts(table, projects, limit + 1, after);
  const shown = accounts.slice(0, limit);
  const keys = shown.map((account) => quotaKey(accountOf(account)));
  const last = shown.at(-1);
  return {
    entries: (await readItems(table, keys)).map(quotaFromItem),
    next:
      last && accounts.length > limit
        ? { project: last.project.number, user: last.user }
        : undefined,
  };
}

/** Lists one user's quotas in these projects, in the order of the projects. */
export async function listQuotasOfUser(
  table: Table,
  projects: readonly Project[],
  user: UserId,
  limit: number,
  after?: QuotaPosition,
): Promise<Page<Quota, QuotaPosition>> {
  const all = await readQuotas(table, user);
  const listed = projects.flatMap(({ number }) =>
    all.filter((each) => each.project.number === number),
  );
  const start = after ? listed.findIndex(({ project }) => project.number === after.project) + 1 : 0;
  const entries = listed.slice(start, start + limit);
  const last = entries.at(-1);
  return {
    entries,
    next:
      last && start + limit < listed.length ? { project: last.project.number, user } : undefined,
  };
}

/** The most beginnings of names that one search looks at. */
const mostStarts = 1_000;

/** Lists the quotas, in one project, of users whose name or mail address begins so. */
export async function findMembers(
  table: Table,
  { hpc, name: project }: Project,
  search: string,
  limit: number,
): Promise<Quota[]> {
  const users = await findUsers(table, search, mostStarts);
  const items = await readItems(
    table,
    users.map((user) => quotaKey({ user, hpc, project })),
  );
  return items.slice(0, limit).map(quotaFromItem);
}

interface RegisteredAccount {
  readonly project: Project;
  readonly user: UserId;
}

async function takeAccounts(
  table: Table,
  projects: readonly Project[],
  count: number,
  after: QuotaPosition | undefined,
): Promise<RegisteredAccount[]> {
  const first = after ? projects.findIndex(({ number }) => number === after.project) : 0;
  const accounts: RegisteredAccount[] = [];
  for (const [index, project] of projects.slice(Math.max(0, first)).entries()) {
    const wanted = count - accounts.length;
    if (wanted === 0) break;
    const start = index === 0 ? after?.user : undefined;
    const registry = quotaRegistry({ hpc: project.hpc, project: project.name });
    const { users } = await readRegistry(table, registry, wanted, start);
    accounts.push(...users.map((user) => ({ project, user })));
  }
  return accounts;
}
