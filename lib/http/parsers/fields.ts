import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import {
  isProjectName,
  isUserId,
  type ProjectName,
  type UserId,
} from '#lib/catalog/identifiers.ts';

export const userNumber = v.custom<UserId>(
  isUserId,
  'It must be the number of a user, without leading zeros.',
);

/** The same for rows, in which JSON could also hold a number. */
export const rowUser = v.custom<UserId>(
  isUserId,
  'It must be the number of a user, as text and without leading zeros.',
);

export const systemName = ({ systems }: Catalog) => {
  const names = systems.map(({ name }) => name);
  return v.picklist(names, `Unknown system. Known systems: ${names.join(', ')}.`);
};

export const projectName = v.custom<ProjectName>(
  isProjectName,
  'It must be the name of a project.',
);

export const anyText = v.string('It must be text.');

/** A page of at most this many. */
export const limitTo = (most: number) =>
  v.pipe(
    v.string(),
    v.regex(/^[0-9]{1,4}$/, `It must be a whole number from 1 to ${most}.`),
    v.transform(Number),
    v.minValue(1, 'It must be at least 1.'),
    v.maxValue(most, `It must be at most ${most}.`),
  );

/** The position after the previous page, from its `Link` header. */
export const cursor = v.optional(v.string());

export const pageQuery = v.object({ limit: v.optional(limitTo(100), '100'), cursor });

export const flag = v.optional(
  v.pipe(
    v.picklist(['true', 'false'], 'It must be true or false.'),
    v.transform((text) => text === 'true'),
  ),
);

export const wholeSearch =
  'It cannot be used with search, which has one page. Search for more letters.';

const longestSearch = 100;

/** The beginning of a name or mail address. */
export const searchText = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (text) => text.trim() !== '' && text.length <= longestSearch,
      `It must have 1 to ${longestSearch} characters.`,
    ),
  ),
);

export const idempotencyKey = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]{1,255}$/, 'It must have 1 to 255 visible ASCII characters without spaces.'),
);

const momentForm = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

const notAMoment =
  'It must be a date (2026-01-31), or a date and time with a time zone (2026-01-31T08:00:00Z).';
const plusIsSpace =
  'In an address a + stands for a space. Write it as %2B, or use a time in UTC (Z).';

/** A bare date stands for a whole day: `since` means its start, `until` its end. */
export const moment = (timeOfDay: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(isMoment, ({ input }) =>
        isMoment(input.replace(' ', '+')) ? plusIsSpace : notAMoment,
      ),
      v.transform((text) => toMoment(text, timeOfDay)),
    ),
  );

export const startOfDay = '00:00:00.000';
export const endOfDay = '23:59:59.999';

/** Adds `timeOfDay` in UTC to a bare date. */
export function toMoment(text: string, timeOfDay: string): Date {
  return new Date(text.includes('T') ? text : `${text}T${timeOfDay}Z`);
}

/** Compares the day after parsing, because JavaScript turns February 30 into a day of March. */
export function isMoment(text: string): boolean {
  const day = text.slice(0, 10);
  if (!momentForm.test(text) || Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) {
    return false;
  }
  return new Date(day).toISOString().startsWith(day);
}

/** Trimmed text that people read, without characters that cannot be shown. */
export const plainText = (maxLength: number) =>
  v.pipe(
    anyText,
    v.trim(),
    v.check(
      (text) => [...text].length <= maxLength,
      `It must have at most ${maxLength} characters.`,
    ),
    v.check((text) => isHonest(text) && !/\p{Cc}/u.test(text), dishonest),
  );

/**
 * Marks that reverse the writing direction of the text around them (UAX 9: embeddings, overrides,
 * isolates). They can make a title or file name read as a different one. Single marks (U+200E,
 * U+200F) are fine: keyboards for Arabic and Hebrew type them.
 */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/;

/** True if text reads as it is stored: valid Unicode without reversed parts. */
export function isHonest(text: string): boolean {
  return text.isWellFormed() && !directionMarks.test(text);
}

export const dishonest =
  'It must not contain control characters, marks that change the writing direction, or broken Unicode.';

/** Protects the directory on the HPC system: no path separator of any system, no hidden file. */
export function isPlainName(name: string): boolean {
  return !/[\p{Cc}/\\:]/u.test(name) && !name.startsWith('.') && isHonest(name);
}

/** Checks a rule between fields, and reports a problem at one of them. */
export function checkAt<Fields extends Record<string, unknown>>(
  field: keyof Fields & string,
  holds: (fields: Fields) => boolean,
  message: string,
) {
  return v.rawCheck<Fields>(({ dataset, addIssue }) => {
    if (!dataset.typed || holds(dataset.value)) return;
    const { value: input } = dataset;
    const at = { type: 'object', origin: 'value', input, key: field, value: input[field] } as const;
    addIssue({ message, path: [at] });
  });
}
