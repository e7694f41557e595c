import type { Figure } from '../measure/figures.ts';
import { formatTable } from '../measure/format-table.ts';

/** A ratio, with what it was made of for whoever reads the table. */
export interface Ratio extends Figure {
  readonly measured: string;
}

/** Prints them; what they may be is in bench/budget.json. */
export function reportRatios(ratios: readonly Ratio[]): readonly Figure[] {
  process.stdout.write(
    formatTable(
      ratios.map(({ name, value, measured }) => [name, `${value.toFixed(3)} x`, measured]),
    ),
  );
  return ratios.map(({ name, value }) => ({ name, value }));
}
