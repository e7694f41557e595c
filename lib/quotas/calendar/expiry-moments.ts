const day = 24 * 3600 * 1000;

/** How early somebody is told that a quota ends: the earliest first. */
export const expiryStages = [
  { name: 'month', days: 30 },
  { name: 'week', days: 7 },
  { name: 'day', days: 1 },
] as const;

export type ExpiryStage = (typeof expiryStages)[number]['name'];

/** When a quota is next taken up: for the next warning still to come, or for its end. */
export function nextExpiryMoment(validUntil: Date, now: Date): Date {
  const end = validUntil.getTime();
  const warnings = expiryStages.map(({ days }) => end - days * day);
  return new Date(warnings.find((moment) => moment > now.getTime()) ?? end);
}

/** The last warning whose moment has come; none long before the end. */
export function reachedStage(validUntil: Date, now: Date): ExpiryStage | undefined {
  const left = validUntil.getTime() - now.getTime();
  return expiryStages.findLast(({ days }) => left <= days * day)?.name;
}

/** Whole days until the end, the last one counted as one. */
export function daysUntil(validUntil: Date, now: Date): number {
  return Math.max(0, Math.ceil((validUntil.getTime() - now.getTime()) / day));
}

export function aDayLater(now: Date): Date {
  return new Date(now.getTime() + day);
}
