/**
 * A histogram of durations, from which the median and other percentiles are read. It has ten
 * buckets per power of ten, each a quarter larger than the one before, so a percentile is off by at
 * most 13 percent or a second. Durations over 23 days are reported as 26.
 */
export type Durations = readonly number[];

const bucketsPerDecade = 10;
const lastBucket = 64;

/** The upper bounds of the buckets in seconds: 1, 1.26, 1.58, 2, … */
const bounds = Array.from({ length: lastBucket }, (_, bucket) => 10 ** (bucket / bucketsPerDecade));

export const noDurations: Durations = Array.from({ length: lastBucket + 1 }, () => 0);

export function countDuration(seconds: number | undefined): Durations {
  if (seconds === undefined) return noDurations;
  const found = bounds.findIndex((bound) => seconds <= bound);
  return noDurations.with(found === -1 ? lastBucket : found, 1);
}

export function addDurations(some: Durations, others: Durations): Durations {
  return some.map((count, bucket) => count + (others[bucket] ?? 0));
}

/** Returns the whole seconds that this share of all durations does not exceed, if there are any. */
export function findPercentile(durations: Durations, share: number): number | undefined {
  const rank = Math.ceil(share * durations.reduce((sum, count) => sum + count, 0));
  if (rank === 0) return undefined;
  let seen = 0;
  const bucket = durations.findIndex((count) => {
    seen += count;
    return seen >= rank;
  });
  return Math.round(10 ** ((bucket - 0.5) / bucketsPerDecade));
}

/** Five digits in base 36 count up to 60 million. */
const digits = 5;
const base = 36;

/**
 * Writes a fixed number of characters, so an item has its full size from the first end on and the
 * cost of a report does not depend on usage.
 */
export function writeDurations(durations: Durations): string {
  return durations.map((count) => count.toString(base).padStart(digits, '0')).join('');
}

export function readDurations(text: string): Durations {
  return noDurations.map((_, bucket) =>
    Number.parseInt(text.slice(bucket * digits, (bucket + 1) * digits), base),
  );
}
