import { catalog } from '#lib/catalog/catalog.ts';
import { wordOfCharging } from '#lib/catalog/hpc-system.ts';

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
  const hours = writeNumber(seconds / 3600);
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
