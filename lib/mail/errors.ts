import { DomainError } from '#lib/errors/domain-error.ts';

export class MailNotSetUpError extends DomainError {
  override readonly name = 'MailNotSetUpError';
  constructor() {
    super('This service sends no mail. Ask its operator, or use a webhook.');
  }
}

export class TooManyLinksError extends DomainError {
  override readonly name = 'TooManyLinksError';
  readonly waitSeconds: number;
  constructor(limit: number, waitSeconds: number) {
    super(`${limit} links were sent for you within a day. Open the last one, or try again later.`);
    this.waitSeconds = waitSeconds;
  }
}

/** The pass of a link in a mail is forged, has expired or was used for another address since. */
export class LinkNotValidError extends DomainError {
  override readonly name = 'LinkNotValidError';
  constructor() {
    super('This link is not valid any more. Ask for a new one with PUT /notifications/.');
  }
}
