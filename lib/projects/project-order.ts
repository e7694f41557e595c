import { randomUUID } from 'node:crypto';
import type { Act, Fact } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import { projectOfCatalog } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { ProjectName } from '#lib/catalog/identifiers.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { ProjectInCatalogError } from './errors.ts';
import { type OpenedProject, projectKeyOf } from './opened-project.ts';
import { saveProject } from './opened-project-store.ts';

export interface ProjectOrder {
  readonly system: HpcSystem;
  readonly name: ProjectName;
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
}

/** Returns the key of a project, unless the catalog has it. Then it is the operator's. */
export function openedKeyOf({ system, name }: ProjectOrder): ProjectKey {
  const key = { hpc: system.name, project: name };
  if (projectOfCatalog(system, name)) throw new ProjectInCatalogError(key);
  return key;
}

export async function writeOrder(
  table: Table,
  { by, reason }: ProjectOrder,
  kind: Act['kind'],
  before: OpenedProject | undefined,
  after: OpenedProject,
  at: Date,
): Promise<void> {
  const subject = projectKeyOf(after);
  const details = describeChange(before, after);
  await writeTransaction(table, [
    saveProject(before, after),
    recordAct({ id: randomUUID(), kind, at, by, reason, subject, details }),
  ]);
}

/** Lists only what changes, and the project's number. */
function describeChange(before: OpenedProject | undefined, after: OpenedProject): Act['details'] {
  const old: Partial<Record<string, Fact>> = before ? listFacts(before) : {};
  const wanted: Partial<Record<string, Fact>> = listFacts(after);
  const names = Object.keys({ ...old, ...wanted }).filter((name) => old[name] !== wanted[name]);
  return {
    project: after.number,
    ...Object.fromEntries(
      names.map((name) => [name, { before: old[name] ?? null, after: wanted[name] ?? null }]),
    ),
  };
}

function listFacts(project: OpenedProject): Record<string, Fact> {
  const { description, maxLivingJobs, closed, shared, members } = project;
  return {
    description,
    max_living_jobs: maxLivingJobs,
    state: closed ? 'closed' : 'open',
    ...(shared && { shared: 'yes' }),
    ...(members && { group: members.group }),
  };
}
