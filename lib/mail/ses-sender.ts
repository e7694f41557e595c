import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { MailSettings } from '#lib/config.ts';
import { openClient } from '#lib/outbound/open-client.ts';
import type { SendMail } from './send-due-mail.ts';

/** Sends mails by Amazon SES. It takes the place of open-mail-sender.ts in bundles. */
export function openMailSender({ from }: Pick<MailSettings, 'from'>): SendMail {
  // A mail whose answer was lost is sent again a minute later, not three times at once.
  const client = openClient(SESv2Client, { maxAttempts: 1 });
  return async ({ to, subject, text, html, headers }) => {
    await client.send(
      new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [to] },
        Content: {
          Simple: {
            Subject: { Data: subject, Charset: 'UTF-8' },
            Body: {
              Text: { Data: text, Charset: 'UTF-8' },
              Html: { Data: html, Charset: 'UTF-8' },
            },
            Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
          },
        },
      }),
    );
  };
}
