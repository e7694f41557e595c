import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadTableError } from '#lib/batches/errors.ts';
import { parseTable, readTable, surveyTable } from '#lib/batches/read-table.ts';
import { parseRows, writeRows } from '#lib/batches/stored-rows.ts';
import { buildZip, type ZipEntry } from '#test/fixtures/build-zip.ts';

const read = (entries: readonly ZipEntry[], name?: string) => readFrom(buildZip(entries), name);

const readFrom = async (content: Uint8Array, name = 'params.csv') => {
  const store = {
    read: async (_: string, { first, last }: { first: number; last: number }) =>
      content.subarray(first, last + 1),
  };
  return readTable({ store, key: '', bytes: content.length }, name);
};

function problemsOf(text: string) {
  try {
    parseTable({ bytes: Buffer.from(text), name: 'params.csv' });
  } catch (error) {
    if (error instanceof BadTableError) return error.problems;
    throw error;
  }
  return [];
}

describe('a table', () => {
  it('may have quotes, commas and line breaks in cells, empty lines, and spaces in its header', () => {
    const text = 'a , b\r\n"1,""x""","two\nlines"\r\n\r\n3,\r\n';
    expect(parseTable({ bytes: Buffer.from(text), name: 't' })).toEqual({
      columns: ['a', 'b'],
      rows: [
        ['1,"x"', 'two\nlines'],
        ['3', ''],
      ],
      lines: [2, 5],
    });
  });

  it('may begin with a byte order mark', async () => {
    const table = await read([{ name: 'params.csv', content: '\uFEFFalpha\n1\n' }]);
    expect(parseTable(table)).toMatchObject({ columns: ['alpha'], rows: [['1']] });
    expect(parseRows(table.bytes)).toEqual({ columns: ['alpha'], rows: [['1']] });
  });

  it('may be in a folder of the zip', async () => {
    const found = read([{ name: 'in/params.csv', content: 'a\n1' }], 'in/params.csv');
    expect(parseTable(await found)).toMatchObject({ rows: [['1']] });
  });

  it('is refused if the zip does not have it, or if it is not UTF-8', async () => {
    await expect(read([{ name: 'a.csv' }])).rejects.toThrow("The zip has no file 'params.csv'.");
    const latin = Buffer.from([0x61, 0x0a, 0xe4, 0x0a]);
    await expect(read([{ name: 'params.csv', content: latin }])).rejects.toThrow(
      'It is not text in UTF-8.',
    );
  });

  it('is refused if it is damaged', async () => {
    const zip = buildZip([{ name: 'params.csv', content: 'alpha\n1\n', stored: true }]);
    const content = Buffer.from(zip);
    content[content.indexOf('alpha')] = 0x41;
    await expect(readFrom(content)).rejects.toThrow('It is damaged and cannot be unpacked.');
  });

  it('is refused without being unpacked if it is too large', async () => {
    const content = 'x'.repeat(10_000_001);
    await expect(read([{ name: 'params.csv', content, stored: true }])).rejects.toThrow(
      'It has 10000001 bytes, but at most 10000000 are allowed.',
    );
  });

  it('has 10,000 rows at most', () => {
    expect(problemsOf(`a\n${'1\n'.repeat(10_000)}`)).toEqual([]);
    expect(problemsOf(`a\n${'1\n'.repeat(10_001)}`)).toEqual([
      { message: 'It has 10001 rows, but at most 10000 are allowed.' },
    ]);
  });

  it('has 50 columns at most', () => {
    const columns = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join(',');
    expect(problemsOf(`${columns(50)}\n${columns(50)}`)).toEqual([]);
    expect(problemsOf(`${columns(51)}\n${columns(51)}`)).toEqual([
      { line: 1, message: 'It has 51 columns, but at most 50 are allowed.' },
    ]);
  });

  it.each([
    ['', 'It is empty. The first line names the columns.'],
    ['a,b\n', 'It has no rows. Each row is a job.'],
  ])('that is %j is refused', (text, message) => {
    expect(problemsOf(text)).toContainEqual({ message });
  });

  it('is refused with all its mistakes and their lines', () => {
    expect(
      problemsOf('a,A,1st,index,\n1,2,3,4,5\n1,2\n\n1,2,3,4,5,6\n').map(({ line }) => line),
    ).toEqual([1, 1, 1, 1, 3, 5]);
    expect(problemsOf('a,b\n1,2\n"open,2\n')).toMatchObject([
      { line: 3, message: expect.stringContaining('The quotes are wrong') },
    ]);
  });

  it('has a hundred mistakes at most in its answer, and the number of the others', () => {
    const problems = problemsOf(`a,b\n${'1\n'.repeat(250)}`);
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toEqual({ message: '150 more lines have problems.' });
  });
});

