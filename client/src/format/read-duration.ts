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

/**
 * Seconds: `2h30m`, `90 min`, `1.5 hours`, `1d`, or `2:30:00` as schedulers write it. A number alone
 * is refused, because a scheduler takes it for minutes and people mean hours.
 */
export function readDuration(text: string): number | undefined {
  const clock = /^(\d+):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim());
  if (clock) {
    const [, hours = '0', minutes = '0', seconds = '0'] = clock;
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  }
  const parts = [...text.matchAll(/\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*/giy)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  let sum = 0;
  for (const [, count, unit = ''] of parts) {
    const seconds = findUnit(unit);
    if (seconds === undefined) return undefined;
    sum += Number(count) * seconds;
  }
  return sum;
}

function findUnit(unit: string): number | undefined {
  const word = unit.toLowerCase();
  return secondsOf[word] ?? secondsOf[word.replace(/s$/, '')];
}
