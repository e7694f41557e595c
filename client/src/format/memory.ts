import { readKilobytes, writeExactSize, writeSize } from './amounts.ts';

const kilobytesOf: Readonly<Record<string, number>> = { M: 1e3, G: 1e6, T: 1e9 };

/** Reads kilobytes of memory in the words of the service, which are English in every language. */
function readServed(memory: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([MGT])B$/i.exec(memory.trim()) ?? [];
  const scale = kilobytesOf[unit.toUpperCase()];
  return scale && Math.round(Number(number) * scale);
}

/** Writes memory that the service names as sizes are written elsewhere: `12.6 GB` for `12.638 GB`. */
export function writeMemory(memory: string): string {
  const kilobytes = readServed(memory);
  return kilobytes === undefined ? memory : writeSize(kilobytes * 1000, 'floor');
}

/** Writes memory that the service names exactly, as people can type it. */
export function writeExactMemory(memory: string): string {
  const kilobytes = readServed(memory);
  return kilobytes === undefined ? memory : writeExactSize(kilobytes);
}

/**
 * Names memory that somebody typed in the words of the service: `1.5 GB` for a German `1,5 GB`.
 * What cannot be read stays, and the service says why.
 */
export function nameMemory(typed: string): string {
  const kilobytes = readKilobytes(typed);
  if (kilobytes === undefined || kilobytes === readServed(typed)) return typed;
  return kilobytes < 1e6 ? `${kilobytes / 1e3} MB` : `${kilobytes / 1e6} GB`;
}
