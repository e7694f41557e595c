import { readEnvironment, SignInEnvironment } from '#lib/config.ts';
import { publicHandler } from '#lib/http/chain/api-handler.ts';
import { answerAnybody } from '#lib/http/chain/operation.ts';
import { acceptEncoding } from '#lib/http/parsers/accept.ts';
import { mailQuery } from '#lib/http/parsers/queries/mail-query.ts';
import { mailPage } from '#lib/http/presenters/present-notifications.ts';
import { presentSignIn } from '#lib/http/presenters/present-sign-in.ts';
import { type ApiResponse, okText } from '#lib/http/respond.ts';
import { pageWords } from '#lib/mail/words/words.ts';
import { readReferenceFile } from '#lib/reference/read-reference-file.ts';
import type { Coding, ReferenceFile } from '#lib/reference/reference-file.ts';
import { endpoints } from '../endpoints.ts';

const signIn = JSON.stringify(presentSignIn(readEnvironment(SignInEnvironment)));

export const handler = publicHandler(endpoints, 'read-reference', {
  page: serve('index.html'),
  script: serve('reference.js'),
  style: serve('reference.css'),
  description: serve('openapi.json'),
  signIn: answerAnybody({ query: 'ignored' }, async () =>
    okText(signIn, { 'cache-control': briefly }),
  ),
  // Opening a link changes nothing, because mail servers open links to check them.
  confirmPage: answerAnybody({ query: mailQuery }, async ({ query: { language } }) =>
    mailPage(pageWords[language].confirm, language),
  ),
  unsubscribePage: answerAnybody({ query: mailQuery }, async ({ query: { language } }) =>
    mailPage(pageWords[language].unsubscribe, language),
  ),
});

function serve(file: ReferenceFile) {
  const reads = { headers: acceptEncoding, query: 'ignored' } as const;
  return answerAnybody(reads, async ({ headers: { coding } }) =>
    okReference(file, readReferenceFile(file, coding), coding),
  );
}

// The page changes with a release. Its script and style get new names then.
const briefly = 'public, max-age=300';
const forever = 'public, max-age=31536000, immutable';

/** The reference is public, so shared caches may store it. */
function okReference(file: ReferenceFile, bytes: Uint8Array, coding: Coding): ApiResponse {
  return {
    statusCode: 200,
    headers: {
      ...headersOf(file),
      ...(coding !== 'identity' && { 'content-encoding': coding }),
      vary: 'accept-encoding',
    },
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  };
}

function headersOf(file: ReferenceFile): Readonly<Record<string, string>> {
  switch (file) {
    case 'openapi.json':
      return { 'content-type': 'application/json', 'cache-control': briefly };
    case 'index.html':
      return {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': briefly,
        'content-security-policy': policy,
      };
    case 'reference.js':
      return { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': forever };
    case 'reference.css':
      return { 'content-type': 'text/css; charset=utf-8', 'cache-control': forever };
  }
}

/** Allows only files of this service, without inline scripts or styles; images are in the style. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
