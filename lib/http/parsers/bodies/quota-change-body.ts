import * as v from 'valibot';
import { mostGranted } from '#lib/quotas/quota.ts';
import { isMoment } from '../queries/query-fields.ts';
import { jsonBody } from './json-body.ts';
import { reason } from './reason-body.ts';
import { renewalFields } from './renewal-fields.ts';

const amount = (least: number) =>
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

const changeFields = (now: Date) =>
  v.object({
    reason,
    set: amounts(0),
    add: amounts(-mostGranted),
    valid_until: v.optional(
      v.nullable(
        v.pipe(
          v.string('It must be a date and time, or null.'),
          v.check(
            (text) => text.includes('T') && isMoment(text),
            'It must be a date and time with a time zone (2027-01-31T08:00:00Z), or null.',
          ),
          v.transform((text) => new Date(text)),
          v.check((moment) => moment > now, 'It must be in the future.'),
          v.check((moment) => moment.getUTCFullYear() < 10_000, 'It is too far in the future.'),
        ),
      ),
    ),
    renews: v.optional(v.nullable(renewalFields)),
  });

const onlyOne = 'Send either set or add, not both.';

/** What is granted or what is added to it, an end, a renewal: at least one of these. */
export const quotaChangeBody = (now: Date) =>
  jsonBody(
    v.pipe(
      changeFields(now),
      v.forward(
        v.check(({ set, add }) => !(set && add), onlyOne),
        ['set'],
      ),
      v.forward(
        v.check(({ set, add }) => !(set && add), onlyOne),
        ['add'],
      ),
      v.check(
        ({ set, add, valid_until, renews }) =>
          Boolean(set ?? add) || valid_until !== undefined || renews !== undefined,
        'Send at least one of set, add, valid_until and renews.',
      ),
      v.transform(({ reason, set, add, valid_until: validUntil, renews }) => {
        const amounts = set
          ? { mode: 'set' as const, ...set }
          : add && { mode: 'add' as const, ...add };
        return { reason, change: { amounts, validUntil, renews } };
      }),
    ),
  );
