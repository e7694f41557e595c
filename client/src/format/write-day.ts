const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** `31 March 2027`, in UTC as the service counts days. */
export function writeDay(moment: string): string {
  const date = new Date(moment);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `2026-11-15 08:30`, in the zone of whoever reads. */
export function writeMoment(moment: string): string {
  const date = new Date(moment);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The number of a month, from 1, by its name or the first letters of it; none is no month. */
export function findMonth(word: string): number | undefined {
  const wanted = word.toLowerCase();
  const index = months.findIndex((month) => month.toLowerCase().startsWith(wanted));
  return wanted.length >= 3 && index >= 0 ? index + 1 : undefined;
}
