import * as v from 'valibot';
import { checkAt, isMoment, startOfDay, toMoment } from '../fields.ts';
import { jsonBody, reason } from './json-body.ts';

const wrongMoment =
  'It must be a date (2026-12-01), or a date and time with a time zone (2026-12-01T08:00:00Z).';

/** A bare date stands for its first moment. */
const moment = v.pipe(
  v.string(wrongMoment),
  v.check(isMoment, wrongMoment),
  v.transform((text) => toMoment(text, startOfDay)),
);

/** A window of maintenance. Without `until` it lasts until it is changed or withdrawn. */
export const maintenanceBody = (now: Date) =>
  jsonBody(
    v.pipe(
      v.object({
        from: moment,
        until: v.optional(v.nullable(moment)),
        drain: v.optional(v.boolean('It must be true or false.'), true),
        reason,
      }),
      checkAt(
        'until',
        ({ from, until }) => !until || until > from,
        'It must be after the beginning.',
      ),
      checkAt('until', ({ until }) => !until || until > now, 'It must be in the future.'),
      v.transform(({ drain: drains, until, ...others }) => ({
        ...others,
        drains,
        ...(until && { until }),
      })),
    ),
  );
