import { readDay } from '#client/src/format/day.ts';

/** Until when: nothing leaves the end as it is, `never` takes it away. */
export function readEnd(
  text: string,
  now: Date,
): { readonly end?: string | null; readonly problem?: string } {
  const words = text.trim();
  if (words === '') return {};
  if (words.toLowerCase() === 'never') return { end: null };
  const end = readDay(words, now);
  return end === undefined
    ? { problem: 'Write a day, such as 31 March, 2027-03-31 or 3 months; or never.' }
    : { end };
}
