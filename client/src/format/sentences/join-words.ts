import { currentLanguage } from '../../words/language.ts';

/** Writes `a, b and c`, or with `or` between the last two. */
export function joinWords(
  words: readonly string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string {
  return new Intl.ListFormat(currentLanguage().days, { type }).format(words);
}
