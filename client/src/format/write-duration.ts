const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The two largest units, the second only where it counts: `40 s`, `12 min`, `2 h 30 min`, `3 d 4 h`. */
export function writeDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < minute) return `${whole} s`;
  if (whole < 10 * minute) return joinUnits([whole, minute, 'min'], [whole % minute, 1, 's']);
  if (whole < hour) return `${Math.floor(whole / minute)} min`;
  if (whole < day) return joinUnits([whole, hour, 'h'], [whole % hour, minute, 'min']);
  return joinUnits([whole, day, 'd'], [whole % day, hour, 'h']);
}

type Part = readonly [seconds: number, unit: number, name: string];

function joinUnits(...parts: readonly Part[]): string {
  return parts
    .map(([seconds, unit, name]) => [Math.floor(seconds / unit), name] as const)
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(' ');
}
