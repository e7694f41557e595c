import * as v from 'valibot';
import { ifMissing } from '#lib/table/conditions.ts';
import { attribute, defineItem, group, moment, optional, text } from '#lib/table/define-item.ts';
import { auditKey } from '#lib/table/keys.ts';
import { jobIdField, projectKeyFields, userField } from '#lib/table/named-fields.ts';
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

const Fact = v.nullable(v.union([v.string(), v.number()]));

const storedAct = defineItem('act', () => ({
  id: text('act_id'),
  kind: attribute('kind', v.picklist(actKinds)),
  at: moment('at'),
  by: text('by'),
  reason: text('reason'),
  subject: group({
    user: optional(userField()),
    hpc: optional(projectKeyFields().hpc),
    project: optional(projectKeyFields().project),
    jobId: optional(jobIdField()),
  }),
  details: attribute(
    'details',
    v.record(v.string(), v.union([Fact, v.object({ before: Fact, after: Fact })])),
  ),
}));

export function actToItem(act: Act) {
  return { ...auditKey(act.at, act.id), ...storedAct.format(act) };
}

export const actFromItem: (stored: unknown) => Act = storedAct.parse;
