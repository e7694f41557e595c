import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const [, model = ''] =
  /\n## Threat model\n([\s\S]*?)\n## /.exec(readFileSync('SECURITY.md', 'utf8')) ?? [];

const places = model.split('\n### ').slice(1);
const rows = places.flatMap((place) => {
  const [title = ''] = place.split('\n');
  return [...place.matchAll(/^\| ([STRIDE]) \| (.+) \| (.+) \|(.*)\|$/gm)].map(
    ([, letter, threat, defence = '', held = '']) => ({ title, letter, threat, defence, held }),
  );
});

/** Returns what is wrong with the test that a row names. */
function judgeTest(defence: string, held: string): string | undefined {
  const [, file = '', name = ''] = /^ \[[\w-]+\]\((test\/[^)]+)\) "(.+)" $/.exec(held) ?? [];
  if (held.trim() === '') return defence.startsWith('accepted') ? undefined : 'names no test';
  if (file === '') return `is not written as [name](file) "test": ${held}`;
  if (!existsSync(file)) return `${file} is missing`;
  const text = readFileSync(file, 'utf8');
  const isTitle = [`'${name}`, `\`${name}`, `"${name}`].some((start) => text.includes(start));
  return isTitle ? undefined : `${file} has no test "${name}"`;
}

describe('the threat model of SECURITY.md', () => {
  it.each(places.map((place) => place.split('\n')[0]))(
    'goes through all of STRIDE: %s',
    (title) => {
      const letters = rows.filter((row) => row.title === title).map(({ letter }) => letter);
      expect([...new Set(letters)].join('')).toBe('STRIDE');
    },
  );

  it.each(rows)('names a test that is there: $title, $letter, $threat', ({ defence, held }) => {
    expect(judgeTest(defence, held)).toBeUndefined();
  });

  it('has a place for each part of the picture', () => {
    expect(places.length).toBe(6);
    expect(rows.length).toBeGreaterThan(36);
  });

  it.each([
    { held: '   ', wrong: 'names no test' },
    { held: ' a test ', wrong: 'is not written' },
    { held: ' [x](test/missing.test.ts) "x" ', wrong: 'is missing' },
    { held: ' [x](test/unit/supply/secrets.test.ts) "hold no oil" ', wrong: 'has no test' },
  ])('is refused if a row $wrong', ({ held, wrong }) => {
    expect(judgeTest('a lock', held)).toContain(wrong);
  });
});
