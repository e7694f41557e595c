import { formats } from '../../words/formats.ts';
import { findTranslation, type Message } from '../../words/language.ts';

/**
 * Tells whether a word that somebody typed is one of a message: one of a list, or the unit that its
 * forms print. English words count in every language, because scripts and tables have them.
 */
export function isTyped(word: string, key: keyof typeof formats): boolean {
  const typed = simplify(word);
  return [formats[key], findTranslation('formats', key)].some(
    (message) => message !== undefined && listWords(message).includes(typed),
  );
}

function listWords(message: Message): string[] {
  const forms = typeof message === 'string' ? message.split(',') : Object.values(message);
  return forms.map((form) => simplify(form.replace('{amount}', '')));
}

/** People write `node hours` and `Std.`, too. */
function simplify(word: string): string {
  return word.toLowerCase().replaceAll(/[-\s.]/g, '');
}
