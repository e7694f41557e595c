import { ServiceError } from '../values/errors.ts';
import type { Database } from './database.ts';

const rememberedMs = 10 * 60 * 1000;

/**
 * Whether a transaction with this token was already committed. Tokens are stored in the same
 * transaction, so a crash cannot separate them.
 */
export function isRepeated(
  database: Database,
  token: string,
  digest: string,
  now: number,
): boolean {
  const record = database
    .statement('SELECT digest, expires FROM tokens WHERE token = ?')
    .get(token);
  if (!record || Number(record.expires) <= now) return false;
  if (record.digest === digest) return true;
  throw new ServiceError(
    'IdempotentParameterMismatchException',
    'The client request token was used before, with other parameters',
  );
}

export function rememberToken(
  database: Database,
  token: string,
  digest: string,
  now: number,
): void {
  database.run('INSERT OR REPLACE INTO tokens VALUES (?, ?, ?)', token, digest, now + rememberedMs);
}

export function forgetExpiredTokens(database: Database, now: number): void {
  database.run('DELETE FROM tokens WHERE expires <= ?', now);
}
