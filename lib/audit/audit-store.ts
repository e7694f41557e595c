import * as v from 'valibot';
import { ifMissing } from '#lib/table/conditions.ts';
import { auditKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import {
  StoredJobId,
  StoredProjectName,
  StoredSystemName,
  StoredUserId,
} from '#lib/table/stored-names.ts';
import type { Step } from '#lib/table/transaction.ts';
import { type Act, actKinds } from './act.ts';

/**
 * Records an act in the transaction that performs it, so nothing goes unrecorded. Lines are only
 * ever added: no function may update or delete one.
 */
export function recordAct(act: Act): Step {
  return {
    Put: { Item: actToItem(act), ...ifMissing },
    refuse: () => new Error(`The act ${act.id} is already in the audit.`),
  };
}

export function actToItem({ id, kind, at, by, reason, subject, details }: Act) {
  return {
    ...auditKey(at, id),
    type: 'act',
    schema_version: 1,
    act_id: id,
    kind,
    at: at.toISOString(),
    by,
    reason,
    user: subject.user,
    hpc: subject.hpc,
    project_name: subject.project,
    job_id: subject.jobId,
    details,
  };
}

const Fact = v.nullable(v.union([v.string(), v.number()]));

const ActItem = v.object({
  type: v.literal('act'),
  schema_version: v.literal(1),
  act_id: v.string(),
  kind: v.picklist(actKinds),
  at: v.string(),
  by: v.string(),
  reason: v.string(),
  user: v.optional(StoredUserId),
  hpc: v.optional(StoredSystemName),
  project_name: v.optional(StoredProjectName),
  job_id: v.optional(StoredJobId),
  details: v.record(v.string(), v.union([Fact, v.object({ before: Fact, after: Fact })])),
});

export function actFromItem(stored: unknown): Act {
  const item = parseItem(ActItem, stored);
  const { act_id: id, kind, by, reason, user, hpc, details } = item;
  return {
    id,
    kind,
    at: new Date(item.at),
    by,
    reason,
    subject: {
      ...(user !== undefined && { user }),
      ...(hpc !== undefined && { hpc }),
      ...(item.project_name !== undefined && { project: item.project_name }),
      ...(item.job_id !== undefined && { jobId: item.job_id }),
    },
    details,
  };
}
