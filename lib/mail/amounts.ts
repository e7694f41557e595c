import { catalog } from '#lib/catalog/catalog.ts';
import { wordOfCharging } from '#lib/catalog/hpc-system.ts';
import type { Amount } from '#lib/quotas/quota.ts';

/** The unit of a quota's time, as the console and the command name it. */
export type ChargedUnit = (typeof units)[keyof typeof units] | 'charged hour';

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
export function writeHours(seconds: number, unit: ChargedUnit): string {
  return nameHours(writeNumber(seconds / 3600), unit);
}

function nameHours(hours: string, unit: ChargedUnit): string {
  return `${hours} ${unit}${hours === '1' ? '' : 's'}`;
}

/** Space is counted in kilobytes. */
export function writeSpace(kilobytes: number): string {
  if (kilobytes >= 1e6) return `${writeNumber(kilobytes / 1e6)} GB`;
  return kilobytes >= 1e3 ? `${writeNumber(kilobytes / 1e3)} MB` : `${writeNumber(kilobytes)} KB`;
}

/** Rounds down, because most of these amounts are what remains. */
export function writeNumber(value: number): string {
  const digits = Math.abs(value) < 1 ? 100 : 10;
  return (Math.floor(value * digits) / digits).toLocaleString('en-US');
}

/** Writes `480 node-hours and 2 GB`, without what is 0. */
export function writeAmount(
  { time, space }: { readonly time: number | null; readonly space: number | null },
  unit: ChargedUnit,
): string {
  const parts = [...(time ? [writeHours(time, unit)] : []), ...(space ? [writeSpace(space)] : [])];
  return parts.length === 0 ? 'nothing' : parts.join(' and ');
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
): [label: string, amount: string][] {
  const hours = roundBalance(changes, ({ seconds }) => seconds / 3600);
  const [divisor, name] = chooseSpaceUnit(changes.map(({ amount }) => amount.kilobytes));
  const space = roundBalance(changes, ({ kilobytes }) => kilobytes / divisor);
  const write = (time: number, size: number) =>
    [
      ...(time === 0 ? [] : [nameHours(time.toLocaleString('en-US'), unit)]),
      ...(size === 0 ? [] : [`${size.toLocaleString('en-US')} ${name}`]),
    ].join(' and ') || 'nothing';
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
