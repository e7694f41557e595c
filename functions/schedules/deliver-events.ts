import {
  HandOverEnvironment,
  readEnvironment,
  readMailSettings,
  readPushRules,
} from '#lib/config.ts';
import { createMailPasses } from '#lib/mail/mail-passes.ts';
import { openMailSender } from '#lib/mail/open-mail-sender.ts';
import { type MailOptions, sendDueMail } from '#lib/mail/send-due-mail.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { deliverDue } from '#lib/webhooks/deliveries/deliver.ts';
import { openSender } from '#lib/webhooks/send-push.ts';
import { table } from '../table.ts';

const send = openSender({ rules: readPushRules() });
const mail = openMail();

/** Retries failed deliveries, sends those that were queued but never tried, and sends mails. */
export async function handler(): Promise<void> {
  const work = [deliverDue(table, { send }), ...(mail ? [sendDueMail(table, mail)] : [])];
  const outcomes = await Promise.allSettled(work);
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  reportFailures(failures, 'Some webhooks or mails could not be sent');
}

/** Returns undefined if the service sends no mail. Then it has no secret for links either. */
function openMail(): MailOptions | undefined {
  const settings = readMailSettings();
  if (!settings) return undefined;
  const { PASS_SECRET, PUBLIC_URL } = readEnvironment(HandOverEnvironment);
  return {
    send: openMailSender(settings),
    passes: createMailPasses(PASS_SECRET),
    publicUrl: PUBLIC_URL,
    consoleUrl: settings.consoleUrl,
  };
}
