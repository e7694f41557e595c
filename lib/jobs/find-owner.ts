import { jobRegistry } from '../table/keys.ts';
import { readRegistry } from '../table/registry.ts';
import type { Table } from '../table/table.ts';
import { JobNotFoundError } from './errors.ts';

/** Whose job it is, by the registry: a job that was submitted a moment ago may not be there yet. */
export async function findOwner(table: Table, jobId: string): Promise<string> {
  const { users } = await readRegistry(table, jobRegistry(jobId), 1);
  const [owner] = users;
  if (owner === undefined) throw new JobNotFoundError();
  return owner;
}
