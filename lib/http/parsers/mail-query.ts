import * as v from 'valibot';
import { languages, usualLanguage } from '#lib/mail/words/languages.ts';
import { passQuery } from './handover.ts';

/** What the links of mails hold. A page is in the language of the mail that leads to it. */
export const mailQuery = v.object({
  ...passQuery.entries,
  language: v.optional(
    v.picklist(languages, `It must be one of: ${languages.join(', ')}.`),
    usualLanguage,
  ),
});
