import type { RequestId } from '#lib/catalog/identifiers.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { QuotaRequest, RequestState } from './quota-request.ts';

/** The request does not exist, or belongs to somebody else. The caller must not learn which. */
export class RequestNotFoundError extends DomainError {
  override readonly name = 'RequestNotFoundError';
  constructor() {
    super('Request not found. List the requests to see their ids.');
  }
}

/** Only one request per project may be open, so nobody is granted the same twice. */
export class RequestOpenError extends DomainError {
  override readonly name = 'RequestOpenError';
  readonly requestId: RequestId;
  constructor({ hpc, project }: ProjectKey, requestId: RequestId) {
    super(
      `Your request ${requestId} for the project '${project}' on '${hpc}' is still open. Wait for its decision, or withdraw it first.`,
    );
    this.requestId = requestId;
  }
}

export class TooManyOpenRequestsError extends DomainError {
  override readonly name = 'TooManyOpenRequestsError';
  readonly limit: number;
  constructor(limit: number) {
    super(
      `You have ${limit} open requests, and no more are allowed. Wait for a decision, or withdraw one.`,
    );
    this.limit = limit;
  }
}

/** The request has already been decided or withdrawn. */
export class RequestEndedError extends DomainError {
  override readonly name = 'RequestEndedError';
  readonly state: RequestState;
  readonly by: string;
  constructor({ id, user, state, endedAt, decision }: QuotaRequest) {
    const by = decision?.by ?? user;
    super(
      `The request ${id} was ${state} by ${by} on ${endedAt?.toISOString().slice(0, 10)}. Nothing was changed.`,
    );
    this.state = state;
    this.by = by;
  }
}