/** Tables of one to three columns. Most of their cells and rows are well formed, but not all. */
const tables = fc.integer({ min: 1, max: 3 }).chain((columns) => {
  const cell = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('a', 'ä', 'long cell', '"q"', '"a,""b"""') },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', '\u00a0', '"\n"', '" "', '"', 'x"') },
  );
  const row = fc.oneof(
    { weight: 9, arbitrary: fc.array(cell, { minLength: columns, maxLength: columns }) },
    { weight: 1, arbitrary: fc.array(cell, { minLength: 1, maxLength: 3 }) },
  );
  const end = fc.constantFrom('\n', '\r\n', '\r', '\n\n');
  return fc
    .tuple(fc.array(row, { maxLength: 6 }), end)
    .map(([rows, end]) =>
      [['a', '"b"', 'c'].slice(0, columns), ...rows].map((cells) => cells.join(',')).join(end),
    );
});

describe('the survey of a table', () => {
  it('agrees with splitting the table, or leaves it to that', () => {
    let surveyed = 0;
    fc.assert(
      fc.property(tables, (text) => {
        const survey = surveyTable(Buffer.from(text));
        if (!survey) return;
        surveyed += 1;
        const { columns, rows } = parseTable({ bytes: Buffer.from(text), name: 't' });
        expect(survey).toMatchObject({ columns, count: rows.length });
        survey.longest.forEach((longest, at) => {
          const most = Math.max(...rows.map((row) => row[at]?.length ?? 0));
          expect(longest.length).toBeGreaterThanOrEqual(most);
        });
      }),
      { numRuns: 500 },
    );
    expect(surveyed).toBeGreaterThan(100);
  });

  it.each([
    ['a row without content', 'a,b\n1,2\n , \n'],
    ['a row of other length', 'a,b\n1,2\n1\n'],
    ['a quote that does not end', 'a,b\n1,"2\n'],
    ['a quote within a cell', 'a,b\n1,2"\n'],
    ['text after a quoted cell', 'a,b\n1,"2"x\n'],
    ['a wrong header', 'a,index\n1,2\n'],
    ['a header with a blank beyond ASCII', 'a,b\u00a0\n1,2\n'],
    ['a byte order mark', '\ufeffa\n1\n'],
    ['a control character', 'a,b\n1,2\u0007\n'],
    ['a control character in quotes', 'a,b\n1,"2\u007f"\n'],
    ['no rows', 'a,b\n'],
    ['too many rows', `a\n${'1\n'.repeat(10_001)}`],
  ])('leaves %s to a closer look', (_, text) => {
    expect(surveyTable(Buffer.from(text))).toBeUndefined();
  });
});

describe('rows that are stored again', () => {
  it('keep their values and the index that each had', () => {
    const rows = {
      columns: ['a', 'b'],
      rows: [
        ['1', 'x'],
        ['"q", r', 'two\nlines'],
        ['', ' '],
      ],
    };
    const stored = parseRows(writeRows(rows, [1, 2]));
    expect(stored).toEqual({
      columns: ['a', 'b'],
      rows: [
        ['"q", r', 'two\nlines'],
        ['', ' '],
      ],
      indexes: [1, 2],
    });
    expect(parseRows(writeRows(stored, [1]))).toMatchObject({ indexes: [2], rows: [['', ' ']] });
  });

  it('may be nothing but the index', () => {
    const stored = parseRows(writeRows({ columns: [], rows: [] }, [7, 9]));
    expect(stored).toMatchObject({ columns: [], indexes: [7, 9] });
  });
});
