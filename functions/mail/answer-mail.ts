import { PassEnvironment, readEnvironment } from '#lib/config.ts';
import { publicHandler } from '#lib/http/chain/api-handler.ts';
import { answerAnybody } from '#lib/http/chain/operation.ts';
import { acceptPage } from '#lib/http/parsers/accept.ts';
import { mailQuery } from '#lib/http/parsers/queries/mail-query.ts';
import { mailPage } from '#lib/http/presenters/present-notifications.ts';
import type { ApiResponse } from '#lib/http/respond.ts';
import { LinkNotValidError } from '#lib/mail/errors.ts';
import { createMailPasses } from '#lib/mail/mail-passes.ts';
import { confirmEmail, unsubscribe } from '#lib/mail/preferences-store.ts';
import type { Language } from '#lib/mail/words/languages.ts';
import { pageWords } from '#lib/mail/words/words.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const passes = createMailPasses(readEnvironment(PassEnvironment).PASS_SECRET);

/** Ignores bodies: a mail program sends `List-Unsubscribe=One-Click` (RFC 8058), a page nothing. */
export const handler = publicHandler(endpoints, 'answer-mail', {
  confirm: answerAnybody(
    { query: mailQuery, headers: acceptPage },
    async ({ query: { pass, language }, headers: { isPerson } }) =>
      explainBadLink(isPerson, language, async () => {
        await confirmEmail(table, passes.read('confirm', pass, new Date()));
        return mailPage(pageWords[language].confirmed, language);
      }),
  ),
  unsubscribe: answerAnybody(
    { query: mailQuery, headers: acceptPage },
    async ({ query: { pass, language }, headers: { isPerson } }) =>
      explainBadLink(isPerson, language, async () => {
        await unsubscribe(table, passes.read('unsubscribe', pass, new Date()));
        return mailPage(pageWords[language].unsubscribed, language);
      }),
  ),
});

/** Shows people a page instead of a problem in JSON. */
async function explainBadLink(
  isPerson: boolean,
  language: Language,
  work: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  try {
    return await work();
  } catch (error) {
    if (!isPerson || !(error instanceof LinkNotValidError)) throw error;
    return mailPage(pageWords[language].linkNotValid, language, 404);
  }
}
