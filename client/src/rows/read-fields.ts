import { readDay } from '../format/read-day.ts';
import { readKilobytes } from '../format/read-kilobytes.ts';
import { readNodeTime } from '../format/read-node-time.ts';

/** A row, or a field of one, that nobody can mean. */
export class RowUnreadable extends Error {}

/** Seconds of a quota; less than none takes something away. */
export function readAmountOfTime(text: string): number {
  const seconds = readNodeTime(text);
  if (seconds !== undefined) return seconds;
  throw new RowUnreadable('Write a number of hours, such as 500 or "500 node-hours".');
}

/** Kilobytes. */
export function readAmountOfSpace(text: string): number {
  const kilobytes = readKilobytes(text);
  if (kilobytes !== undefined) return kilobytes;
  throw new RowUnreadable('Write a size with its unit, such as 10GB or 500MB.');
}

/** The last day of a quota; nothing is no end. */
export function readEnd(text: string): string | null {
  if (text.trim().toLowerCase() === 'never') return null;
  const day = readDay(text, new Date());
  if (day !== undefined) return day;
  throw new RowUnreadable('Write a day, such as "31 March", 2027-03-31 or "3 months".');
}

/** A user is a number; a project in its place would lead elsewhere. */
export function readUser(text: string): string {
  if (/^\d+$/.test(text.trim())) return text.trim();
  throw new RowUnreadable('Write the number of the user, such as 306328.');
}
