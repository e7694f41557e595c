import type { Operations } from '../generated/operations.ts';

type Grant = Parameters<Operations['grantQuota']>[0];

/** A grant among many. Its reason may be that of all of them. */
export type GrantRow = Omit<Grant, 'body'> &
  Omit<Grant['body'], 'reason'> & { readonly reason?: string };
