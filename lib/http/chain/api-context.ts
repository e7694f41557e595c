import type { Context } from 'aws-lambda';
import type { Caller } from '../caller.ts';
import { InvalidTokenError, PathNotFoundError } from '../errors.ts';

/** What the chain finds out about a request on its way to the handler. */
export type ApiContext = Context & {
  caller?: Caller;
  pathValues?: Readonly<Record<string, string>>;
};

/** Fails closed: a chain that forgot to authenticate refuses everybody. */
export function callerOf({ caller }: ApiContext): Caller {
  if (!caller) throw new InvalidTokenError();
  return caller;
}

export function pathValuesOf({ pathValues }: ApiContext): Readonly<Record<string, string>> {
  if (!pathValues) throw new PathNotFoundError();
  return pathValues;
}
