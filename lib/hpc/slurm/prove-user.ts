import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { CredentialsRefusedError } from '../errors.ts';

const SlurmCredentials = v.union([
  v.object({ user: v.string(), token: v.string() }),
  v.object({ user: v.string(), key: v.pipe(v.string(), v.base64(), v.nonEmpty()) }),
]);

/**
 * What we have to show to slurmrestd: a token of a user, which stands for others only where that user
 * is SlurmUser or root; or the cluster's own key, with which a token is made for each call.
 */
export type SlurmCredentials = v.InferOutput<typeof SlurmCredentials>;

export function readSlurmCredentials(secret: unknown): SlurmCredentials {
  const result = v.safeParse(SlurmCredentials, secret);
  if (result.success) return result.output;
  throw new CredentialsRefusedError(
    'The credentials must have user and token, or user and key (in base64).',
  );
}

/** The user that a call is for, and the token that says so. */
export interface Proof {
  readonly user: string;
  readonly token: string;
}

/** Long enough for one call on a slow day and clocks that differ: whoever sees it has little of it. */
const tokenSeconds = 300;

export function proveUser(credentials: SlurmCredentials, user: string, now = Date.now()): Proof {
  if ('token' in credentials) return { user, token: credentials.token };
  return { user, token: signToken(Buffer.from(credentials.key, 'base64'), user, now) };
}

/** As `scontrol token` does it. */
function signToken(key: Buffer, user: string, now: number): string {
  const iat = Math.floor(now / 1000);
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = encode({ exp: iat + tokenSeconds, iat, sun: user });
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
