import type { Ledger } from '../../generated/operations.ts';
import { phrase } from '../../words/formats.ts';
import { term } from '../../words/terms.ts';
import { type Charging, writeNodeTime } from '../amounts/amounts.ts';
import { tell } from '../sentences/tell.ts';
import { writeDuration } from '../times/duration.ts';

type Line = Extract<Ledger[number], { readonly kind: unknown }>;

/** How the service begins the reason of a line that decided a request. */
const decision = /^request [0-9]+-[0-9a-f]{25}([0-9a-f]{7}): (.*)$/s;

/**
 * Says why a line of the ledger was written: `succeeded: 0.8 node-hours of 1 node-hour used`. Lines
 * without the figures of a job keep the words of the service. Ids of requests begin with the
 * user and the time, so their ends are shown, or nothing where there is another place for them.
 */
export function describeReason(
  { reason, settled }: Pick<Line, 'reason' | 'settled'>,
  charging: Charging,
  { withId = true } = {},
): string {
  if (!settled) {
    const [, end, why] = decision.exec(reason) ?? [];
    if (end === undefined || why === undefined) return tell(reason);
    return withId
      ? phrase('ledger.requestWithId', { id: `…${end}`, why })
      : phrase('ledger.request', { why });
  }
  const values = {
    outcome: term(settled.outcome),
    used: writeNodeTime(settled.used, charging),
    held: writeNodeTime(settled.held, charging),
  };
  return settled.excused === undefined
    ? phrase('ledger.settled', values)
    : phrase('ledger.settledExcused', { ...values, waited: writeDuration(settled.excused) });
}
