import type { Coding, ReferenceFile } from '#lib/reference/reference-file.ts';
import type { ApiResponse } from './respond.ts';

/** A file of the reference: anybody may read it, and any cache may keep it. */
export function okReference(file: ReferenceFile, bytes: Uint8Array, coding: Coding): ApiResponse {
  return {
    statusCode: 200,
    headers: {
      ...headers[file],
      ...(coding !== 'identity' && { 'content-encoding': coding }),
      vary: 'accept-encoding',
    },
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  };
}

/** Only what this service serves itself, and no inline scripts or styles; pictures are in the style. */
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

/** After an update the next look at the page is a new one; what it names is another file then. */
const briefly = 'public, max-age=300';
const forGood = 'public, max-age=31536000, immutable';

const headers: Readonly<Record<ReferenceFile, Readonly<Record<string, string>>>> = {
  'openapi.json': { 'content-type': 'application/json', 'cache-control': briefly },
  'index.html': {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': briefly,
    'content-security-policy': policy,
  },
  'reference.js': { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': forGood },
  'reference.css': { 'content-type': 'text/css; charset=utf-8', 'cache-control': forGood },
};
