import { writeSize } from './amounts.ts';

const kilobytesOf: Readonly<Record<string, number>> = { M: 1e3, G: 1e6, T: 1e9 };

/** Reads kilobytes of memory in the words of the service, which are English in every language. */
export function readServed(memory: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([MGT])B$/i.exec(memory.trim()) ?? [];
  const scale = kilobytesOf[unit.toUpperCase()];
  return scale && Math.round(Number(number) * scale);
}

/** Writes memory that the service names as sizes are written elsewhere: `12.6 GB` for `12.638 GB`. */
export function writeMemory(memory: string): string {
  const kilobytes = readServed(memory);
  return kilobytes === undefined ? memory : writeSize(kilobytes * 1000, 'floor');
}
