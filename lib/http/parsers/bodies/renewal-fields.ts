import * as v from 'valibot';
import { lastRenewalDay, type Renewal, renewalPeriods } from '#lib/catalog/renewal.ts';
import { mostGranted } from '#lib/quotas/quota.ts';

const numberFrom = (least: number, most: number) => {
  const message = `It must be a whole number from ${least} to ${most}.`;
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most, message),
  );
};

const amount = v.pipe(
  numberFrom(0, mostGranted),
  // JSON knows -0, which is no amount.
  v.transform((number) => number + 0),
);

/** How a quota renews, as the interface writes it. */
export const renewalFields = v.pipe(
  v.strictObject(
    {
      every: v.picklist(renewalPeriods, `It must be one of ${renewalPeriods.join(', ')}.`),
      on: numberFrom(1, lastRenewalDay),
      month: v.optional(numberFrom(1, 12)),
      to: v.strictObject(
        { time: amount, space: amount },
        'Send time (seconds) and space (kilobytes).',
      ),
      carry_over: v.optional(
        v.strictObject(
          { time: v.optional(amount, 0), space: v.optional(amount, 0) },
          'Send time (seconds), space (kilobytes), or both.',
        ),
        {},
      ),
    },
    'Send every, on and to, or null where it does not renew.',
  ),
  v.forward(
    v.check(
      ({ every, month }) => every !== 'monthly' || month === undefined,
      'A quota that renews every month has none. Leave it out.',
    ),
    ['month'],
  ),
  v.transform(
    ({ every, on, month = 1, to, carry_over: kept }): Renewal => ({
      every,
      on,
      month,
      to: { seconds: to.time, kilobytes: to.space },
      carryOver: { seconds: kept.time, kilobytes: kept.space },
    }),
  ),
);
