import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { BodyTooLargeError, UnsupportedBodyError } from '#lib/http/errors.ts';
import { maxRows, maxRowsBytes, rowsBody } from '#lib/http/parsers/bodies/rows-body.ts';
import { apiEvent } from '#test/fixtures/api-event.ts';
import { outputOf, problemsOf } from '#test/fixtures/problems-of.ts';

const kind = rowsBody(v.object({ name: v.string('It must be text.') }));

function read(body: string | Buffer, contentType = 'application/x-ndjson') {
  const headers = { 'content-type': contentType };
  return kind.read(apiEvent({ path: '/', headers, body: Buffer.from(body) }));
}

const wrong = (line: number, name: string, message: string) => ({
  line,
  problems: [{ location: 'body', name, message }],
});

describe('a body of rows', () => {
  it('is read line by line, and what is wrong with one is said of that one', () => {
    const lines = [
      '\uFEFF{"name":"ä"}',
      '',
      '{"name":',
      '[]',
      '{"name":1}',
      '{"nam":"b"}\r',
      'null',
    ];
    expect(outputOf(read(`${lines.join('\n')}\n`))).toEqual([
      { line: 1, output: { name: 'ä' } },
      wrong(3, 'row', 'It is not valid JSON.'),
      wrong(4, 'row', 'It must be a JSON object.'),
      wrong(5, 'name', 'It must be text.'),
      {
        line: 6,
        problems: [
          { location: 'body', name: 'nam', message: 'Unknown field. Known fields: name.' },
          { location: 'body', name: 'name', message: 'This field is required.' },
        ],
      },
      wrong(7, 'row', 'It must be a JSON object.'),
    ]);
  });

  it('is refused as a whole where it is no list of rows, or too long a one', () => {
    const messageOf = (body: string | Buffer) =>
      problemsOf(() => outputOf(read(body))).map(({ name, message }) => `${name}: ${message}`);
    expect(messageOf(' \n\n')).toEqual(['body: It has no rows. Send at least one.']);
    expect(messageOf(Buffer.of(0xff))).toEqual(['body: It is not text in UTF-8.']);
    expect(messageOf('{}\n'.repeat(maxRows + 1))).toEqual([
      'body: It has more than 1000 rows. Send at most 1000 at once.',
    ]);
    expect(outputOf(read('{}\n'.repeat(maxRows)))).toHaveLength(maxRows);
  });

  it('is not read beyond the first row too many', () => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(read('{}\n'.repeat(300_000))).toHaveProperty('problems');
    expect(parse).toHaveBeenCalledTimes(maxRows + 1);
    parse.mockRestore();
    const csv = `name\n${'1\n'.repeat(maxRows + 1)}`;
    const problems = problemsOf(() => outputOf(read(`${csv}"not closed`, 'text/csv')));
    expect(problems.map(({ message }) => message)).toEqual([
      'It has more than 1000 rows. Send at most 1000 at once.',
    ]);
  });

  it('has no row that is longer than a body of its own could be', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const deep = `{"name":${'['.repeat(400_000)}${']'.repeat(400_000)}}`;
    expect(outputOf(read(`${deep}\n{"name":"b"}`))).toEqual([
      wrong(1, 'row', 'It has more than 16384 characters.'),
      { line: 2, output: { name: 'b' } },
    ]);
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
  });

  it('has rows of fifty fields at most', () => {
    const row = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 1])));
    expect(outputOf(read(`${row(51)}\n${row(50)}`))).toMatchObject([
      wrong(1, 'row', 'It has 51 fields, but at most 50 are allowed.'),
      { line: 2, problems: { length: 51 } },
    ]);
  });

  it('is refused where it has too many bytes, or another type', () => {
    expect(() => read(' '.repeat(maxRowsBytes + 1))).toThrow(BodyTooLargeError);
    for (const type of ['', 'application/json', 'text/plain', 'constructor']) {
      expect(() => read('{}', type)).toThrow(UnsupportedBodyError);
    }
    expect(() => read('{}', 'Application/X-NDJSON; charset=utf-8')).not.toThrow();
  });
});
