import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { CredentialsRefusedError } from '../errors.ts';

const SlurmCredentials = v.union([
  v.object({ user: v.string(), token: v.string() }),
  v.object({ user: v.string(), key: v.pipe(v.string(), v.base64(), v.nonEmpty()) }),
]);

/**
 * Credentials for slurmrestd: either the token of a user, which acts for others only if that user is
 * SlurmUser or root, or the key of the cluster, which signs a token for each call.
 */
export type SlurmCredentials = v.InferOutput<typeof SlurmCredentials>;

export function readSlurmCredentials(secret: unknown): SlurmCredentials {
  const result = v.safeParse(SlurmCredentials, secret);
  if (result.success) return result.output;
  throw new CredentialsRefusedError(
    'The credentials must have user and token, or user and key (in base64).',
  );
}

/** The user that a call is for, with a token that proves it. */
export interface Proof {
  readonly user: string;
  readonly token: string;
}

/** Long enough for a slow call and differing clocks, and of little use to a thief. */
const tokenSeconds = 300;

export function proveUser(credentials: SlurmCredentials, user: string, now = Date.now()): Proof {
  if ('token' in credentials) return { user, token: credentials.token };
  return { user, token: signToken(Buffer.from(credentials.key, 'base64'), user, now) };
}

/** Signs a token like `scontrol token`. */
function signToken(key: Buffer, user: string, now: number): string {
  const iat = Math.floor(now / 1000);
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = encode({ exp: iat + tokenSeconds, iat, sun: user });
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
