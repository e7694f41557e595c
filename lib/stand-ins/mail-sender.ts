import { LeftOutError } from './left-out.ts';

/** Replaces #lib/mail/open-mail-sender.ts where the operator has named no address for mails. */
export function openMailSender(): never {
  throw new LeftOutError('The sender of mails (-c emailFrom=)');
}
