import * as v from 'valibot';

/** How many of a list are wanted. */
export const limitTo = (most: number) =>
  v.pipe(
    v.string(),
    v.regex(/^[0-9]{1,4}$/, `A whole number from 1 to ${most} is needed.`),
    v.transform(Number),
    v.minValue(1, 'At least 1 is needed.'),
    v.maxValue(most, `At most ${most} are given.`),
  );

/** Where a list goes on, as its page before said. */
export const cursor = v.optional(v.string());

export const flag = (name: string) =>
  v.optional(
    v.pipe(
      v.picklist(['true', 'false'], `${name} is true or false.`),
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
        'A date (2026-01-31) or a moment with its zone (2026-01-31T08:00:00Z) is needed.',
      ),
      v.transform((text) => new Date(text.includes('T') ? text : `${text}T${timeOfDay}Z`)),
    ),
  );

/** JavaScript takes the 30th of February for a day of March: the day must come back as it was. */
export function isMoment(text: string): boolean {
  const day = text.slice(0, 10);
  if (!momentForm.test(text) || Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) {
    return false;
  }
  return new Date(day).toISOString().startsWith(day);
}
