import { currentLanguage } from '#client/src/words/language.ts';
import { query } from '../browser/address.ts';

/** What the languages call themselves. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const;

/** Links to the same page in the other languages. They load it anew, because `target` is set. */
export function LanguageLinks() {
  return Object.entries(languageNames)
    .filter(([code]) => code !== currentLanguage().code)
    .map(([code, name]) => (
      <a key={code} href={addressIn(code)} lang={code} hreflang={code} target="_self">
        {name}
      </a>
    ));
}

function addressIn(code: string): string {
  const asked = new URLSearchParams(query.value);
  asked.set('lang', code);
  return `?${asked}`;
}
