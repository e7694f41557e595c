/** Returns the day of a moment in UTC, such as `2026-11-15`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** Returns the month of a day, such as `2026-11`. */
export function monthOf(day: string): string {
  return day.slice(0, 'YYYY-MM'.length);
}

/** Whole days in UTC, both included. */
export interface Period {
  readonly since: string;
  readonly until: string;
}

/** A leap year. */
export const mostDays = 366;

const dayMs = 24 * 3600 * 1000;

export function countDays({ since, until }: Period): number {
  return (Date.parse(until) - Date.parse(since)) / dayMs + 1;
}

export function listMonths({ since, until }: Period): string[] {
  const months: string[] = [];
  const month = new Date(`${monthOf(since)}-01`);
  for (; monthOf(dayOf(month)) <= monthOf(until); month.setUTCMonth(month.getUTCMonth() + 1)) {
    months.push(monthOf(dayOf(month)));
  }
  return months;
}

export function monthBefore(month: string): string {
  return monthOf(dayOf(new Date(Date.parse(firstDayOf(month)) - dayMs)));
}

/** Returns the moment at which a month is over, in UTC. */
export function endOfMonth(month: string): Date {
  return new Date(Date.parse(lastDayOf(month)) + dayMs);
}

export function isWholeMonths({ since, until }: Period): boolean {
  return since.endsWith('-01') && until === lastDayOf(monthOf(until));
}

export function firstDayOf(month: string): string {
  return `${month}-01`;
}

export function lastDayOf(month: string): string {
  const next = new Date(firstDayOf(month));
  next.setUTCMonth(next.getUTCMonth() + 1);
  return dayOf(new Date(next.getTime() - dayMs));
}
