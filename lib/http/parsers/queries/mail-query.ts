import * as v from 'valibot';
import { languages, usualLanguage } from '#lib/mail/words/languages.ts';

/**
 * What the links of mails hold. A missing pass is treated as an invalid one. A page is in the
 * language of the mail that leads to it.
 */
export const mailQuery = v.object({
  pass: v.optional(v.string(), ''),
  language: v.optional(
    v.picklist(languages, `It must be one of: ${languages.join(', ')}.`),
    usualLanguage,
  ),
});
