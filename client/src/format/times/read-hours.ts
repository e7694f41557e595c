const secondsOf: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  second: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3600,
  hr: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
  w: 604_800,
  week: 604_800,
};

/** How a language writes numbers and names units. */
interface Reading {
  readonly readNumber: (text: string) => number | undefined;
  readonly secondsOf: (unit: string) => number | undefined;
}

const plain: Reading = {
  readNumber: (text) =>
    /^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text) ? Number(text.replaceAll(',', '')) : undefined,
  secondsOf: (unit) => {
    const word = unit.toLowerCase();
    return secondsOf[word] ?? secondsOf[word.replace(/s$/, '')];
  },
};

/** Reads seconds from a text with units, or from `2:30:00` as schedulers write it. */
export function readSeconds(text: string, reading: Reading = plain): number | undefined {
  const clock = /^(\d+):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim());
  if (clock) {
    const [, hours, minutes, seconds = 0] = clock;
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  }
  const parts = [...text.matchAll(/\s*(\d[\d.,]*)\s*(\p{L}+)\.?\s*/guy)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  let sum = 0;
  for (const [, count = '', unit = ''] of parts) {
    const [many, seconds] = [reading.readNumber(count), reading.secondsOf(unit)];
    if (seconds === undefined || many === undefined) return undefined;
    sum += many * seconds;
  }
  return sum;
}

/** A number of hours as the interface writes it in text (4.2). */
export const hoursForm = /^[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$/;

/**
 * Reads the runtime of a job in hours, as programs write it: `2h30m`, `90 min`, `1.5 hours`, `1d`,
 * `2:30:00`, or a number without a unit, which means hours as it does in HTTP.
 */
export function readHours(text: string): number | undefined {
  const typed = text.trim();
  const seconds = readSeconds(text);
  const hours = hoursForm.test(typed) ? Number(typed) : seconds && seconds / 3600;
  return hours !== undefined && hours > 0 && hours < Infinity ? hours : undefined;
}

/** Returns the hours of a runtime, and says how to write what is none. The service judges numbers. */
export function toHours(runtime: number | string): number {
  const hours = typeof runtime === 'number' ? runtime : readHours(runtime);
  if (hours !== undefined) return hours;
  throw new TypeError(
    `runtime is '${runtime}', which is not a duration. Write a number of hours, or a text such as '1h30m' or '1:30:00'.`,
  );
}
