import { readDay } from '#client/src/format/day.ts';
import { phrase } from './words.ts';

/** Reads the end of a quota. An empty text keeps the current end, `never` removes it. */
export function readEnd(
  text: string,
  now: Date,
): { readonly end?: string | null; readonly problem?: string } {
  const words = text.trim();
  if (words === '') return {};
  if (words.toLowerCase() === 'never') return { end: null };
  const end = readDay(words, now);
  return end === undefined ? { problem: phrase('enterEnd') } : { end };
}
