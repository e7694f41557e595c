import { randomBytes } from 'node:crypto';
import { isRequestId, type RequestId, type UserId } from '#lib/catalog/identifiers.ts';
import type { Amount, Quota } from '#lib/quotas/quota.ts';

export const requestStates = ['open', 'approved', 'declined', 'withdrawn'] as const;

export type RequestState = (typeof requestStates)[number];

/** A user's request to the administrators for more in a project, or for a first quota there. */
export interface QuotaRequest {
  readonly id: RequestId;
  readonly user: UserId;
  readonly project: Quota['project'];
  readonly wanted: Amount;
  readonly reason: string;
  readonly openedAt: Date;
  readonly state: RequestState;
  /** Undefined while the request is open. */
  readonly endedAt: Date | undefined;
  /** Set once an administrator has decided. */
  readonly decision: Decision | undefined;
}

export interface Decision {
  readonly by: string;
  readonly reason: string;
  /** Undefined if the request was declined. */
  readonly granted?: Amount | undefined;
  /** The end that the quota got with the grant. */
  readonly validUntil?: Date | undefined;
}

/** What a user sets in a new request. */
export type NewRequest = Pick<QuotaRequest, 'user' | 'project' | 'wanted' | 'reason'>;

/** How a request ends. */
export type Ending =
  | { readonly state: 'withdrawn' }
  | { readonly state: 'approved' | 'declined'; readonly decision: Decision };

export function openRequest(asked: NewRequest, at: Date): QuotaRequest {
  return {
    ...asked,
    id: makeRequestId(asked.user, at),
    openedAt: at,
    state: 'open',
    endedAt: undefined,
    decision: undefined,
  };
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
