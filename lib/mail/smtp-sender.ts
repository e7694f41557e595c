import { createTransport } from 'nodemailer';
import type { MailSettings } from '#lib/config.ts';
import type { SendMail } from './send-due-mail.ts';

/** A server that says nothing for this long is down. */
const timeoutMs = 20_000;

/** Sends mails to the server of `SMTP_URL`. */
export function openSmtpSender({
  from,
  smtpUrl,
}: Pick<MailSettings, 'from' | 'smtpUrl'>): SendMail {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // No text of a user may name a file or an address to attach.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, subject, text, html, id, headers }) => {
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text,
      html,
      messageId: `<${id}@${from.replace(/.*@|>/g, '')}>`,
      headers,
    });
  };
}
