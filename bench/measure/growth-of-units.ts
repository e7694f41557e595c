import type { Cost } from '#test/engines/meter.ts';
import { type Figure, formatTable } from './figures.ts';

type Costs<Name extends string> = Readonly<Record<Name, Cost>>;

/** Prints the units of each operation in a small and a large table, and returns their figures. */
export function reportGrowth<Name extends string>(
  group: string,
  sizes: readonly number[],
  names: readonly Name[],
  [small, large]: readonly [Costs<Name>, Costs<Name>],
): Figure[] {
  const units = ({ readUnits, writeUnits }: Cost) => `${readUnits} r ${writeUnits} w`;
  process.stdout.write(
    formatTable([
      ['units', ...sizes.map((jobs) => `${jobs.toLocaleString('en-US')} jobs`), 'growth'],
      ...names.map((name) => [
        name,
        units(small[name]),
        units(large[name]),
        computeGrowth(small[name], large[name]).toFixed(2),
      ]),
    ]),
  );
  return names.flatMap((name) => [
    { name: `${group}.${name}`, value: computeGrowth(small[name], large[name]) },
    { name: `${group}.${name}.read-units`, value: large[name].readUnits, unit: 'read units' },
    { name: `${group}.${name}.write-units`, value: large[name].writeUnits, unit: 'write units' },
  ]);
}

/**
 * Returns by which factor the units grow from the small table to the large one: the worse of reads
 * and writes.
 */
export function computeGrowth(small: Cost, large: Cost): number {
  return Math.max(
    divide(large.readUnits, small.readUnits),
    divide(large.writeUnits, small.writeUnits),
  );
}

/** Counts 0 to 0 as no growth. */
function divide(large: number, small: number): number {
  return large === small ? 1 : large / small;
}
