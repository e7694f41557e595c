import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
  ...readdirSync('.github/workflows').map((file) => join('.github/workflows', file)),
];

/** `npm run x`, with whatever options npm is given before the name; and what a workflow tries in turn. */
function listNamed(text: string): string[] {
  const named = text.matchAll(/\bnpm run (?:-[\w-]+ )*([a-z][\w:-]*)/g);
  const inTurn = text.matchAll(/(?:- |\[|, )'?(test:[\w:-]+)/g);
  return [...named, ...inTurn].map(([, name = '']) => name);
}

describe('the scripts of package.json', () => {
  it.each(pages)('that %s names are there', (page) => {
    const named = listNamed(readFileSync(page, 'utf8'));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('are found in a page', () => {
    expect(listNamed('`npm run -s bench:http -- --slurm`, then npm run fix.')).toEqual([
      'bench:http',
      'fix',
    ]);
    expect(listNamed("script: ['test:one', 'test:two:a']\n  - test:three")).toEqual([
      'test:one',
      'test:two:a',
      'test:three',
    ]);
  });
});
