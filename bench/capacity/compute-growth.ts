import type { Cost } from '#test/engines/meter.ts';

/** How many times the units of the small table the large one takes: the worse of reads and writes. */
export function computeGrowth(small: Cost, large: Cost): number {
  return Math.max(
    divide(large.readUnits, small.readUnits),
    divide(large.writeUnits, small.writeUnits),
  );
}

/** Nothing that stays nothing has not grown. */
function divide(large: number, small: number): number {
  return large === small ? 1 : large / small;
}
