import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

/** A measured number. docs/performance.md explains the names. A ratio has no unit. */
const Figure = v.object({ name: v.string(), value: v.number(), unit: v.optional(v.string()) });

export type Figure = Readonly<v.InferOutput<typeof Figure>>;

const FigureFile = v.object({ figures: v.array(Figure) });

export function writeFigures(file: string, figures: readonly Figure[]): void {
  writeFileSync(file, `${JSON.stringify({ figures }, undefined, 2)}\n`);
}

export function readFigures(file: string): Figure[] {
  const parsed = v.safeParse(FigureFile, JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is not a file of figures.`);
  return parsed.output.figures;
}

/** Aligns columns: the first to the left, numbers to the right. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Returns the value at the nearest rank, which is always one of the values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** A ratio, with the two measured values in words. */
export interface Ratio extends Figure {
  readonly measured: string;
}

/** Prints ratios. Their limits are in bench/budget.json. */
export function reportRatios(ratios: readonly Ratio[]): readonly Figure[] {
  process.stdout.write(
    formatTable(
      ratios.map(({ name, value, measured }) => [name, `${value.toFixed(3)} x`, measured]),
    ),
  );
  return ratios.map(({ name, value }) => ({ name, value }));
}
