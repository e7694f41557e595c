import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProblemRow, readProblems } from '#lib/reference/problem-section.ts';

const page = join(import.meta.dirname, '../../../docs/problems.md');

let known: ReadonlyMap<string, ProblemRow> | undefined;

/** When a problem comes, and what to do about it: docs/problems.md says it, and nobody else. */
export function problemWords(name: string): ProblemRow {
  known ??= new Map(readProblems(readFileSync(page, 'utf8')).map((row) => [row.name, row]));
  const words = known.get(name);
  if (!words) throw new Error(`docs/problems.md has no row of '${name}'.`);
  return words;
}
