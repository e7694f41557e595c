import { describe, expect, it } from 'vitest';
import { BadTableError } from '#lib/batches/errors.ts';
import { decodeTable, judgeTable, readTable } from '#lib/batches/read-table.ts';
import { parseRows, writeRows } from '#lib/batches/stored-rows.ts';
import { StorageUnavailableError } from '#lib/files/errors.ts';
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
    judgeTable({ text, name: 'params.csv' }, () => () => []);
  } catch (error) {
    if (error instanceof BadTableError) return error.problems;
    throw error;
  }
  return [];
}

describe('a table', () => {
  it('may have quotes, commas and line breaks in cells, empty lines, and spaces in its header', () => {
    const text = 'a , b\r\n"1,""x""","two\nlines"\r\n\r\n3,\r\n';
    const lines: number[][] = [];
    const count = judgeTable({ text, name: 't' }, (columns) => {
      expect(columns).toEqual(['a', 'b']);
      return ({ line }, place) => {
        lines.push([line, place]);
        return [];
      };
    });
    expect(count).toBe(2);
    expect(lines).toEqual([
      [2, 0],
      [5, 1],
    ]);
    expect(parseRows(text)).toEqual({
      columns: ['a', 'b'],
      rows: [
        ['1,"x"', 'two\nlines'],
        ['3', ''],
      ],
    });
  });

  it('may begin with a byte order mark', async () => {
    const table = await read([{ name: 'params.csv', content: '\uFEFFalpha\n1\n' }]);
    expect(parseRows(table.text)).toEqual({ columns: ['alpha'], rows: [['1']] });
  });

  it('may be in a folder of the zip', async () => {
    const found = read([{ name: 'in/params.csv', content: 'a\n1' }], 'in/params.csv');
    expect(parseRows((await found).text)).toMatchObject({ rows: [['1']] });
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

  it('is not called damaged if the storage is away', async () => {
    const content = buildZip([{ name: 'params.csv', content: 'x'.repeat(100_000), stored: true }]);
    const store = {
      read: async (_: string, { first, last }: { first: number; last: number }) => {
        // Its directory is near the end.
        if (first < 1000) throw new StorageUnavailableError();
        return content.subarray(first, last + 1);
      },
    };
    const found = readTable({ store, key: '', bytes: content.length }, 'params.csv');
    await expect(found).rejects.toThrow(StorageUnavailableError);
  });

  it('may be as large as is allowed', async () => {
    const content = 'x'.repeat(10_000_000);
    expect((await read([{ name: 'params.csv', content, stored: true }])).text).toBe(content);
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
      { message: 'It has more than the 10000 rows allowed.' },
    ]);
  });

  it('is not read beyond the first row too many', () => {
    const text = `a\n${'1\n'.repeat(10_001)}"this would be a mistake`;
    let judged = 0;
    const judge = () =>
      judgeTable({ text, name: 't' }, () => () => {
        judged += 1;
        return [];
      });
    expect(judge).toThrow('It has more than the 10000 rows allowed.');
    expect(judged).toBe(10_001);
  });

  it('has cells of at most 100,000 characters, and rows of at most 90,000 bytes', () => {
    const row = (letters: number, letter = 'x') => `a,b\n1,${letter.repeat(letters)}\n`;
    expect(problemsOf(row(89_999))).toEqual([]);
    expect(problemsOf(row(45_000, 'ä'))).toEqual([
      { line: 2, message: 'Its cells have 90001 bytes, but at most 90000 are allowed.' },
    ]);
    expect(problemsOf(row(100_001))).toEqual([
      {
        line: 2,
        message:
          'It has a cell of more than 100000 characters. Is a quote missing? The rest of the file was not read.',
      },
    ]);
  });

  it('may have one cell of ten million characters, and is refused as others are', () => {
    const message = expect.stringContaining('a cell of more than 100000 characters');
    expect(problemsOf(`a\n"${'x'.repeat(9_900_000)}"\n`)).toEqual([{ line: 2, message }]);
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
    expect(problemsOf(text)).toEqual([{ message }]);
  });

  it('is refused with all its mistakes and their lines', () => {
    expect(
      problemsOf('a,A,1st,index,\n1,2,3,4,5\n1,2\n\n1,2,3,4,5,6\n').map(({ line }) => line),
    ).toEqual([1, 1, 1, 1, 3, 5]);
    expect(problemsOf('a,"b\n1,2\n')).toMatchObject([
      { line: 1, message: expect.stringContaining('The quotes are wrong') },
    ]);
    expect(problemsOf('a,b\n1,2\n"open,2\n')).toMatchObject([
      { line: 3, message: expect.stringContaining('The quotes are wrong') },
    ]);
  });

  it('has no row judged by its values if its columns are wrong', () => {
    const judge = () =>
      judgeTable({ text: '1st\n1\n', name: 't' }, () => {
        throw new Error('There is nothing to judge by.');
      });
    expect(judge).toThrow("The column '1st' needs a name");
  });

  it('is read up to a hundred mistakes, and then no further', () => {
    expect(problemsOf(`a,b\n${'1\n'.repeat(100)}1,2`)).toHaveLength(100);
    let judged = 0;
    const text = `a\n${'1\n'.repeat(9000)}`;
    const judge = () =>
      judgeTable({ text, name: 't' }, () => ({ line }) => {
        judged += 1;
        return [{ line, message: 'It is wrong.' }];
      });
    expect(judge).toThrow(BadTableError);
    expect(judged).toBe(101);
    const problems = problemsOf(`a,b\n${'1\n'.repeat(200)}`);
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toEqual({
      message: 'Only the first 100 problems are listed. The lines after them were not checked.',
    });
  });
});

describe('a stored table', () => {
  it('may be empty, but not broken', () => {
    expect(parseRows('')).toEqual({ columns: [], rows: [] });
    expect(() => parseRows('a\n"open')).toThrow('A stored table cannot be read.');
  });
});

describe('the first rows of a table', () => {
  it('are read without the others', () => {
    expect(parseRows('a\n1\n2\n3\n"open', 2)).toEqual({ columns: ['a'], rows: [['1'], ['2']] });
  });
});

const rewrite = (...stored: Parameters<typeof writeRows>) => decodeTable(writeRows(...stored));

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
    const stored = parseRows(rewrite(rows, [1, 2]));
    expect(stored).toEqual({
      columns: ['a', 'b'],
      rows: [
        ['"q", r', 'two\nlines'],
        ['', ' '],
      ],
      indexes: [1, 2],
    });
    expect(parseRows(rewrite(stored, [1]))).toMatchObject({ indexes: [2], rows: [['', ' ']] });
  });

  it('may be nothing but what separates cells and rows', () => {
    const rows = {
      columns: ['a', 'b'],
      rows: [
        [',', '"'],
        ['\n', '\r'],
        ['x', 'y'],
      ],
    };
    expect(parseRows(rewrite(rows, [0, 1, 2]))).toEqual({ ...rows, indexes: [0, 1, 2] });
  });

  it('may be nothing but the index', () => {
    const stored = parseRows(rewrite({ columns: [], rows: [] }, [7, 9]));
    expect(stored).toMatchObject({ columns: [], indexes: [7, 9] });
  });
});
