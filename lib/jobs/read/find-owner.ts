import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { jobRegistry } from '#lib/table/keys.ts';
import { readRegistry } from '#lib/table/reads/registry.ts';
import type { Table } from '#lib/table/table.ts';
import { JobNotFoundError } from '../errors.ts';

/** Whose job it is, by the registry: a job that was submitted a moment ago may not be there yet. */
export async function findOwner(table: Table, jobId: JobId): Promise<UserId> {
  const { users } = await readRegistry(table, jobRegistry(jobId), 1);
  const [owner] = users;
  if (owner === undefined) throw new JobNotFoundError();
  return owner;
}
