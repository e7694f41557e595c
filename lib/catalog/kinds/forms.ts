import * as v from 'valibot';

/**
 * The forms that the fields of a catalog are made of. Each message ends the sentence
 * "it must be ...", so a mistake in a catalog is answered with what is allowed.
 */

export function field<const S extends v.GenericSchema>(schema: S, description: string) {
  return v.pipe(schema, v.description(description));
}

export function optional<const S extends v.GenericSchema>(schema: S, description: string) {
  return v.exactOptional(field(schema, description));
}

/** Accepts an object with exactly these fields. A missing field is reported with its own message. */
export function section<const Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries);
  return v.strictObject(entries, ({ expected, path }) => {
    if (expected === 'never') return known.join(', ');
    const missing = entries[String(path?.at(-1)?.key)];
    return missing && 'message' in missing && typeof missing.message === 'string'
      ? missing.message
      : 'an object';
  });
}

export function wholeNumber(from: number, to = Number.MAX_SAFE_INTEGER) {
  const bound = to === Number.MAX_SAFE_INTEGER ? '' : ` to ${to}`;
  const message = `a whole number from ${from}${bound}`;
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(from, message),
    v.maxValue(to, message),
  );
}

export function numberFrom(from: number, to: number) {
  const message = `a number from ${from} to ${to}`;
  return v.pipe(v.number(message), v.minValue(from, message), v.maxValue(to, message));
}

export function matching(form: RegExp, message: string) {
  return v.pipe(v.string(message), v.regex(form, message));
}

export function text(maxLength: number) {
  const message = `text of 1 to ${maxLength} characters`;
  return v.pipe(v.string(message), v.minLength(1, message), v.maxLength(maxLength, message));
}

export function trueOrFalse() {
  return v.boolean('true or false');
}

export function listOf<const S extends v.GenericSchema>(each: S, message: string) {
  return v.array(each, message);
}

export function filledListOf<const S extends v.GenericSchema>(each: S, message: string) {
  return v.pipe(v.array(each, message), v.minLength(1, message));
}

/** Accepts no user and no query, because an address must not carry credentials. */
export const address = matching(
  /^(https:\/\/[^\s/@?#]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?)(\/[^\s@?#]*)?$/,
  'an address that begins with https:// (or http:// on this machine), without a user or a query',
);
