import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutCells, longestCell, mostCells, readRecords } from '#client/src/rows/read-records.ts';

type Form = Parameters<typeof readRecords>[1];

const read = (text: string, form?: Form) =>
  [...readRecords(text, form)].map((record) => [record.line, record.fault ?? cutCells(record)]);

/** A text that notes how far somebody has looked into it. */
class Watched extends String {
  furthest = 0;
  override charCodeAt(at: number): number {
    this.furthest = Math.max(this.furthest, at);
    return super.charCodeAt(at);
  }
  override slice(from: number, to: number): string {
    this.furthest = Math.max(this.furthest, to);
    return super.slice(from, to);
  }
}

function watch(text: string) {
  const watched = new Watched(text);
  return { watched, text: watched as unknown as string };
}

describe('a table', () => {
  it('has cells that may be quoted, and records that may span lines', () => {
    expect(read('a,"b"\r\n"1, ""x""","two\r\nlines"\r3,\n"",4')).toEqual([
      [1, ['a', 'b']],
      [2, ['1, "x"', 'two\r\nlines']],
      [4, ['3', '']],
      [5, ['', '4']],
    ]);
  });

  it.each([
    [
      '\ufeffa\n1',
      [
        [1, ['a']],
        [2, ['1']],
      ],
    ],
    ['\n \t\r\n,,\r"", ""\n', [[4, 'quotes']]],
    ['\n , \n"",""\n\u00a0\n 1 ,\n\n', [[5, [' 1 ', '']]]],
    ['', []],
    ['\n', []],
    ['a,', [[1, ['a', '']]]],
  ])('%j is read as %j', (text, records) => {
    expect(read(text)).toEqual(records);
  });

  it.each(['"1', '1"', '"1"2', '1"2"', '"', '"1" '])('ends at the quotes of %s', (cell) => {
    expect(read(`a,b\n1,${cell}\n3,4`)).toEqual([
      [1, ['a', 'b']],
      [2, 'quotes'],
    ]);
  });

  it('may have misplaced quotes, another separator and any number of cells if that is said', () => {
    expect(read('a;"b\n5" pipe;"x"y;"c;d"\n"";""""', { separator: ';', lenient: true })).toEqual([
      [1, ['a', '"b']],
      [2, ['5" pipe', '"x"y', 'c;d']],
      [3, ['', '"']],
    ]);
    const [wide] = readRecords(`"",${'1,'.repeat(mostCells)}`, { lenient: true });
    expect(wide).toMatchObject({ size: mostCells + 2, fault: undefined });
    expect(wide && cutCells(wide, 3)).toEqual(['', '1', '1']);
  });

  it('is written and read again', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ä', '"', ',', '\n', '\r', ' ', '😀') });
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n', '\r'), (rows, end) => {
        const text = rows
          .map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(','))
          .join(end);
        const kept = rows.filter((cells) => cells.some((each) => each.trim() !== ''));
        const records = [...readRecords(text)];
        expect(records.map((record) => cutCells(record))).toEqual(kept);
        const lines = text.split(/\r\n|\n|\r/);
        for (const { line } of records) expect(lines[line - 1]).toMatch(/^"/);
      }),
    );
  });

  it('says how wide its cells are, with their quotes', () => {
    expect([...readRecords('abc,d\n"ab",d')].map(({ size, widest }) => [size, widest])).toEqual([
      [2, 3],
      [2, 4],
    ]);
  });
});

describe('reading', () => {
  it('looks no further than the record that was asked for', () => {
    const { watched, text } = watch('a,b\n"1",2\n3,4\n'.repeat(1000));
    const records = readRecords(text);
    records.next();
    records.next();
    expect(watched.furthest).toBeLessThan(12);
  });

  it.each([
    ['a plain cell', 'x'.repeat(longestCell + 1)],
    ['a quoted cell', `"${'x'.repeat(10_000_000)}"`],
    ['a cell of quotes', `"${'""'.repeat(5_000_000)}"`],
  ])('ends at %s that is too long', (_, cell) => {
    const { watched, text } = watch(`a\n${cell}\n1\n`);
    expect([...readRecords(text)].map(({ line, fault }) => [line, fault])).toEqual([
      [1, undefined],
      [2, 'length'],
    ]);
    expect(read(`a\n${'x'.repeat(longestCell)}`)[1]).toEqual([2, ['x'.repeat(longestCell)]]);
    if (cell.includes('""')) expect(watched.furthest).toBeLessThan(longestCell + 10);
  });

  it('ends at a record with too many cells', () => {
    const { watched, text } = watch('1,'.repeat(1_000_000));
    expect([...readRecords(text)].map(({ fault }) => fault)).toEqual(['cells']);
    expect(watched.furthest).toBeLessThan(2 * mostCells + 10);
    expect(read(`${'1,'.repeat(mostCells - 1)}1`)).toEqual([[1, Array(mostCells).fill('1')]]);
    expect([...readRecords('"",'.repeat(mostCells))].map(({ fault }) => fault)).toEqual(['cells']);
  });

  it('takes blank records for others once there were too many', () => {
    const records = readRecords(`a\n${'""\n'.repeat(1_000_000)}`);
    records.next();
    expect(records.next().value).toMatchObject({ line: 10_002, size: 1 });
  });
});
