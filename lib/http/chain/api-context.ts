import type { Context } from 'aws-lambda';
import type { Caller } from '../caller.ts';
import { InvalidTokenError, PathNotFoundError } from '../errors.ts';
import type { ApiResponse } from '../respond.ts';
import type { MatchedPath } from '../routes/route.ts';

/** What the chain finds out about a request on its way to the handler. */
export type ApiContext = Context & {
  caller?: Caller;
  matched?: MatchedPath;
  /** The operation that was asked for, with all that it needs to know. */
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

/** Nothing is answered that was not read. */
export function answerOf({ answer }: ApiContext): () => Promise<ApiResponse> {
  if (!answer) throw new PathNotFoundError();
  return answer;
}
