import { refusal, refusalSaying } from '#lib/errors/domain-error.ts';

export class MailNotSetUpError extends /* @__PURE__ */ refusal(
  'mail-not-set-up',
  'This service sends no mail. Ask its operator, or use a webhook.',
) {}

export class TooManyLinksError extends /* @__PURE__ */ refusalSaying(
  'too-many-links',
  (limit: number, retryAfterSeconds: number) => ({
    message: `${limit} links were sent for you within a day. Open the last one, or try again later.`,
    retryAfterSeconds,
  }),
) {}

/** The pass of a link in a mail is forged, has expired or was used for another address since. */
export class LinkNotValidError extends /* @__PURE__ */ refusal(
  'link-not-valid',
  'This link is not valid any more. Ask for a new one with PUT /notifications/.',
) {}
