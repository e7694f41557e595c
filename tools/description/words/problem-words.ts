import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProblemRow, readProblems } from '#lib/reference/problem-section.ts';

const page = join(import.meta.dirname, '../../../docs/problems.md');

let known: ReadonlyMap<string, ProblemRow> | undefined;

/** Returns when a problem occurs and what to do, from docs/problems.md, the only source. */
export function problemWords(name: string): ProblemRow {
  known ??= new Map(readProblems(readFileSync(page, 'utf8')).map((row) => [row.name, row]));
  const words = known.get(name);
  if (!words) throw new Error(`docs/problems.md has no row of '${name}'.`);
  return words;
}
