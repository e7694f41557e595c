/** The day of a moment in UTC, as sums are kept: `2026-11-15`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The month of a day: `2026-11`. */
export function monthOf(day: string): string {
  return day.slice(0, 'YYYY-MM'.length);
}
