/** A token with its expiry in milliseconds since 1970. */
export interface Tokens {
  readonly token: string;
  readonly endsAt: number;
}

/** Renews early, because clocks differ and requests take time. */
const marginMs = 60_000;

/**
 * Keeps the token in memory only, and renews it before it expires. Concurrent callers share one
 * renewal.
 */
export function keepTokens(
  first: Tokens,
  renew: () => Promise<Tokens>,
  now: () => number = Date.now,
): () => Promise<string> {
  let held = first;
  let renewing: Promise<Tokens> | undefined;
  return async () => {
    if (now() < held.endsAt - marginMs) return held.token;
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    held = await renewing;
    return held.token;
  };
}
