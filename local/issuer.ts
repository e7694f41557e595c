import {
  createHash,
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import { join } from 'node:path';
import { readOrCreate } from './credentials/private-folder.ts';
import { audience, issuer } from './names.ts';

export interface TokenWish {
  readonly user: string;
  readonly administrator?: boolean;
  readonly groups?: readonly string[];
  /** Other claims, such as one that names an account. */
  readonly claims?: Readonly<Record<string, string>>;
  readonly hours?: number;
}

export interface Issuer {
  /** Public keys as a JSON Web Key Set. */
  readonly jwks: string;
  /** Secrets derived from the key, for signing cursors, job passes and storage requests. */
  readonly cursorSecret: string;
  readonly passSecret: string;
  readonly storageSecret: string;
  issueToken(wish: TokenWish): string;
  signToken(claims: Readonly<Record<string, unknown>>): string;
}

/**
 * Opens the issuer of the laptop edition. It signs with a real key, so the functions verify tokens
 * as they do on AWS.
 */
export function openIssuer(directory: string): Issuer {
  const pem = readOrCreateKey(directory);
  try {
    return createIssuer(createPrivateKey(pem));
  } catch (error) {
    throw new Error(
      `The key that signs tokens, ${join(directory, keyFile)}, is damaged. Put back a copy of it, or delete it: the next start makes a new one, and everybody needs a new token.`,
      { cause: error },
    );
  }
}

export function createIssuer(key: KeyObject): Issuer {
  const publicKey = publicJwk(key);
  const signToken = (claims: Readonly<Record<string, unknown>>) =>
    signJwt(key, publicKey.kid, claims);
  return {
    jwks: JSON.stringify({ keys: [publicKey] }),
    cursorSecret: deriveSecret(key, 'cursor'),
    passSecret: deriveSecret(key, 'pass'),
    storageSecret: deriveSecret(key, 'storage'),
    signToken,
    issueToken: ({ user, administrator = false, groups = [], claims = {}, hours = 12 }) => {
      const all = administrator ? ['slipway-admin', ...groups] : groups;
      const now = Math.floor(Date.now() / 1000);
      return signToken({
        ...claims,
        iss: issuer,
        aud: audience,
        sub: user,
        iat: now,
        exp: now + Math.round(hours * 3600),
        ...(all.length > 0 && { groups: all }),
      });
    },
  };
}

function deriveSecret(key: KeyObject, use: string): string {
  return createHmac('sha256', key.export({ type: 'pkcs8', format: 'der' }))
    .update(use)
    .digest('hex');
}

const keyFile = 'issuer-key.pem';

function readOrCreateKey(directory: string): string {
  return readOrCreate(directory, keyFile, () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  });
}

function publicJwk(key: KeyObject): JsonWebKey & { kid: string } {
  const { kty, crv, x, y } = key.export({ format: 'jwk' });
  const kid = createHash('sha256').update(`${x}.${y}`).digest('base64url').slice(0, 16);
  return { kty: kty ?? '', crv: crv ?? '', x: x ?? '', y: y ?? '', kid, alg: 'ES256', use: 'sig' };
}

function signJwt(key: KeyObject, kid: string, claims: Readonly<Record<string, unknown>>): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'ES256', typ: 'JWT', kid })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
