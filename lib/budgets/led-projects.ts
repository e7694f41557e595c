import type { UserId } from '#lib/catalog/identifiers.ts';
import { defineItem } from '#lib/table/define-item.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import {
  type AccountKey,
  leadKey,
  leadPrefix,
  type ProjectKey,
  userPartition,
} from '#lib/table/keys.ts';
import { projectKeyFields, userField } from '#lib/table/named-fields.ts';
import { queryAll, readItem, selectPrefix } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';

/** One project that a user leads, kept with the user, so that a call needs one read to know it. */
const storedLead = defineItem('lead', () => ({ user: userField(), ...projectKeyFields() }));

/** Reads the table itself, so somebody who no longer leads is refused at once. */
export async function isLeader(table: Table, account: AccountKey): Promise<boolean> {
  return (await readItem(table, leadKey(account), storedLead.parse)) !== undefined;
}

export async function listLedProjects(table: Table, user: UserId): Promise<readonly ProjectKey[]> {
  const leads = selectPrefix({ PK: userPartition(user), prefix: leadPrefix });
  return queryAll(table, leads, storedLead.parse);
}

export function noteLead(lead: AccountKey): Step {
  return {
    Put: { Item: { ...leadKey(lead), ...storedLead.format(lead) } },
    refuse: () => new StaleReadError(),
  };
}

export function dropLead(lead: AccountKey): Step {
  return { Delete: { Key: leadKey(lead) }, refuse: () => new StaleReadError() };
}
