import { type AttributeValue, type Item, setOf } from './attribute-value.ts';
import { parseDecimal } from './decimal.ts';

const documentOverhead = 3;

/** Returns the size of an item as DynamoDB counts it: names and values. */
export function measureItem(item: Item): number {
  let bytes = 0;
  for (const name in item) {
    const value = item[name];
    if (value) bytes += byteLength(name) + measureValue(value);
  }
  return bytes;
}

function measureValue(value: AttributeValue): number {
  if ('S' in value) return byteLength(value.S);
  if ('N' in value) return measureNumber(value.N);
  if ('B' in value) return Buffer.byteLength(value.B, 'base64');
  if ('M' in value) {
    return documentOverhead + Object.keys(value.M).length + measureItem(value.M);
  }
  if ('L' in value) {
    return value.L.reduce((sum, each) => sum + 1 + measureValue(each), documentOverhead);
  }
  const set = setOf(value);
  if (!set) return 1;
  const measure = {
    SS: byteLength,
    NS: measureNumber,
    BS: (base64: string) => Buffer.byteLength(base64, 'base64'),
  }[set.type];
  return set.members.reduce((sum, member) => sum + measure(member), 0);
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/**
 * Counts one byte per two digits, aligned to the decimal point, one for the exponent, and one for a
 * minus sign.
 */
function measureNumber(text: string): number {
  const { digits, exponent, negative } = parseDecimal(text);
  if (digits === '') return 1;
  const isSplit = digits.length % 2 === 0 && exponent % 2 !== 0;
  return 1 + Math.ceil(digits.length / 2) + (isSplit ? 1 : 0) + (negative ? 1 : 0);
}
