import type { Amount } from '#lib/quotas/quota.ts';
import { float } from '../values/float.ts';

/** Seconds and kilobytes, in the numbers of a quota. */
export function presentAmount({ seconds, kilobytes }: Amount) {
  return { time: seconds, space: float(kilobytes) };
}
