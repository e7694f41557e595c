import { existsSync, readFileSync } from 'node:fs';

const file = '/proc/stat';

/**
 * Tells which percentage of its processors a virtual machine did not get since the last call, because
 * its host ran others on them. Only Linux knows; elsewhere it is 0.
 */
export function watchHost(): () => number {
  let before = readTimes();
  return () => {
    const now = readTimes();
    const [all, stolen] = [now.all - before.all, now.stolen - before.stolen];
    before = now;
    return all > 0 ? (100 * stolen) / all : 0;
  };
}

/** Reads the sums since the start: user, nice, system, idle, iowait, irq, softirq, steal. */
function readTimes(): { readonly all: number; readonly stolen: number } {
  const line = existsSync(file) ? readFileSync(file, 'utf8').split('\n', 1)[0] : undefined;
  const times = line?.trim().split(/\s+/).slice(1, 9).map(Number) ?? [];
  return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 };
}
