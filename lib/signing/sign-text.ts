import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs what a text is bound to, for a pass or a cursor that only this service can write. */
export function signWith(secret: string, bound: readonly unknown[]): Buffer {
  return createHmac('sha256', secret).update(JSON.stringify(bound)).digest();
}

/** Compares in constant time, so that timing does not help to guess a signature. */
export function areEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
