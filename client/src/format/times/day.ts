import { currentLanguage } from '../../words/language.ts';
import { isTyped } from '../numbers/typed-words.ts';

/**
 * Reads a day and returns it as `2027-03-31`. Accepts `31 March`, `March 31 2027`, `2027-03-31`,
 * `31.03.2027`, or `3 months` from now, also in German. Without a year, takes the next such day.
 */
export function readDay(text: string, now: Date): string | undefined {
  const words = text.trim().replaceAll(/[,.]/g, ' ').split(/\s+/);
  const dotted = /^(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})?$/.exec(text.trim());
  if (dotted) return readPlain(Number(dotted[1]), Number(dotted[2]), dotted[3], now);
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim());
  if (iso) return writeIsoDay(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  return readSpan(words, now) ?? readNamed(words, now);
}

/** Reads a day like `readDay`, but without a year takes the last such day. */
export function readPastDay(text: string, now: Date): string | undefined {
  const year = now.getUTCFullYear();
  const named = [year, year - 1].map((each) => readDay(`${text} ${each}`, now));
  return named.find((day) => day !== undefined && day <= toIsoDay(now)) ?? readDay(text, now);
}

/** Reads `3 months` or `in 2 weeks`. */
function readSpan(words: readonly string[], now: Date): string | undefined {
  const [count = '', unit = '', ...rest] = words[0] === 'in' ? words.slice(1) : words;
  const span = spans.find((each) => isTyped(unit, `typed.${each}`));
  if (!/^\d{1,4}$/.test(count) || span === undefined || rest.length > 0) return undefined;
  const many = Number(count);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (span === 'day' || span === 'week') {
    return toIsoDay(new Date(Date.UTC(year, month, day + many * (span === 'week' ? 7 : 1))));
  }
  const later = month + many * (span === 'year' ? 12 : 1);
  // A month after 31 January is the last day of February.
  const last = new Date(Date.UTC(year, later + 1, 0)).getUTCDate();
  return toIsoDay(new Date(Date.UTC(year, later, Math.min(day, last))));
}

const spans = ['day', 'week', 'month', 'year'] as const;

/** Reads `31 March` or `March 31 2027`. */
function readNamed(words: readonly string[], now: Date): string | undefined {
  const month = words.map(findMonth).find((found) => found !== undefined);
  const numbers = words.filter((word) => /^\d{1,2}(st|nd|rd|th)?$|^\d{4}$/.test(word));
  if (month === undefined || words.length !== numbers.length + 1) return undefined;
  const year = numbers.find((word) => /^\d{4}$/.test(word));
  const days = numbers.filter((word) => word !== year);
  const day = Number.parseInt(days[0] ?? '', 10);
  return days.length === 1 ? readPlain(day, month, year, now) : undefined;
}

function readPlain(day: number, month: number, year: string | undefined, now: Date) {
  if (year !== undefined) return writeIsoDay(Number(year), month, day);
  const thisYear = writeIsoDay(now.getUTCFullYear(), month, day);
  const today = toIsoDay(now);
  if (thisYear !== undefined && thisYear >= today) return thisYear;
  return writeIsoDay(now.getUTCFullYear() + 1, month, day);
}

/** Returns undefined if the calendar has no such day. */
function writeIsoDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? toIsoDay(date) : undefined;
}

function toIsoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

const writers = new Map<string, Intl.DateTimeFormat>();

/** Writes `31 March 2027`, or `31 Mar 2027` where space is short, in UTC as the service counts days. */
export function writeDay(moment: string, month: 'long' | 'short' = 'long'): string {
  const { days: locale } = currentLanguage();
  const key = locale + month;
  // A format takes a while to create, so it is created when a day is written, and kept.
  let days = writers.get(key);
  if (!days) {
    days = new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month,
      year: 'numeric',
      timeZone: 'UTC',
    });
    writers.set(key, days);
  }
  return days.format(new Date(moment));
}

/** Writes `2026-11-15 08:30`, in the reader's time zone. */
export function writeMoment(moment: string): string {
  const date = new Date(moment);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Returns the number of a month, from 1, by its name or its first letters. */
export function findMonth(word: string): number | undefined {
  const wanted = word.toLowerCase();
  const index = [english, currentLanguage().days]
    .map((locale) => listMonths(locale).findIndex((month) => month.startsWith(wanted)))
    .find((found) => found >= 0);
  return wanted.length >= 3 && index !== undefined ? index + 1 : undefined;
}

const english = 'en-GB';

/** Names the months, which people may also write in English. */
function listMonths(locale: string): string[] {
  const { format } = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => format(Date.UTC(2000, month)).toLowerCase());
}
