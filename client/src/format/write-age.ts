import { writeDuration } from './duration.ts';

/** Writes `4 min ago` or `in 3 d`. */
export function writeAge(moment: string, now: Date): string {
  const seconds = (now.getTime() - Date.parse(moment)) / 1000;
  if (Math.abs(seconds) < 1) return 'now';
  const span = writeLargest(Math.abs(seconds));
  return seconds > 0 ? `${span} ago` : `in ${span}`;
}

/** One unit is enough for an age. */
export function writeLargest(seconds: number): string {
  const [count = '', unit = ''] = writeDuration(seconds).split(' ');
  return `${count} ${unit}`;
}
