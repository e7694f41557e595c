import { chooseLanguage, currentLanguage, type Languages } from '#client/src/words/language.ts';
import { readStored, store } from './browser/stored.ts';
import { languageNames } from './language/language-links.tsx';

/** The languages besides English. A new one is a module like German, a line here, and its name in language-links.tsx. */
const known = { de: () => import('./german/german.ts') } as const satisfies Languages;

const key = 'slipway-language';

/**
 * Chooses the language of the console: `?lang=` in the address, then what was chosen so before, then
 * what the browser prefers. If the words of a language do not load, English ones are there.
 */
export async function speak(
  { search }: Pick<Location, 'search'>,
  preferred: readonly string[],
  languages: Languages = known,
): Promise<void> {
  const asked = new URLSearchParams(search).get('lang');
  if (asked !== null && Object.hasOwn(languageNames, asked)) store('browser', key, asked);
  const wanted = [asked, readStored('browser', key), ...preferred];
  await chooseLanguage(
    wanted.filter((tag) => typeof tag === 'string'),
    languages,
  ).catch(() => {});
  document.documentElement.lang = currentLanguage().code;
}
