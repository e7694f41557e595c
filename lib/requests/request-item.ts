import * as v from 'valibot';
import { quotaRequestKey, quotaRequestRegistryKeys } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import {
  StoredProjectName,
  StoredRequestId,
  StoredSystemName,
  StoredUserId,
} from '#lib/table/stored-names.ts';
import { type Decision, type QuotaRequest, requestStates } from './quota-request.ts';

const QuotaRequestItem = v.object({
  type: v.literal('quota-request'),
  schema_version: v.literal(1),
  request_id: StoredRequestId,
  user: StoredUserId,
  project: v.number(),
  hpc: StoredSystemName,
  project_name: StoredProjectName,
  wanted_seconds: v.number(),
  wanted_kilobytes: v.number(),
  reason: v.string(),
  opened: v.string(),
  state: v.picklist(requestStates),
  ended: v.optional(v.string()),
  decided_by: v.optional(v.string()),
  decision_reason: v.optional(v.string()),
  granted_seconds: v.optional(v.number()),
  granted_kilobytes: v.optional(v.number()),
  valid_until: v.optional(v.string()),
  expires_at: v.optional(v.number()),
});

/** An ended one stays readable so long; what was granted stays in the ledger and the audit. */
const keptSeconds = 365 * 24 * 60 * 60;

export function requestToItem(request: QuotaRequest) {
  const { id, user, project, wanted, reason, openedAt, state, endedAt, decision } = request;
  return {
    ...quotaRequestKey(id),
    ...quotaRequestRegistryKeys(state, id),
    type: 'quota-request',
    schema_version: 1,
    request_id: id,
    user,
    project: project.number,
    hpc: project.hpc,
    project_name: project.name,
    wanted_seconds: wanted.seconds,
    wanted_kilobytes: wanted.kilobytes,
    reason,
    opened: openedAt.toISOString(),
    state,
    ...(endedAt && {
      ended: endedAt.toISOString(),
      expires_at: Math.floor(endedAt.getTime() / 1000) + keptSeconds,
    }),
    ...(decision && decisionToItem(decision)),
  } satisfies v.InferInput<typeof QuotaRequestItem> & ReturnType<typeof quotaRequestKey>;
}

function decisionToItem({ by, reason, granted, validUntil }: Decision) {
  return {
    decided_by: by,
    decision_reason: reason,
    ...(granted && { granted_seconds: granted.seconds, granted_kilobytes: granted.kilobytes }),
    ...(validUntil && { valid_until: validUntil.toISOString() }),
  };
}

export function requestFromItem(stored: unknown): QuotaRequest {
  const item = parseItem(QuotaRequestItem, stored);
  return {
    id: item.request_id,
    user: item.user,
    project: { number: item.project, hpc: item.hpc, name: item.project_name },
    wanted: { seconds: item.wanted_seconds, kilobytes: item.wanted_kilobytes },
    reason: item.reason,
    openedAt: new Date(item.opened),
    state: item.state,
    endedAt: item.ended === undefined ? undefined : new Date(item.ended),
    decision: decisionFromItem(item),
  };
}

function decisionFromItem(item: v.InferOutput<typeof QuotaRequestItem>): Decision | undefined {
  const { decided_by: by, decision_reason: reason, valid_until: end } = item;
  const { granted_seconds: seconds, granted_kilobytes: kilobytes } = item;
  if (by === undefined || reason === undefined) return undefined;
  return {
    by,
    reason,
    ...(seconds !== undefined && kilobytes !== undefined && { granted: { seconds, kilobytes } }),
    ...(end !== undefined && { validUntil: new Date(end) }),
  };
}
