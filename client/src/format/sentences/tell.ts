import { currentLanguage } from '../../words/language.ts';

/** Writes what the service says in the language of the reader, as far as that language knows it. */
export function tell(text: string): string {
  return currentLanguage().tell?.(text) ?? text;
}
