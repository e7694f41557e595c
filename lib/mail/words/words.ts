import { english, englishPages } from './english.ts';
import { german, germanPages } from './german.ts';
import type { Language } from './languages.ts';

/** The words of one language for mails: texts, and functions where a text has parameters. */
export type MailWords = typeof english;

/** The words of the pages behind the links of mails. */
export type PageWords = typeof englishPages;

export const mailWords: Readonly<Record<Language, MailWords>> = { en: english, de: german };

/** Apart from those of mails, so that functions with pages alone do not contain them. */
export const pageWords: Readonly<Record<Language, PageWords>> = {
  en: englishPages,
  de: germanPages,
};
