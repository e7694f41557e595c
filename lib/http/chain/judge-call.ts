/** How often one caller may call: so many at once, and then so many a second. */
export interface CallLimit {
  readonly rate: number;
  readonly burst: number;
}

/** A call that may pass, with what to keep of it; or how long until one may. */
export type JudgedCall = { readonly paidUntil: number } | { readonly waitMs: number };

/**
 * Each call pays for a piece of time, as long as the rate says, and a caller may be ahead of the
 * clock by as many pieces as the burst has. So one number is all there is to keep of a caller.
 */
export function judgeCall(
  paidUntil: number | undefined,
  now: number,
  { rate, burst }: CallLimit,
): JudgedCall {
  const piece = 1000 / rate;
  const next = Math.max(paidUntil ?? now, now) + piece;
  const waitMs = next - now - burst * piece;
  return waitMs > 0 ? { waitMs } : { paidUntil: next };
}

/** After this long without a call, whatever was called before makes no difference. */
export function forgetAfterMs({ rate, burst }: CallLimit): number {
  return (burst / rate) * 1000;
}
