import { createHmac, timingSafeEqual } from 'node:crypto';
import { isStoredUserId, type UserId } from '#lib/catalog/identifiers.ts';
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
    const bound = JSON.stringify(['v1', 'mail', purpose, ...claims]);
    const mark = createHmac('sha256', secret).update(bound).digest('base64url');
    return [...claims, mark].join('.');
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

/** Compares in constant time, so that timing does not reveal how much of a forged pass is right. */
function areEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
