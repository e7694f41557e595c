import * as v from 'valibot';

/** How many of a list are wanted. */
export const limitTo = (most: number) =>
  v.pipe(
    v.string(),
    v.regex(/^[0-9]{1,4}$/, `It must be a whole number from 1 to ${most}.`),
    v.transform(Number),
    v.minValue(1, 'It must be at least 1.'),
    v.maxValue(most, `It must be at most ${most}.`),
  );

/** Where a list goes on, as its page before said. */
export const cursor = v.optional(v.string());

export const flag = v.optional(
  v.pipe(
    v.picklist(['true', 'false'], 'It must be true or false.'),
    v.transform((text) => text === 'true'),
  ),
);

const momentForm = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A bare date is a whole day: `since` means its beginning, `until` its end. */
export const moment = (timeOfDay: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        isMoment,
        'It must be a date (2026-01-31), or a date and time with a time zone (2026-01-31T08:00:00Z).',
      ),
      v.transform((text) => toMoment(text, timeOfDay)),
    ),
  );

export const startOfDay = '00:00:00.000';
export const endOfDay = '23:59:59.999';

/** Of a bare date, the moment of that day in UTC. */
export function toMoment(text: string, timeOfDay: string): Date {
  return new Date(text.includes('T') ? text : `${text}T${timeOfDay}Z`);
}

/** JavaScript takes the 30th of February for a day of March: the day must come back as it was. */
export function isMoment(text: string): boolean {
  const day = text.slice(0, 10);
  if (!momentForm.test(text) || Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) {
    return false;
  }
  return new Date(day).toISOString().startsWith(day);
}
