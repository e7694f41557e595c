import * as v from 'valibot';
import { type Renewal, renewalPeriods } from '#lib/catalog/renewal.ts';

const amount = v.object({ seconds: v.number(), kilobytes: v.number() });

/** How a quota renews, as it is stored. */
export const RenewalItem = v.object({
  every: v.picklist(renewalPeriods),
  on: v.number(),
  month: v.number(),
  to: amount,
  carry_over: amount,
});

/** Always the same for the same rule: a condition compares it as a whole. */
export function renewalToItem({ every, on, month, to, carryOver }: Renewal) {
  return {
    every,
    on,
    month,
    to: { seconds: to.seconds, kilobytes: to.kilobytes },
    carry_over: { seconds: carryOver.seconds, kilobytes: carryOver.kilobytes },
  } satisfies v.InferInput<typeof RenewalItem>;
}

export function renewalFromItem(item: v.InferOutput<typeof RenewalItem>): Renewal {
  const { carry_over: carryOver, ...rule } = item;
  return { ...rule, carryOver };
}
