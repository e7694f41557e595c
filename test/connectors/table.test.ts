import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { kindNames } from '#lib/catalog/kinds/system-kinds.ts';
import { readBetween } from '#tools/put-between.ts';
import { lacks, onlyImitated } from './kinds.ts';
import { parts } from './play-kinds.ts';
import { scenes } from './scenes.ts';
import { tableMark, writeTable } from './table.ts';

const names = scenes.map(({ name }) => name);

it('docs/connectors.md has the table that the suite makes (npm run connectors:table)', () => {
  const page = readFileSync('docs/connectors.md', 'utf8');
  expect(readBetween(page, tableMark)).toBe(writeTable());
});

it('every kind plays its scenes, once', () => {
  expect(Object.values(parts).flat().toSorted()).toEqual(kindNames.toSorted());
});

it('every file of test/connectors/scenes is a scene of the list, once', () => {
  const files = readdirSync('test/connectors/scenes').map((file) => file.replace(/\.ts$/, ''));
  expect(names.toSorted()).toEqual(files.toSorted());
});

it.each(kindNames)('%s lacks only scenes that exist, each for a reason', (kind) => {
  for (const declared of [lacks[kind], onlyImitated[kind] ?? {}]) {
    for (const [name, reason] of Object.entries(declared)) {
      expect(names).toContain(name);
      expect(reason).toMatch(/^[A-Z].{10,}\.$/);
    }
  }
});
