import { type AttributeValue, typeOf } from './attribute-value.ts';
import { type Decimal, parseDecimal } from './decimal.ts';

const exponentOffset = 0x8000;
const nine = '9'.charCodeAt(0);
const zero = '0'.charCodeAt(0);

/** Encodes a key as bytes that sort in DynamoDB's order. */
export function encodeKey(value: AttributeValue): Buffer {
  if ('S' in value) return Buffer.from(value.S);
  if ('N' in value) return encodeNumber(parseDecimal(value.N));
  if ('B' in value) return Buffer.from(value.B, 'base64');
  throw new Error(`A key cannot be of the type ${typeOf(value)}.`);
}

/**
 * Encodes sign, exponent and digits. Negative numbers are inverted and end in the highest byte, so
 * that -1 sorts above -1.5.
 */
function encodeNumber({ negative, digits, exponent }: Decimal): Buffer {
  if (digits === '') return Buffer.from([0x80]);
  const place = exponentOffset + (negative ? -exponent : exponent);
  const head = [negative ? 0x7f : 0x81, place >> 8, place & 0xff];
  const body = [...Buffer.from(digits)].map((digit) => (negative ? nine + zero - digit : digit));
  return Buffer.from([...head, ...body, ...(negative ? [0xff] : [])]);
}

/** Returns the first key after all keys with this prefix, or undefined if there is none. */
export function endOfPrefix(prefix: Buffer): Buffer | undefined {
  const last = prefix.findLastIndex((byte) => byte !== 0xff);
  if (last === -1) return undefined;
  const end = Buffer.from(prefix.subarray(0, last + 1));
  end[last] = (end[last] ?? 0) + 1;
  return end;
}
