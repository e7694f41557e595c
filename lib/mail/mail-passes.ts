import { isStoredUserId, type UserId } from '#lib/catalog/identifiers.ts';
import { areEqual, signWith } from '#lib/signing/sign-text.ts';
import { LinkNotValidError } from './errors.ts';

/** A pass confirms an address, or ends the mails to it. */
export type MailPurpose = 'confirm' | 'unsubscribe';

/** The user and the address that a pass in the link of a mail stands for. */
export interface MailPass {
  readonly user: UserId;
  readonly email: string;
}

export interface MailPasses {
  write(purpose: MailPurpose, pass: MailPass, endsAt: Date): string;
  /** Throws unless the service wrote the pass for this purpose and it has not expired. */
  read(purpose: MailPurpose, text: string, at: Date): MailPass;
}

const form = /^([0-9]+)\.([\w-]+)\.([0-9]{1,12})\.[\w-]{43}$/;

/** Signs with the secret of the jobs' passes. The first words keep the two apart. */
export function createMailPasses(secret: string): MailPasses {
  function sign(purpose: MailPurpose, claims: readonly string[]): string {
    const mark = signWith(secret, ['v1', 'mail', purpose, ...claims]);
    return [...claims, mark.toString('base64url')].join('.');
  }
  return {
    write: (purpose, { user, email }, endsAt) =>
      sign(purpose, [
        user,
        Buffer.from(email).toString('base64url'),
        String(Math.floor(endsAt.getTime() / 1000)),
      ]),
    read(purpose, text, at) {
      const [, user = '', email = '', end = ''] = form.exec(text) ?? [];
      const holds = areEqual(text, sign(purpose, [user, email, end]));
      if (!holds || !isStoredUserId(user) || at.getTime() >= Number(end) * 1000) {
        throw new LinkNotValidError();
      }
      return { user, email: Buffer.from(email, 'base64url').toString() };
    },
  };
}
