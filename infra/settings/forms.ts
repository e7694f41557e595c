import * as v from 'valibot';

/** Schemas for the values of `-c name=`, each with its message. */

export const text = v.pipe(v.string('must be text'), v.nonEmpty('must not be empty'));

export function matching(form: RegExp, message: string) {
  return v.pipe(text, v.regex(form, message));
}

export function hostName(example: string) {
  return matching(/^([a-z0-9-]+\.)+[a-z]{2,}$/, `must be a host name such as ${example}`);
}

export function certificateIn(region: string, message: string) {
  return matching(new RegExp(`^arn:aws[a-z-]*:acm:${region}:\\d{12}:certificate/\\S+$`), message);
}

export function trueOrFalse() {
  return v.union([v.picklist(['true', 'false']), v.boolean()], 'must be true or false');
}

export function httpsAddress() {
  const message = 'must be an address that begins with https://';
  return v.pipe(text, v.url(message), v.startsWith('https://', message));
}

export function wholeNumber(from: number, to: number) {
  const message = `must be a whole number from ${from} to ${to}`;
  return v.pipe(
    v.union([v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number)), v.number()], message),
    v.integer(message),
    v.minValue(from, message),
    v.maxValue(to, message),
  );
}

/** A comma-separated list. */
export function listOf<Item extends v.GenericSchema<string, string>>(item: Item) {
  return v.pipe(
    text,
    v.transform((list) => list.split(',').map((each) => each.trim())),
    v.array(item),
  );
}
