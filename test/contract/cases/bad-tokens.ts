import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import type { Issuer } from '#local/issuer.ts';
import type { Need } from '../target.ts';

/** A good token taken apart, and the means to make a bad one of it. */
interface Workshop {
  readonly token: string;
  readonly claims: Readonly<Record<string, unknown>>;
  issuer(): Issuer;
}

export interface BadToken {
  readonly name: string;
  readonly need?: Need;
  readonly make: (workshop: Workshop) => string;
}

const hour = 3600;

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** A moment counted from the signing of the token, however long after the loading of this file. */
const begins = (seconds: number) => ({
  get nbf() {
    return secondsFromNow(seconds);
  },
});
const ends = (seconds: number) => ({
  get exp() {
    return secondsFromNow(seconds);
  },
});

/** Made by somebody who has a good token and no key. */
const forged: readonly BadToken[] = [
  { name: 'that is no token', make: () => 'token' },
  { name: 'of three dots', make: () => '...' },
  { name: 'whose parts are no JSON', make: () => 'a.b.c' },
  { name: 'without its signature', make: ({ token }) => token.replace(/[^.]+$/, '') },
  { name: 'cut by one character', make: ({ token }) => token.slice(0, -1) },
  { name: 'with a fourth part', make: ({ token }) => `${token}.x` },
  { name: 'of another user under the old signature', make: changeUser },
  ...['none', 'None', 'NONE', 'nOnE', ''].map((alg) => ({
    name: `with the algorithm '${alg}' and no signature`,
    make: ({ claims }: Workshop) => `${encode({ alg, typ: 'JWT' })}.${encode(claims)}.`,
  })),
  {
    name: "with the algorithm 'none' and the old signature",
    make: ({ token, claims }) =>
      `${encode({ ...headerOf(token), alg: 'none' })}.${encode(claims)}.${token.split('.')[2]}`,
  },
  {
    name: 'signed with another key of the same name',
    make: ({ token, claims }) => signEs256(anotherKey(), headerOf(token), claims),
  },
  {
    name: 'signed with a key of another name',
    make: ({ claims }) =>
      signEs256(anotherKey(), { alg: 'ES256', typ: 'JWT', kid: 'another' }, claims),
  },
  {
    name: 'that brings its own key',
    make: ({ token, claims }) => {
      const key = anotherKey();
      const jwk = createPublicKey(key).export({ format: 'jwk' });
      return signEs256(key, { ...headerOf(token), jwk }, claims);
    },
  },
  {
    name: 'signed HS256 with an empty secret',
    make: ({ token, claims }) => signHs256('', headerOf(token), claims),
  },
  ...publicKeyForms().map(([form, write]) => ({
    name: `signed HS256 with the public key as the secret, ${form}`,
    need: 'process' as const,
    make: ({ token, claims, issuer }: Workshop) =>
      signHs256(write(issuer().jwks), headerOf(token), claims),
  })),
];

/** Signed with the issuer's own key: only a claim is wrong. `undefined` leaves a claim out. */
const claimed: readonly BadToken[] = [
  { name: 'that expired an hour ago', change: ends(-hour) },
  { name: 'that expired a minute ago', change: ends(-60) },
  { name: 'without exp', change: { exp: undefined } },
  { name: 'whose exp is text', change: { exp: String(secondsFromNow(hour)) } },
  { name: 'whose exp is null', change: { exp: null } },
  { name: 'that begins in an hour', change: begins(hour) },
  { name: 'that begins in a minute', change: begins(60) },
  { name: 'of another issuer', change: { iss: 'https://elsewhere.example' } },
  { name: 'of an issuer with a slash more', change: { iss: 'https://slipway.localhost/' } },
  { name: 'without an issuer', change: { iss: undefined } },
  { name: 'for another audience', change: { aud: 'another' } },
  { name: 'for other audiences', change: { aud: ['another', 'slipway-test'] } },
  { name: 'without an audience', change: { aud: undefined } },
  { name: 'without a user', change: { sub: undefined } },
  { name: 'of a user with a name', change: { sub: 'alice' } },
  { name: 'of an empty user', change: { sub: '' } },
  { name: 'of a user as a JSON number', change: { sub: 306328 } },
  { name: 'of users in an array', change: { sub: ['306328'] } },
  { name: 'of a user with a space', change: { sub: '306328 ' } },
  { name: 'of a user with a line end', change: { sub: '306328\n' } },
  { name: 'of a user with a sign', change: { sub: '-306328' } },
  { name: 'of a user with a separator of keys', change: { sub: '306328#QUOTA' } },
  { name: 'of a user in full-width digits', change: { sub: '３０６３２８' } },
  { name: 'of a user with 33 digits', change: { sub: '1'.repeat(33) } },
].map(({ name, change }) => ({
  name,
  need: 'key',
  make: ({ claims, issuer }) => issuer().signToken({ ...claims, ...change }),
}));

export const badTokens: readonly BadToken[] = [...forged, ...claimed];

/** Claims that are as good as those of a plain token. */
export const goodClaims: readonly { name: string; change: Record<string, unknown> }[] = [
  { name: 'that began a minute ago', change: begins(-60) },
  { name: 'whose clock is two seconds behind', change: begins(2) },
  { name: 'for several audiences, this one among them', change: { aud: ['another', 'slipway'] } },
  { name: 'with claims that nobody asked for', change: { scope: 'x', email: 'a@b.example' } },
];

/** The header `Authorization` itself in a wrong form; `token` stands for a good one. */
export const badAuthorizations: readonly {
  readonly name: string;
  readonly headers: (token: string) => string[];
}[] = [
  { name: 'no header', headers: () => [] },
  { name: 'an empty header', headers: () => ['Authorization', ''] },
  { name: 'the scheme alone', headers: () => ['Authorization', 'Bearer'] },
  { name: 'the scheme and a space', headers: () => ['Authorization', 'Bearer '] },
  { name: 'the token without its scheme', headers: (token) => ['Authorization', token] },
  { name: 'another scheme', headers: (token) => ['Authorization', `Basic ${token}`] },
  { name: 'a scheme that begins alike', headers: (token) => ['Authorization', `BearerX ${token}`] },
  { name: 'words behind the token', headers: (token) => ['Authorization', `Bearer ${token} x`] },
  { name: 'a token in quotes', headers: (token) => ['Authorization', `Bearer "${token}"`] },
  { name: 'another header', headers: (token) => ['X-Authorization', `Bearer ${token}`] },
  { name: 'a cookie', headers: (token) => ['Cookie', `Authorization=Bearer ${token}`] },
  {
    name: 'the header twice',
    headers: (token) => ['Authorization', `Bearer ${token}`, 'Authorization', `Bearer ${token}`],
  },
];

function changeUser({ token, claims }: Workshop): string {
  const [header, , signature] = token.split('.');
  return `${header}.${encode({ ...claims, sub: '1' })}.${signature}`;
}

function headerOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
}

function anotherKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

function signEs256(key: KeyObject, header: object, claims: object): string {
  const signed = `${encode({ ...header, alg: 'ES256' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

function signHs256(secret: string, header: object, claims: object): string {
  const signed = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function publicKeyForms(): [string, (jwks: string) => string][] {
  const firstOf = (jwks: string): JsonWebKey => JSON.parse(jwks).keys[0];
  return [
    ['as the key set', (jwks) => jwks],
    ['as JSON', (jwks) => JSON.stringify(firstOf(jwks))],
    [
      'as PEM',
      (jwks) =>
        createPublicKey({ key: firstOf(jwks), format: 'jwk' })
          .export({ type: 'spki', format: 'pem' })
          .toString(),
    ],
  ];
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
