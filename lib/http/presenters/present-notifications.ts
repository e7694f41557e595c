import type { Preferences } from '#lib/mail/preferences.ts';
import type { Language } from '#lib/mail/words/languages.ts';
import type { ApiResponse } from '../respond.ts';

export function presentNotifications(
  preferences: Preferences,
  {
    available,
    tokenEmail,
  }: { readonly available: boolean; readonly tokenEmail?: string | undefined },
) {
  return {
    available,
    email: preferences.email ?? null,
    unconfirmed_email: preferences.waitingEmail ?? null,
    token_email: tokenEmail ?? null,
    events: preferences.events,
    digest: preferences.digest,
    language: preferences.language,
  };
}

/** Allows nothing but the form of the page itself. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

interface Page {
  readonly title: string;
  readonly words: string;
  /** Adds a form with one button, which sends the same address again, as POST. */
  readonly button?: string;
}

/** Sends a small page to a person who opened the link of a mail. */
export function mailPage(
  { title, words, button }: Page,
  language: Language,
  status: 200 | 404 = 200,
): ApiResponse {
  const form =
    button === undefined
      ? ''
      : `<form method="post"><button type="submit">${button}</button></form>`;
  const html =
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width"><style>${style}</style></head>` +
    `<body><main><h1>${title}</h1><p>${words}</p>${form}</main></body></html>`;
  return {
    statusCode: status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
      // With no-referrer, the form would send `Origin: null`, which a laptop's gateway refuses.
      'referrer-policy': 'same-origin',
    },
    body: html,
  };
}

const style =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}' +
  'main{max-width:32rem;margin:15vh auto;padding:0 1.5rem}h1{font-size:1.5rem;line-height:1.3}' +
  'button{font:inherit;font-weight:600;padding:.6rem 1.2rem;border:0;border-radius:6px;background:#0f766e;color:#fff;cursor:pointer}';
