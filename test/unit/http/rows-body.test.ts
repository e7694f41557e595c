import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { BodyTooLargeError, UnsupportedBodyError } from '#lib/http/errors.ts';
import { maxRows, maxRowsBytes, rowsBody } from '#lib/http/parsers/rows-body.ts';
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
      'body: It has 1001 rows. Send at most 1000 at once.',
    ]);
    expect(outputOf(read('{}\n'.repeat(maxRows)))).toHaveLength(maxRows);
  });

  it('is refused where it has too many bytes, or another type', () => {
    expect(() => read(' '.repeat(maxRowsBytes + 1))).toThrow(BodyTooLargeError);
    for (const type of ['', 'application/json', 'text/plain', 'constructor']) {
      expect(() => read('{}', type)).toThrow(UnsupportedBodyError);
    }
    expect(() => read('{}', 'Application/X-NDJSON; charset=utf-8')).not.toThrow();
  });
});
