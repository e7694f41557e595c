import type { Context } from 'aws-lambda';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Person } from '#lib/users/person.ts';
import { InvalidTokenError, PathNotFoundError } from '../errors.ts';
import type { ApiResponse } from '../respond.ts';
import type { MatchedPath } from '../routes/route.ts';

/** The caller owns submitted jobs and is the user of `/quotas/` (interface 5). */
export interface Caller extends Person {
  readonly userId: UserId;
  readonly administrator: boolean;
  /** The groups in the token, if it has any. */
  readonly groups?: readonly string[];
  /** The claims from which systems of the catalog take accounts, by name. */
  readonly claims?: Readonly<Record<string, string>>;
}

/** Carries what the chain learns about a request on its way to the handler. */
export type ApiContext = Context & {
  caller?: Caller;
  matched?: MatchedPath;
  answer?: () => Promise<ApiResponse>;
};

/** Fails closed: a chain that forgot to authenticate refuses everybody. */
export function callerOf({ caller }: ApiContext): Caller {
  if (!caller) throw new InvalidTokenError();
  return caller;
}

export function matchedOf({ matched }: ApiContext): MatchedPath {
  if (!matched) throw new PathNotFoundError();
  return matched;
}

/** Throws unless the request was parsed. */
export function answerOf({ answer }: ApiContext): () => Promise<ApiResponse> {
  if (!answer) throw new PathNotFoundError();
  return answer;
}
