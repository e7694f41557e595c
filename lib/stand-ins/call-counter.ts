/** Replaces #lib/users/call-counter.ts in functions without a table, which count calls in memory. */
export function openCallCounter(): undefined {
  return undefined;
}
