import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { suites } from '#tools/suites/suites.ts';

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

/** `npm run x`, with whatever options npm is given before the name, or `- x` of a workflow's matrix. */
function listNamed(text: string): string[] {
  const named = text.matchAll(/\bnpm run (?:-[\w-]+ )*([a-z][\w:-]*(?: -- [a-z][\w-]*)?)/g);
  const inTurn = text.matchAll(/^ +- (suite -- [\w-]+)$/gm);
  return [...named, ...inTurn].map(([, name = '']) => name);
}

const benches = readdirSync('bench').filter((file) => file.endsWith('.ts'));

function isThere(named: string): boolean {
  const [script = '', part] = named.split(' -- ');
  if (part !== undefined && script === 'suite') return part in suites;
  if (part !== undefined && script === 'bench') return benches.includes(`${part}.ts`);
  return script in scripts;
}

describe('the scripts of package.json', () => {
  it.each(pages)('that %s names are there', (page) => {
    const named = listNamed(readFileSync(page, 'utf8'));
    expect(named.filter((each) => !isThere(each))).toEqual([]);
  });

  it('are found in a page', () => {
    expect(listNamed('`npm run -s bench -- http --slurm`, then npm run fix.')).toEqual([
      'bench -- http',
      'fix',
    ]);
    expect(listNamed('    - suite -- long\n    - check')).toEqual(['suite -- long']);
    expect(['suite -- gone', 'bench -- gone', 'gone'].filter(isThere)).toEqual([]);
  });

  it('are few, and every suite is explained to developers', () => {
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(45);
    const named = listNamed(readFileSync('docs/development.md', 'utf8'));
    const all = Object.keys(suites).map((name) => `suite -- ${name}`);
    expect(all.filter((each) => !named.includes(each))).toEqual([]);
  });
});
