import { budgetHolder } from '#lib/catalog/identifiers.ts';
import type { Step } from '#lib/table/transaction.ts';
import { writeLedgerLine } from '../ledger.ts';
import {
  type Amount,
  accountOf,
  budgetOf,
  isNothing,
  nothing,
  type Quota,
  subtract,
} from '../quota.ts';
import { moveShare } from './move-share.ts';

/**
 * Returns the part of an amount that goes back to the budget when it lapses or is taken away: as
 * much as came from there.
 */
export function returnedShare({ share = nothing }: Pick<Quota, 'share'>, taken: Amount): Amount {
  return {
    seconds: Math.min(taken.seconds, share.seconds),
    kilobytes: Math.min(taken.kilobytes, share.kilobytes),
  };
}

/** The share of a budget itself is what it has given, which does not lapse. */
export function lapsedShare(quota: Quota, lapsed: Amount): Amount {
  return quota.user === budgetHolder ? nothing : returnedShare(quota, lapsed);
}

/** Gives back to the project's budget what came from there and lapses. */
export function giveBackShare(
  quota: Quota,
  { lapsed, reason, at }: { readonly lapsed: Amount; readonly reason: string; readonly at: Date },
): Step[] {
  const returned = lapsedShare(quota, lapsed);
  if (isNothing(returned)) return [];
  const account = accountOf(quota);
  return [
    moveShare(account, subtract(nothing, returned), at),
    writeLedgerLine({
      ...budgetOf(account),
      kind: 'share',
      ...returned,
      at,
      by: 'slipway',
      reason,
      member: account.user,
    }),
  ];
}
