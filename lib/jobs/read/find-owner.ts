import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { jobRegistry } from '#lib/table/keys.ts';
import { readRegistry } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';
import { JobNotFoundError } from '../errors.ts';

/** Finds a job's owner in the registry, which may miss a job that was submitted a moment ago. */
export async function findOwner(table: Table, jobId: JobId): Promise<UserId> {
  const { users } = await readRegistry(table, jobRegistry(jobId), 1);
  const [owner] = users;
  if (owner === undefined) throw new JobNotFoundError();
  return owner;
}
