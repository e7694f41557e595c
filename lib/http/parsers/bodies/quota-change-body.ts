import * as v from 'valibot';
import { lastRenewalDay, type Renewal, renewalPeriods } from '#lib/catalog/renewal.ts';
import type { QuotaChange } from '#lib/quotas/grants/change-quota.ts';
import { mostGranted } from '#lib/quotas/quota.ts';
import { checkAt, endOfDay, isMoment, toMoment } from '../fields.ts';
import { jsonBody, reason } from './json-body.ts';

/** Changes what is granted, the end or the renewal: at least one of them. */
export const quotaChangeBody = (now: Date) =>
  jsonBody(
    v.pipe(
      changeFields(now),
      checkAt('set', (body) => isEither(body), onlyOne),
      checkAt('add', (body) => isEither(body), onlyOne),
      v.check((body) => changesSomething(body), atLeastOne),
      v.transform(({ reason, ...change }) => ({ reason, change: toChange(change) })),
    ),
  );

export const changeFields = (now: Date) =>
  v.object({
    reason,
    set: amounts(0),
    add: amounts(-mostGranted),
    valid_until: validUntil(now),
    renews: v.optional(v.nullable(renewalFields)),
  });

type ChangeFields = v.InferOutput<ReturnType<typeof changeFields>>;

export const onlyOne = 'Send either set or add, not both.';

export const atLeastOne = 'Send at least one of set, add, valid_until and renews.';

export function isEither({ set, add }: Pick<ChangeFields, 'set' | 'add'>): boolean {
  return !(set && add);
}

export function changesSomething(change: Omit<ChangeFields, 'reason'>): boolean {
  const { set, add, valid_until, renews } = change;
  return Boolean(set ?? add) || valid_until !== undefined || renews !== undefined;
}

export function toChange(change: Omit<ChangeFields, 'reason'>): QuotaChange {
  const { set, add, valid_until: validUntil, renews } = change;
  const amounts = set ? { mode: 'set' as const, ...set } : add && { mode: 'add' as const, ...add };
  return { amounts, validUntil, renews };
}

const amounts = (least: number) =>
  v.optional(
    v.pipe(
      v.strictObject(
        { time: amount(least), space: amount(least) },
        'Send time (seconds), space (kilobytes), or both.',
      ),
      v.check(
        ({ time, space }) => time !== undefined || space !== undefined,
        'Send time (seconds), space (kilobytes), or both.',
      ),
      v.transform(({ time, space }) => ({ seconds: time, kilobytes: space })),
    ),
  );

export const amount = (least: number) =>
  v.optional(
    v.pipe(
      v.number('It must be a whole number.'),
      v.integer('It must be a whole number.'),
      v.minValue(least, `It must be at least ${least}.`),
      v.maxValue(mostGranted, `It must be at most ${mostGranted}.`),
      v.transform(withoutMinusZero),
    ),
  );

/** JSON can hold -0, which is not an amount. */
function withoutMinusZero(number: number): number {
  return number + 0;
}

/** The end of a quota, or null for none. */
export const validUntil = (now: Date) =>
  v.optional(
    v.nullable(
      v.pipe(
        v.string('It must be a date, a date and time, or null.'),
        v.check(
          isMoment,
          'It must be a date (2027-01-31), a date and time with a time zone (2027-01-31T08:00:00Z), or null.',
        ),
        v.transform((text) => toMoment(text, endOfDay)),
        v.check((moment) => moment > now, 'It must be in the future.'),
        v.check((moment) => moment.getUTCFullYear() < 10_000, 'It is too far in the future.'),
      ),
    ),
  );

const numberFrom = (least: number, most: number) => {
  const message = `It must be a whole number from ${least} to ${most}.`;
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most, message),
  );
};

const renewedAmount = v.pipe(numberFrom(0, mostGranted), v.transform(withoutMinusZero));

/** Says how a quota renews, as the interface writes it. */
export const renewalFields = v.pipe(
  v.strictObject(
    {
      every: v.picklist(renewalPeriods, `It must be one of ${renewalPeriods.join(', ')}.`),
      on: numberFrom(1, lastRenewalDay),
      month: v.optional(numberFrom(1, 12)),
      to: v.strictObject(
        { time: renewedAmount, space: renewedAmount },
        'Send time (seconds) and space (kilobytes).',
      ),
      carry_over: v.optional(
        v.strictObject(
          { time: v.optional(renewedAmount, 0), space: v.optional(renewedAmount, 0) },
          'Send time (seconds), space (kilobytes), or both.',
        ),
        {},
      ),
    },
    'Send every, on and to, or null if the quota does not renew.',
  ),
  checkAt(
    'month',
    ({ every, month }) => every !== 'monthly' || month === undefined,
    'A quota that renews every month takes no month. Leave it out.',
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
