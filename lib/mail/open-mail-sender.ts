import type { MailSettings } from '#lib/config.ts';
import type { SendMail } from './send-due-mail.ts';

/**
 * Opens the sender of a service on one machine. The library is loaded with the first mail, so that
 * a service without mail starts as fast as ever. Bundles have the one of AWS in its place
 * (infra/constructs/functions/stand-ins.ts).
 */
export function openMailSender(settings: MailSettings): SendMail {
  let opening: Promise<SendMail> | undefined;
  return async (mail) => {
    opening ??= import('./smtp-sender.ts').then(({ openSmtpSender }) => openSmtpSender(settings));
    await (await opening)(mail);
  };
}
