import type { UserId } from '#lib/catalog/identifiers.ts';
import { defineItem, group, type Stored } from '#lib/table/define-item.ts';
import { awaitedKey, waitingFor } from '#lib/table/keys.ts';
import { jobIdField, projectKeyFields, userField } from '#lib/table/named-fields.ts';
import { queryAll, selectPrefix } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { accountOf, type Job } from '../job.ts';
import type { AwaitedId } from './waits.ts';

/** A job that waits for another one, or did. It is stored below the id of the awaited one. */
const storedSuccessor = defineItem('successor', () => ({
  account: group({ user: userField('owner'), ...projectKeyFields() }),
  jobId: jobIdField(),
}));

export interface Successor extends Stored<typeof storedSuccessor> {}

export function successorToItem(awaited: AwaitedId, job: Job) {
  const { owner, jobId } = job;
  return {
    ...awaitedKey(owner, awaited, jobId),
    ...storedSuccessor.format({ account: accountOf(job), jobId }),
  };
}

/** Lists the jobs that wait for a job or batch, or did, strongly consistent. */
export function listSuccessors(
  table: Table,
  owner: UserId,
  awaited: AwaitedId,
): Promise<Successor[]> {
  return queryAll(table, selectPrefix(waitingFor(owner, awaited)), storedSuccessor.parse);
}
