/** A token, and when it ends. */
export interface Tokens {
  readonly token: string;
  readonly endsAt: number;
}

/** Sooner than it ends: clocks differ, and a request takes its time. */
const marginMs = 60_000;

/**
 * Tokens in memory alone. A fresh one is got when the old one is about to end; of several that ask
 * at once, one does.
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
