import type { Delivery, DeliveryTry, TryOutcome } from './delivery.ts';

/** Seconds between a try and the next; the last one is repeated. */
const pauses = [5, 30, 120, 600, 1800, 3600, 7200] as const;
const lastPause = 7200;

/** A receiver that is down for a day has lost what it was told in it. */
const patienceMs = 24 * 60 * 60 * 1000;

/** Up to this share longer, so that what failed together does not come back together. */
const jitter = 0.2;

/** As much of a sweep as one receiver has: whoever takes longer is left to the sweeps. */
const promptMs = 5_000;

/** A receiver that says so does not want to be asked again. */
const gone = 410;

export function judgeTry(
  delivery: Pick<Delivery, 'eventAt' | 'tryCount'>,
  { status = 0 }: Pick<DeliveryTry, 'status'>,
  now: Date,
  random: () => number,
): TryOutcome {
  if (status >= 200 && status < 300) return { state: 'delivered' };
  if (status === gone) return { state: 'given-up' };
  const nextTry = planNextTry(delivery.tryCount, now, random);
  return isTooLate(delivery, nextTry) ? { state: 'given-up' } : { state: 'waiting', nextTry };
}

/** Whether the next event may be tried at once, with a function that waits for the answer. */
export function isPrompt({ state }: TryOutcome, { ms }: Pick<DeliveryTry, 'ms'>): boolean {
  return state === 'delivered' && ms <= promptMs;
}

/** When the next try is due after so many. */
export function planNextTry(tryCount: number, now: Date, random: () => number): Date {
  const pause = pauses[tryCount - 1] ?? lastPause;
  return new Date(now.getTime() + Math.round(pause * 1000 * (1 + random() * jitter)));
}

export function isTooLate({ eventAt }: Pick<Delivery, 'eventAt'>, at: Date): boolean {
  return at.getTime() > eventAt.getTime() + patienceMs;
}
