import { auditKey } from '../table/keys.ts';
import type { Step } from '../table/transaction.ts';
import type { Act } from './act.ts';

/**
 * Written only in the transaction that does what it tells of, so that nothing is done untold. No
 * function may update or delete what is here, and a line is put where none is.
 */
export function recordAct(act: Act): Step {
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: actToItem(act),
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    }),
    refuse: () => new Error(`The act ${act.id} is told of already.`),
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
