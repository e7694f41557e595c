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

interface Remembered extends VerifiedToken {
  readonly verifiedAt: number;
}

/**
 * Verifies a token once a minute instead of at every request: the signature was a third of a
 * request that needs no table. A token is known again by all of its text. One that was refused is
 * not remembered, so the next one to bring it is refused by a check of its own.
 */
export function rememberTokens(
  verify: (token: string) => Promise<VerifiedToken>,
  now: () => number = Date.now,
): (token: string) => Promise<Caller> {
  const remembered = new Map<string, Remembered>();
  return async (token) => {
    const known = remembered.get(token);
    const moment = now();
    if (known && isFresh(known, moment)) return known.caller;
    remembered.delete(token);
    const verified = await verify(token);
    remembered.set(token, { ...verified, verifiedAt: moment });
    // A map keeps the order in which its keys came.
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > maxTokens) remembered.delete(oldest);
    return verified.caller;
  };
}

/** A clock that was set back may stand before `nbf`: what it says proves nothing. */
function isFresh({ verifiedAt, expiresAt }: Remembered, moment: number): boolean {
  const age = moment - verifiedAt;
  return age >= 0 && age < maxAgeMs && moment < expiresAt;
}
