/**
 * How often which durations occurred, so that their median and any other percentile can be told
 * from sums alone. Ten buckets for each power of ten: each bound is a quarter above the one before,
 * and what is told lies within 13 percent, or a second, of what was measured. What took longer
 * than 23 days is told as 26.
 */
export type Durations = readonly number[];

const bucketsPerDecade = 10;
const lastBucket = 64;

/** The longest duration that a bucket holds, in seconds: 1, 1.26, 1.58, 2, … */
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

/** Whole seconds that this share of all durations does not exceed; nothing where there are none. */
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

/** Five digits hold 60 million. */
const digits = 5;
const base = 36;

/**
 * As many characters for few as for many: an item has its full size from the first end on, and what
 * a report reads depends on nothing but whom it is about.
 */
export function writeDurations(durations: Durations): string {
  return durations.map((count) => count.toString(base).padStart(digits, '0')).join('');
}

export function readDurations(text: string): Durations {
  return noDurations.map((_, bucket) =>
    Number.parseInt(text.slice(bucket * digits, (bucket + 1) * digits), base),
  );
}
