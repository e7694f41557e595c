import * as v from 'valibot';
import type { QuotaChange } from '#lib/quotas/grants/change-quota.ts';
import { mostGranted } from '#lib/quotas/quota.ts';
import { endOfDay, isMoment, toMoment } from '../queries/query-fields.ts';
import { jsonBody } from './json-body.ts';
import { reason } from './reason-body.ts';
import { renewalFields } from './renewal-fields.ts';

export const amount = (least: number) =>
  v.optional(
    v.pipe(
      v.number('It must be a whole number.'),
      v.integer('It must be a whole number.'),
      v.minValue(least, `It must be at least ${least}.`),
      v.maxValue(mostGranted, `It must be at most ${mostGranted}.`),
      // JSON knows -0, which is no amount.
      v.transform((number) => number + 0),
    ),
  );

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

/** What can be changed of a quota, and why it is. */
export const changeFields = (now: Date) =>
  v.object({
    reason,
    set: amounts(0),
    add: amounts(-mostGranted),
    valid_until: validUntil(now),
    renews: v.optional(v.nullable(renewalFields)),
  });

/** The end of a quota; null for none. */
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

export type ChangeFields = v.InferOutput<ReturnType<typeof changeFields>>;

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

/** What is granted or what is added to it, an end, a renewal: at least one of these. */
export const quotaChangeBody = (now: Date) =>
  jsonBody(
    v.pipe(
      changeFields(now),
      v.forward(
        v.check((body) => isEither(body), onlyOne),
        ['set'],
      ),
      v.forward(
        v.check((body) => isEither(body), onlyOne),
        ['add'],
      ),
      v.check((body) => changesSomething(body), atLeastOne),
      v.transform(({ reason, ...change }) => ({ reason, change: toChange(change) })),
    ),
  );
