import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { isRequestId, type RequestId, type UserId } from '#lib/catalog/identifiers.ts';
import {
  attribute,
  defineItem,
  group,
  moment,
  number,
  optional,
  type Stored,
  text,
} from '#lib/table/define-item.ts';
import { quotaRequestKey, quotaRequestRegistryKeys } from '#lib/table/keys.ts';
import { projectField, userField } from '#lib/table/named-fields.ts';
import { StoredRequestId } from '#lib/table/stored-names.ts';

export const requestStates = ['open', 'approved', 'declined', 'withdrawn'] as const;

export type RequestState = (typeof requestStates)[number];

/** A user's request to the administrators for more in a project, or for a first quota there. */
const storedRequest = defineItem('quota-request', () => ({
  id: attribute('request_id', StoredRequestId),
  user: userField(),
  project: projectField(),
  wanted: group({ seconds: number('wanted_seconds'), kilobytes: number('wanted_kilobytes') }),
  reason: text('reason'),
  openedAt: moment('opened'),
  state: attribute('state', v.picklist(requestStates)),
  /** Undefined while the request is open. */
  endedAt: optional(moment('ended')),
  /** Set once an administrator has decided. */
  decision: optional(
    group({
      by: text('decided_by'),
      reason: text('decision_reason'),
      /** Undefined if the request was declined. */
      granted: optional(
        group({ seconds: number('granted_seconds'), kilobytes: number('granted_kilobytes') }),
      ),
      /** The end that the quota got with the grant. */
      validUntil: optional(moment('valid_until')),
    }),
  ),
}));

export interface QuotaRequest extends Stored<typeof storedRequest> {}

export type Decision = NonNullable<QuotaRequest['decision']>;

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

export const requestFromItem: (stored: unknown) => QuotaRequest = storedRequest.parse;

export type NewRequest = Pick<QuotaRequest, 'user' | 'project' | 'wanted' | 'reason'>;

export type Ending =
  | { readonly state: 'withdrawn' }
  | { readonly state: 'approved' | 'declined'; readonly decision: Decision };

export function openRequest(asked: NewRequest, at: Date): QuotaRequest {
  return { ...asked, id: makeRequestId(asked.user, at), openedAt: at, state: 'open' };
}

export function endRequest(request: QuotaRequest, ending: Ending, at: Date): QuotaRequest {
  const decision = 'decision' in ending ? ending.decision : undefined;
  return { ...request, state: ending.state, endedAt: at, decision };
}

const momentDigits = 12;

/** Starts with the time, so requests sort by it. */
function makeRequestId(user: UserId, at: Date): RequestId {
  const moment = at.getTime().toString(16).padStart(momentDigits, '0');
  const id = `${user}-${moment}${randomBytes(10).toString('hex')}`;
  if (!isRequestId(id)) throw new Error(`'${id}' is not a valid identifier of a request.`);
  return id;
}
