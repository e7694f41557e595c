import { createShortMemory } from '#lib/memory/short-memory.ts';
import type { Caller } from '../../caller.ts';

/** A token that holds: whom it names, and until when it may be believed (`exp`), in milliseconds. */
export interface VerifiedToken {
  readonly caller: Caller;
  readonly expiresAt: number;
}

/** A client asks again within seconds; a thousand clients at once do not meet in one container. */
const maxTokens = 1_000;

/**
 * A key that the issuer withdraws, and rights that it takes back, count for a token that was just
 * seen up to a minute later here. The keys themselves are kept while the container lives.
 */
const maxAgeMs = 60_000;

/**
 * Verifies a token once a minute instead of at every request: the signature was a third of a
 * request that needs no table. A token is known again by all of its text. One that was refused is
 * not remembered, so the next one to bring it is refused by a check of its own. A clock that was
 * set back may stand before `nbf`: the memory then knows nothing.
 */
export function rememberTokens(
  verify: (token: string) => Promise<VerifiedToken>,
  now: () => number = Date.now,
): (token: string) => Promise<Caller> {
  const memory = createShortMemory<VerifiedToken>({ most: maxTokens, maxAgeMs, now });
  return async (token) => {
    const known = memory.recall(token);
    if (known && now() < known.expiresAt) return known.caller;
    const verified = await verify(token);
    memory.keep(token, verified);
    return verified.caller;
  };
}
