import { describe, expect, it } from 'vitest';
import { BadTableError } from '#lib/batches/errors.ts';
import { parseTable, readTable } from '#lib/batches/read-table.ts';
import { buildZip, type ZipEntry } from '#test/fixtures/build-zip.ts';

const read = async (entries: readonly ZipEntry[], name = 'params.csv') => {
  const content = buildZip(entries);
  const store = {
    read: async (_: string, { first, last }: { first: number; last: number }) =>
      content.subarray(first, last + 1),
  };
  return readTable({ store, key: '', bytes: content.length }, name);
};

function problemsOf(text: string) {
  try {
    parseTable(text, 'params.csv');
  } catch (error) {
    if (error instanceof BadTableError) return error.problems;
    throw error;
  }
  return [];
}

describe('a table', () => {
  it('may have quotes, commas and line breaks in cells, empty lines, and spaces in its header', () => {
    expect(parseTable('a , b\r\n"1,""x""","two\nlines"\r\n\r\n3,\r\n', 't')).toEqual({
      columns: ['a', 'b'],
      rows: [
        ['1,"x"', 'two\nlines'],
        ['3', ''],
      ],
      lines: [2, 5],
    });
  });

  it('may begin with a byte order mark', async () => {
    expect(await read([{ name: 'params.csv', content: '\uFEFFalpha\n1\n' }])).toMatchObject({
      columns: ['alpha'],
      rows: [['1']],
    });
  });

  it('may be in a folder of the zip', async () => {
    const found = read([{ name: 'in/params.csv', content: 'a\n1' }], 'in/params.csv');
    expect(await found).toMatchObject({ rows: [['1']] });
  });

  it('is refused if the zip does not have it, or if it is not UTF-8', async () => {
    await expect(read([{ name: 'a.csv' }])).rejects.toThrow("The zip has no file 'params.csv'.");
    const latin = Buffer.from([0x61, 0x0a, 0xe4, 0x0a]);
    await expect(read([{ name: 'params.csv', content: latin }])).rejects.toThrow(
      'It is not text in UTF-8.',
    );
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
