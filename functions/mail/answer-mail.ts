import { PassEnvironment, readEnvironment } from '#lib/config.ts';
import { publicHandler } from '#lib/http/chain/api-handler.ts';
import { answerAnybody } from '#lib/http/chain/operation.ts';
import { acceptPage } from '#lib/http/parsers/accept.ts';
import { passQuery } from '#lib/http/parsers/handover.ts';
import { mailPage } from '#lib/http/presenters/present-notifications.ts';
import type { ApiResponse } from '#lib/http/respond.ts';
import { LinkNotValidError } from '#lib/mail/errors.ts';
import { createMailPasses } from '#lib/mail/mail-passes.ts';
import { confirmEmail, unsubscribe } from '#lib/mail/preferences-store.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const passes = createMailPasses(readEnvironment(PassEnvironment).PASS_SECRET);

/** Ignores bodies: a mail program sends `List-Unsubscribe=One-Click` (RFC 8058), a page nothing. */
export const handler = publicHandler(endpoints, 'answer-mail', {
  confirm: answerAnybody(
    { query: passQuery, headers: acceptPage },
    async ({ query: { pass }, headers: { isPerson } }) =>
      explainBadLink(isPerson, async () => {
        await confirmEmail(table, passes.read('confirm', pass, new Date()));
        return mailPage('Address confirmed', 'Slipway will send your notifications to it.');
      }),
  ),
  unsubscribe: answerAnybody(
    { query: passQuery, headers: acceptPage },
    async ({ query: { pass }, headers: { isPerson } }) =>
      explainBadLink(isPerson, async () => {
        await unsubscribe(table, passes.read('unsubscribe', pass, new Date()));
        return mailPage(
          'You are unsubscribed',
          'Slipway sends no more mails to this address. You can change that in your preferences.',
        );
      }),
  ),
});

/** Shows people a page instead of a problem in JSON. */
async function explainBadLink(
  isPerson: boolean,
  work: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  try {
    return await work();
  } catch (error) {
    if (!isPerson || !(error instanceof LinkNotValidError)) throw error;
    return mailPage(
      'This link no longer works',
      'It has expired, or you have chosen another address since. Open your notification preferences in the console, or run <code>slipway notifications</code>, to see your address and get a new link.',
      { status: 404 },
    );
  }
}
