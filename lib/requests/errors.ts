import type { RequestId } from '#lib/catalog/identifiers.ts';
import { refusal, refusalSaying } from '#lib/errors/domain-error.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { QuotaRequest } from './quota-request.ts';

/** The request does not exist, or belongs to somebody else. The caller must not learn which. */
export class RequestNotFoundError extends /* @__PURE__ */ refusal(
  'request-not-found',
  'Request not found. List the requests to see their ids.',
) {}

/** Only one request per project may be open, so nobody is granted the same twice. */
export class RequestOpenError extends /* @__PURE__ */ refusalSaying(
  'request-open',
  ({ hpc, project }: ProjectKey, request: RequestId) => ({
    message: `Your request ${request} for the project '${project}' on '${hpc}' is still open. Wait for its decision, or withdraw it first.`,
    facts: { requestId: request },
  }),
) {}

export class TooManyOpenRequestsError extends /* @__PURE__ */ refusalSaying(
  'too-many-open-requests',
  (limit: number) => ({
    message: `You have ${limit} open requests, and no more are allowed. Wait for a decision, or withdraw one.`,
    facts: { limit },
  }),
) {}

/** The request has already been decided or withdrawn. */
export class RequestEndedError extends /* @__PURE__ */ refusalSaying(
  'request-ended',
  ({ id, user, state, endedAt, decision }: QuotaRequest) => {
    const by = decision?.by ?? user;
    return {
      message: `The request ${id} was ${state} by ${by} on ${endedAt?.toISOString().slice(0, 10)}. Nothing was changed.`,
      facts: { state, by },
    };
  },
) {}
