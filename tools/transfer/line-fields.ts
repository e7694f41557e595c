import * as v from 'valibot';
import { isUserId, type UserId } from '#lib/catalog/identifiers.ts';

export const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
export const amount = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const user = v.custom<UserId>(isUserId, 'must be 1 to 32 digits, without leading zeros');
export const moment = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
);

/**
 * Attributes with another name in a line; undefined leaves them out. The others keep their name.
 */
export type LineNames = Readonly<Record<string, string | undefined>>;

export function nameAsInLines<Value>(
  attributes: Readonly<Record<string, Value>>,
  names: LineNames,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => {
      const shown = name in names ? names[name] : name;
      return shown === undefined ? [] : [[shown, value]];
    }),
  );
}
