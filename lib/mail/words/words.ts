import { english, englishPages, type MailWords, type PageWords } from './english.ts';
import { german, germanPages } from './german.ts';
import type { Language } from './languages.ts';

export const mailWords: Readonly<Record<Language, MailWords>> = { en: english, de: german };

/** Apart from those of mails, so that functions with pages alone do not contain them. */
export const pageWords: Readonly<Record<Language, PageWords>> = {
  en: englishPages,
  de: germanPages,
};
