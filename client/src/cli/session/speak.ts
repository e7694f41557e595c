import type { Languages } from '../../words/language.ts';
import { chooseLanguage, speakEnglish } from '../../words/language.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

/** The languages besides English. A new one is a module like German, and a line here. */
const languages = { de: () => import('../words/german/german.ts') } as const satisfies Languages;

export const languageCodes = ['en', ...Object.keys(languages)];

/**
 * Chooses the language of the command: `--lang`, then SLIPWAY_LANG, then the locale of the terminal.
 * JSON is for programs, which get English whatever the person reads.
 */
export async function speak(
  { lang, json }: { readonly lang?: string | undefined; readonly json?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (json) return speakEnglish();
  const { SLIPWAY_LANG, LC_ALL, LC_MESSAGES, LANG } = environment;
  const wanted = [lang, SLIPWAY_LANG, LC_ALL || LC_MESSAGES || LANG].filter(Boolean);
  await chooseLanguage(wanted.map(String), languages);
  if (lang === undefined || languageCodes.includes(lang)) return;
  throw new CannotDo(phrase('session.unknownLanguage', { lang }), {
    next: phrase('session.languagesAre', { languages: languageCodes.join(', ') }),
  });
}
