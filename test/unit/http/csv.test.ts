import { describe, expect, it } from 'vitest';
import { readCsv as readRows } from '#lib/http/parsers/bodies/csv.ts';

const readCsv = (text: string) => [...readRows(text)];

const messages = (text: string) =>
  readCsv(text).map((row) =>
    'problems' in row ? `${row.line}: ${row.problems[0]?.message}` : `${row.line}: fine`,
  );

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`).join(',');

describe('CSV', () => {
  it('names cells by its first line, and says on which line each row begins', () => {
    const text = 'a,b.c,b.d\r\n1,2,3\r\n\r\n"x, ""y""\r\nz",,"4"\r\nlast,5,';
    expect(readCsv(text)).toEqual([
      { line: 2, output: { a: '1', b: { c: '2', d: '3' } } },
      { line: 4, output: { a: 'x, "y"\r\nz', b: { d: '4' } } },
      { line: 6, output: { a: 'last', b: { c: '5' } } },
    ]);
  });

  it.each(['a\n1\n2', 'a\r1\r2\r', 'a\r\n1\r\n2\r\n', '\n\n a \n1\n \n2'])(
    'takes every line break, and leaves empty lines out: %j',
    (text) => {
      expect(readCsv(text)).toMatchObject([{ output: { a: '1' } }, { output: { a: '2' } }]);
    },
  );

  it('has no rows where it has no more than a header', () => {
    expect(readCsv('')).toEqual([]);
    expect(readCsv('a,b\r\n')).toEqual([]);
  });

  it('takes no name for the prototype of a row', () => {
    const [row] = readCsv('__proto__.a,__proto__.b\n1,2');
    const output = row && 'output' in row ? row.output : {};
    expect(Object.getPrototypeOf(output)).toBe(Object.prototype);
    expect(Object.keys(output)).toEqual(['__proto__']);
  });

  it('says what is wrong with a row, and reads on', () => {
    expect(messages('a,b\n1\n1,2\n1,2,3')).toEqual([
      '2: It has 1 cells, but the first line names 2 fields. Separate them with commas.',
      '3: fine',
      '4: It has 3 cells, but the first line names 2 fields. Separate them with commas.',
    ]);
  });

  it.each(['"1', '1"', '"1"2', '1"2"', '"'])(
    'reads nothing behind quotes that are wrong: %s',
    (cell) => {
      expect(messages(`a\n0\n${cell}\n3`)).toEqual([
        '2: fine',
        expect.stringMatching(/^3: The quotes are wrong: .*The rest of the file was not read\.$/),
      ]);
    },
  );

  it('refuses a first line that names a field twice, or cannot be read', () => {
    expect(messages('a,b,a\n1,2,3')).toEqual([
      "1: The first line names 'a' twice. Name each field once.",
    ]);
    expect(messages('"a\n1')).toEqual([expect.stringMatching(/^1: The quotes are wrong/)]);
  });

  it('is read row by row', () => {
    const rows = readRows('a\n1\n2\n"not closed');
    expect([rows.next().value, rows.next().value]).toMatchObject([{ line: 2 }, { line: 3 }]);
  });

  it.each([
    ['a long cell', `a\n"${'""'.repeat(500_000)}"\n1`, '2: It has a cell of more than 100000'],
    ['many cells', `a\n${','.repeat(500_000)}1\n1`, '2: It has more than 1000 cells.'],
    ['many names', `${names(180_000)}\n1`, '1: It has more than 1000 cells.'],
    ['some more names', `${names(51)}\n1`, '1: The first line names 51 fields, but at most 50'],
  ])('ends at %s', (_, text, message) => {
    expect(messages(text)).toEqual([expect.stringContaining(message)]);
  });
});
