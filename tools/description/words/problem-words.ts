import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ProblemWords {
  readonly when: string;
  readonly remedy: string;
}

const page = join(import.meta.dirname, '../../../docs/problems.md');

let known: ReadonlyMap<string, ProblemWords> | undefined;

/** When a problem comes, and what to do about it: docs/problems.md says it, and nobody else. */
export function problemWords(name: string): ProblemWords {
  known ??= readTable(readFileSync(page, 'utf8'));
  const words = known.get(name);
  if (!words) throw new Error(`docs/problems.md has no row of '${name}'.`);
  return words;
}

/** Rows of `name`, status, when, what to do. Links lead nowhere from another page: their words stay. */
function readTable(text: string): ReadonlyMap<string, ProblemWords> {
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \| \d+ \| (.+) \| (.+) \|$/gm)];
  return new Map(
    rows.map(([, name = '', when = '', remedy = '']) => [
      name,
      { when: dropLinks(when), remedy: dropLinks(remedy) },
    ]),
  );
}

function dropLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}
