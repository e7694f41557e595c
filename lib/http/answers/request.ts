import * as v from 'valibot';
import { requestStates } from '#lib/requests/quota-request.ts';
import { systemInCapitals, timestamp, userId, whole } from './fields.ts';

const fields = {
  request_id: v.string(),
  user: userId,
  project: whole,
  project_hpc: systemInCapitals,
  project_name: v.string(),
  time: whole,
  space: v.number(),
  reason: v.string(),
  state: v.picklist(requestStates),
  opened: timestamp,
  ended: v.nullable(timestamp),
  decision: v.nullable(
    v.strictObject({
      by: v.string(),
      reason: v.string(),
      time: v.nullable(whole),
      space: v.nullable(v.number()),
      valid_until: v.nullable(timestamp),
    }),
  ),
};

/** What a user has asked for. */
export const QuotaRequest = v.strictObject(fields);

/** As administrators see it. */
export const JudgedRequest = v.strictObject({ ...fields, banned: v.nullable(v.string()) });
