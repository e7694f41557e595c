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
