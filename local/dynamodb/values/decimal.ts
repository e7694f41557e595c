import { invalid } from './errors.ts';

/**
 * The value 0.digits × 10^exponent. Digits neither start nor end with 0, and are empty for zero.
 */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;
const maxDigits = 38;
/** Exponents of 9.99E125 and 1E-130 when written as 0.digits. */
const largestExponent = 126;
const smallestExponent = -129;

/** Parses a number exactly. Refuses numbers outside DynamoDB's range and precision. */
export function parseDecimal(text: string): Decimal {
  const parts = form.exec(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts ?? [];
  if (!parts || whole + fraction === '') {
    throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  }
  return normalize(sign === '-', whole + fraction, whole.length + Number(exponent));
}

function normalize(negative: boolean, allDigits: string, exponent: number): Decimal {
  const significant = allDigits.replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return { negative: false, digits: '', exponent: 0 };
  const place = exponent - (allDigits.length - significant.length);
  if (digits.length > maxDigits) {
    throw invalid('Attempting to store more than 38 significant digits in a Number');
  }
  if (place > largestExponent) {
    throw invalid(
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    );
  }
  if (place < smallestExponent) {
    throw invalid(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  }
  return { negative, digits, exponent: place };
}

/** Writes a number in its only stored form: no exponent, no redundant zeros. */
function formatDecimal({ negative, digits, exponent }: Decimal): string {
  if (digits === '') return '0';
  const sign = negative ? '-' : '';
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${digits}`;
  if (exponent >= digits.length) return sign + digits + '0'.repeat(exponent - digits.length);
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

/** Converts a number to its stored form. Small integers, the most common case, need no parsing. */
export function normalizeNumber(text: string): string {
  return /^(?:0|-?[1-9]\d{0,14})$/.test(text) ? text : formatDecimal(parseDecimal(text));
}

/** Adds two numbers, or subtracts the other one if the sign is -1. */
export function addNumbers(one: string, other: string, sign: 1n | -1n = 1n): string {
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  const scale = Math.max(a.digits.length - a.exponent, b.digits.length - b.exponent, 0);
  const sum = toInteger(a, scale) + sign * toInteger(b, scale);
  const digits = String(sum < 0n ? -sum : sum);
  return formatDecimal(normalize(sum < 0n, digits, digits.length - scale));
}

function toInteger({ negative, digits, exponent }: Decimal, scale: number): bigint {
  if (digits === '') return 0n;
  const value = BigInt(digits + '0'.repeat(exponent - digits.length + scale));
  return negative ? -value : value;
}

export function compareNumbers(one: string, other: string): number {
  if (one === other) return 0;
  // Numbers this short keep their order as doubles, which are faster to compare.
  if (one.length < 16 && other.length < 16) {
    const difference = Number(one) - Number(other);
    if (difference !== 0) return difference;
  }
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  const [signA, signB] = [signOf(a), signOf(b)];
  return signA === signB ? signA * compareMagnitudes(a, b) : signA - signB;
}

function signOf({ negative, digits }: Decimal): number {
  if (digits === '') return 0;
  return negative ? -1 : 1;
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  if (a.exponent !== b.exponent) return a.exponent - b.exponent;
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -1 : 1;
}
