import { createHash } from 'node:crypto';
import type { Level, Operation } from 'dynalite/db/index.js';
import { createServiceError } from '../dynalite/service-error.ts';
import { endOf, tokenPrefix } from '../engine/key-layout.ts';

interface TokenRecord {
  digest: string;
  expires: number;
}

const rememberedMs = 10 * 60 * 1000;

/**
 * Whether a transaction with this token was already done. The record of it is written in the
 * transaction's own batch, so that a crash cannot part them.
 */
export function isRepeated(db: Level, token: string, digest: string, now: number): boolean {
  const record = db.getSync<TokenRecord>(tokenPrefix + token);
  if (!record || record.expires <= now) return false;
  if (record.digest === digest) return true;
  throw createServiceError(
    'IdempotentParameterMismatchException',
    'The client request token was used before, with other parameters',
  );
}

export function rememberToken(token: string, digest: string, now: number): Operation {
  const record: TokenRecord = { digest, expires: now + rememberedMs };
  return { type: 'put', key: tokenPrefix + token, value: record };
}

/** The order of an object's members says nothing, and so does not count. */
export function digestOf(parameters: unknown): string {
  const text = JSON.stringify(parameters, (_name, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('base64');
}

/** Only inside the write queue: a token must not be renewed between the look and the deletion. */
export async function forgetExpiredTokens(db: Level, now: number): Promise<void> {
  const iterator = db.iterator<TokenRecord>({ gte: tokenPrefix, lt: endOf(tokenPrefix) });
  try {
    for (;;) {
      const records = await iterator.nextv(1000);
      if (records.length === 0) return;
      const expired = records.filter(([, { expires }]) => expires <= now);
      await db.batch(expired.map(([key]) => ({ type: 'del', key })));
    }
  } finally {
    await iterator.close();
  }
}
