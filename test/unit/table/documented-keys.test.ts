import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { partitionPatterns } from '../../../lib/table/keys.ts';

const source = readFirstTable('lib/table/keys.ts', ' * ');
const page = readFirstTable('docs/data-model.md', '');

it('has the table of lib/table/keys.ts in docs/data-model.md', () => {
  expect(
    page.map(([access, how]) => [access, how]),
    'The comment at the top of lib/table/keys.ts is right: copy its rows to "Access" in docs/data-model.md, the second column as code, and say what each costs.',
  ).toEqual(source);
});

it('says what every access costs', () => {
  for (const [access, , cost] of page) expect(cost, access).toMatch(/\S/);
});

it('names every kind of partition, and no other', () => {
  const partitions = source.flatMap(
    ([, how = '']) => how.match(/(?<=PK |: )[A-Z]+(?=[#,])/g) ?? [],
  );
  const kinds = Object.values(partitionPatterns).map((pattern) => pattern.replace(/#.*/, ''));
  expect([...new Set(partitions)].sort()).toEqual([...new Set(kinds)].sort());
});

/** The cells of the rows below its head, without the marks of code. */
function readFirstTable(file: string, indent: string): string[][] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const begin = lines.findIndex((line) => line.startsWith(`${indent}|`));
  const end = lines.findIndex((line, index) => index > begin && !line.startsWith(`${indent}|`));
  return lines.slice(begin + 2, end).map((line) =>
    line
      .slice(indent.length)
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
  );
}
