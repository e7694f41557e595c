import * as v from 'valibot';
import {
  attribute,
  defineItem,
  group,
  moment,
  number,
  optional,
  text,
} from '#lib/table/define-item.ts';
import { quotaRequestKey, quotaRequestRegistryKeys } from '#lib/table/keys.ts';
import {
  StoredProjectName,
  StoredRequestId,
  StoredSystemName,
  StoredUserId,
} from '#lib/table/stored-names.ts';
import { type QuotaRequest, requestStates } from './quota-request.ts';

const storedRequest = defineItem('quota-request', {
  id: attribute('request_id', StoredRequestId),
  user: attribute('user', StoredUserId),
  project: group({
    number: number('project'),
    hpc: attribute('hpc', StoredSystemName),
    name: attribute('project_name', StoredProjectName),
  }),
  wanted: group({ seconds: number('wanted_seconds'), kilobytes: number('wanted_kilobytes') }),
  reason: text('reason'),
  openedAt: moment('opened'),
  state: attribute('state', v.picklist(requestStates)),
  endedAt: optional(moment('ended')),
  decision: optional(
    group({
      by: text('decided_by'),
      reason: text('decision_reason'),
      granted: optional(
        group({ seconds: number('granted_seconds'), kilobytes: number('granted_kilobytes') }),
      ),
      validUntil: optional(moment('valid_until')),
    }),
  ),
});

/** An ended request stays readable this long. Its grant stays in the ledger and the audit. */
const keptSeconds = 365 * 24 * 60 * 60;

export function requestToItem(request: QuotaRequest) {
  const { id, state, endedAt } = request;
  return {
    ...quotaRequestKey(id),
    ...quotaRequestRegistryKeys(state, id),
    ...storedRequest.format(request),
    ...(endedAt && { expires_at: Math.floor(endedAt.getTime() / 1000) + keptSeconds }),
  };
}

export function requestFromItem(stored: unknown): QuotaRequest {
  return { endedAt: undefined, decision: undefined, ...storedRequest.parse(stored) };
}
