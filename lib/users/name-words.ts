import type { Person } from './person.ts';

/** Bounds what one user adds to the index, and what a change of the name costs. */
const mostStarts = 5;
const longestStart = 60;

/**
 * Lists the beginnings that a user is found by: the whole name, the rest of it from each further
 * word, and the mail address. So a family name is found, and also "Maria von" in "Anna Maria von
 * Berg".
 */
export function listStarts({ name, email }: Person): string[] {
  const words = name === undefined ? [] : foldText(name).split(' ').slice(0, mostStarts);
  const starts = words.map((_, index) => words.slice(index).join(' '));
  const all = [...starts, ...(email === undefined ? [] : [foldText(email)])];
  return [...new Set(all.map((start) => start.slice(0, longestStart)).filter(Boolean))];
}

/**
 * Writes text as it is compared: without case, accents and punctuation, so that "muller" finds
 * Müller. The result holds no '#', so it may be part of a key.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}@._+-]+/gu, ' ')
    .trim();
}

/** Returns what a search compares with, which is cut as the beginnings are. */
export function foldSearch(text: string): string {
  return foldText(text).slice(0, longestStart);
}
