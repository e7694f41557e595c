import { type AttributeValue, type Item, setOf } from './attribute-value.ts';
import { compareNumbers } from './decimal.ts';

export function isEqual(one: AttributeValue, other: AttributeValue): boolean {
  if ('S' in one) return 'S' in other && one.S === other.S;
  // Stored numbers are normalized, so equal numbers have equal text.
  if ('N' in one) return 'N' in other && one.N === other.N;
  if ('B' in one) return 'B' in other && compareBytes(one.B, other.B) === 0;
  if ('BOOL' in one) return 'BOOL' in other && one.BOOL === other.BOOL;
  if ('NULL' in one) return 'NULL' in other;
  if ('M' in one) return 'M' in other && isSameItem(one.M, other.M);
  if ('L' in one) return 'L' in other && isSameList(one.L, other.L);
  return isSameSet(setOf(one), setOf(other));
}

type ValueSet = ReturnType<typeof setOf>;

function isSameSet(one: ValueSet, other: ValueSet): boolean {
  if (!one || one.type !== other?.type || one.members.length !== other.members.length) return false;
  return one.members.every((member) => other.members.includes(member));
}

function isSameList(one: readonly AttributeValue[], other: readonly AttributeValue[]): boolean {
  return one.length === other.length && one.every((value, place) => isEqualAt(value, other[place]));
}

/** Ignores the order of attributes. */
export function isSameItem(one: Item, other: Item): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isEqualAt(one[name], other[name]))
  );
}

function isEqualAt(one: AttributeValue | undefined, other: AttributeValue | undefined): boolean {
  return one !== undefined && other !== undefined && isEqual(one, other);
}

/** Returns undefined if the types differ or have no order. */
export function compareValues(one: AttributeValue, other: AttributeValue): number | undefined {
  if ('S' in one && 'S' in other) return compareText(one.S, other.S);
  if ('N' in one && 'N' in other) return compareNumbers(one.N, other.N);
  if ('B' in one && 'B' in other) return compareBytes(one.B, other.B);
  return undefined;
}

/** Compares UTF-8 bytes. JavaScript's UTF-16 order differs for characters above U+FFFF. */
function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one, 'base64'), Buffer.from(other, 'base64'));
}
