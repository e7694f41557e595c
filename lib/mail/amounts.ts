import { catalog } from '#lib/catalog/catalog.ts';
import { wordOfCharging } from '#lib/catalog/hpc-system.ts';
import type { Amount } from '#lib/quotas/quota.ts';
import type { ChargedUnit, MailWords } from './words/english.ts';

const units = {
  'wall-clock': 'hour',
  node: 'node-hour',
  core: 'core-hour',
  weights: 'charged hour',
} as const;

/** Returns the unit of a system by its name in answers, such as `HPC_ONE`. */
export function unitOf(hpc: string): ChargedUnit {
  const system = catalog.systems.find(({ name }) => name === hpc.toLowerCase());
  return system ? units[wordOfCharging(system.charging)] : 'charged hour';
}

/** Writes `480 node-hours`. */
export function writeHours(seconds: number, unit: ChargedUnit, words: MailWords): string {
  return words.hours(writeNumber(seconds / 3600, words), unit);
}

/** Space is counted in kilobytes. */
export function writeSpace(kilobytes: number, words: MailWords): string {
  const [divisor, name] = chooseSpaceUnit([kilobytes]);
  return `${writeNumber(kilobytes / divisor, words, 10)} ${name}`;
}

type Digits = Pick<MailWords, 'digits'>;

/** Rounds down, to hundredths or what else is the finest, because most of these amounts are what remains. */
export function writeNumber(value: number, { digits: locale }: Digits, scale = 100): string {
  return (Math.floor(Number((value * scale).toFixed(6))) / scale).toLocaleString(locale);
}

/** Writes `480 node-hours and 2 GB`, without what is 0. */
export function writeAmount(
  { time, space }: { readonly time: number | null; readonly space: number | null },
  unit: ChargedUnit,
  words: MailWords,
): string {
  return join(
    time ? writeHours(time, unit, words) : '',
    space ? writeSpace(space, words) : '',
    words,
  );
}

/** Leaves out what is empty. */
function join(time: string, space: string, words: MailWords): string {
  return time && space ? words.timeAndSpace(time, space) : time || space || words.nothing;
}

/** What a balance was changed by. */
export interface Change {
  readonly label: string;
  readonly sign: 1 | -1;
  readonly amount: Amount;
}

/**
 * Writes what made a balance, and the balance itself, as the page of a statement does: in
 * hundredths, and so that they add up as they are shown. Changes that are nothing are left out.
 */
export function writeBalance(
  changes: readonly Change[],
  { label, unit }: { readonly label: string; readonly unit: ChargedUnit },
  words: MailWords,
): [label: string, amount: string][] {
  const hours = roundBalance(changes, ({ seconds }) => seconds / 3600);
  const [divisor, name] = chooseSpaceUnit(changes.map(({ amount }) => amount.kilobytes));
  const space = roundBalance(changes, ({ kilobytes }) => kilobytes / divisor);
  const write = (time: number, size: number) =>
    join(
      time === 0 ? '' : words.hours(time.toLocaleString(words.digits), unit),
      size === 0 ? '' : `${size.toLocaleString(words.digits)} ${name}`,
      words,
    );
  const lines = changes.map(({ label, amount }, at): [string, string] | undefined =>
    amount.seconds === 0 && amount.kilobytes === 0
      ? undefined
      : [label, write(hours.parts[at] ?? 0, space.parts[at] ?? 0)],
  );
  return [...lines.filter((line) => line !== undefined), [label, write(hours.whole, space.whole)]];
}

/** Counts in whole hundredths, so that the sum has no noise. */
function roundBalance(changes: readonly Change[], measure: (amount: Amount) => number) {
  const hundredths = changes.map(({ amount }) =>
    Math.round(Number((measure(amount) * 100).toFixed(6))),
  );
  const whole = changes.reduce((sum, { sign }, at) => sum + sign * (hundredths[at] ?? 0), 0);
  return { parts: hundredths.map((each) => each / 100), whole: whole / 100 };
}

function chooseSpaceUnit(kilobytes: readonly number[]): [kilobytes: number, name: string] {
  const most = Math.max(...kilobytes);
  if (most >= 1e6) return [1e6, 'GB'];
  return most >= 1e3 ? [1e3, 'MB'] : [1, 'KB'];
}
