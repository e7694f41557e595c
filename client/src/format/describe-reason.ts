import type { Ledger } from '../generated/operations.ts';
import { phrase } from '../words/formats.ts';
import { term } from '../words/terms.ts';
import { type Charging, writeNodeTime } from './amounts.ts';
import { writeDuration } from './duration.ts';
import { tell } from './tell.ts';

type Line = Extract<Ledger[number], { readonly kind: unknown }>;

/**
 * Says why a line of the ledger was written: `succeeded: 0.8 node-hours of 1 node-hour used`. Lines
 * without the figures of a job keep the words of the service.
 */
export function describeReason(
  { reason, settled }: Pick<Line, 'reason' | 'settled'>,
  charging: Charging,
): string {
  if (!settled) return tell(reason);
  const values = {
    outcome: term(settled.outcome),
    used: writeNodeTime(settled.used, charging),
    held: writeNodeTime(settled.held, charging),
  };
  return settled.excused === undefined
    ? phrase('ledger.settled', values)
    : phrase('ledger.settledExcused', { ...values, waited: writeDuration(settled.excused) });
}
