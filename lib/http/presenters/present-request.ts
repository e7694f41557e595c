import type { JudgedRequest } from '#lib/requests/list-requests.ts';
import type { Decision, QuotaRequest } from '#lib/requests/quota-request.ts';
import { float, timestamp } from './values.ts';

export function presentRequest(request: QuotaRequest) {
  const { id, user, project, wanted, reason, openedAt, state, endedAt, decision } = request;
  return {
    request_id: id,
    user,
    project: project.number,
    project_hpc: project.hpc.toUpperCase(),
    project_name: project.name,
    time: wanted.seconds,
    space: float(wanted.kilobytes),
    reason,
    state,
    opened: timestamp(openedAt),
    ended: endedAt ? timestamp(endedAt) : null,
    decision: decision ? presentDecision(decision) : null,
  };
}

/** Adds who asks, and their ban, which an administrator should know before deciding. */
export function presentJudgedRequest({ request, bans, name }: JudgedRequest) {
  return {
    ...presentRequest(request),
    ...(name !== undefined && { name }),
    banned: bans.everywhere ?? bans.here ?? null,
  };
}

function presentDecision({ by, reason, granted, validUntil }: Decision) {
  return {
    by,
    reason,
    time: granted?.seconds ?? null,
    space: granted ? float(granted.kilobytes) : null,
    valid_until: validUntil ? timestamp(validUntil) : null,
  };
}

export function requestLocation({ id }: QuotaRequest): string {
  return `/requests/${id}/`;
}
