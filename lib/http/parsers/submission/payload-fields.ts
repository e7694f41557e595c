import * as v from 'valibot';
import { dishonest, isHonest } from '../honest-text.ts';

/** Of several problems of a field the first is told. */
const firstProblem = { abortPipeEarly: true } as const;

export const text = (maxLength: number, minLength = 1) =>
  v.config(
    v.pipe(
      v.string('It must be text.'),
      v.trim(),
      v.minLength(minLength, 'It must not be empty.'),
      v.check(
        (value) => [...value].length <= maxLength,
        ({ input }) =>
          `It has ${[...input].length} characters, but at most ${maxLength} are allowed.`,
      ),
      v.check((value) => isHonest(value) && !hasControlCharacters(value), dishonest),
    ),
    firstProblem,
  );

/** The name of a tool. */
export const name = (maxLength: number) =>
  v.config(
    v.pipe(
      text(maxLength),
      v.regex(/^[A-Za-z0-9_]+$/, 'It must be a name of letters, digits and underscores.'),
      v.toUpperCase(),
    ),
    firstProblem,
  );

export const wholeNumber = (max: number) => {
  const message = `It must be a whole number from 1 to ${max}.`;
  return v.config(
    v.pipe(
      numberLike(/^[0-9]{1,15}$/, message),
      v.integer(message),
      v.minValue(1, message),
      v.maxValue(max, message),
    ),
    firstProblem,
  );
};

export const hoursFrom = (min: number) => {
  const message = `It must be a number of hours, at least ${min}, for example "2.0".`;
  return v.config(
    v.pipe(
      numberLike(/^[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$/, message),
      v.finite(message),
      v.minValue(min, message),
    ),
    firstProblem,
  );
};

/** Numbers come as text, as the interface shows them, or as JSON numbers. */
function numberLike(form: RegExp, message: string) {
  return v.pipe(
    v.unknown(),
    v.transform((value) =>
      typeof value === 'string' && form.test(value.trim()) ? Number(value) : value,
    ),
    v.number(message),
  );
}

/** Tabs and line ends belong to a script; no other control character has an honest use. */
function hasControlCharacters(value: string): boolean {
  return /[\p{Cc}--[\t\n\r]]/v.test(value);
}
