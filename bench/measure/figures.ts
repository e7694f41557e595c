import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

/** One measured number. What a name means is in docs/performance.md. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** Nothing for a ratio. */
  readonly unit?: string | undefined;
}

const FigureFile = v.object({
  figures: v.array(v.object({ name: v.string(), value: v.number(), unit: v.optional(v.string()) })),
});

export function writeFigures(file: string, figures: readonly Figure[]): void {
  writeFileSync(file, `${JSON.stringify({ figures }, undefined, 2)}\n`);
}

export function readFigures(file: string): Figure[] {
  const parsed = v.safeParse(FigureFile, JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is not a file of figures.`);
  return parsed.output.figures;
}
