import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { readHeaders } from '#lib/http/parsers/read-request.ts';
import type { FieldsSchema } from '#lib/http/parsers/reading.ts';

const digits = v.pipe(v.string(), v.regex(/^[0-9]+$/, 'Digits are needed.'));

const fields = v.object({ 'x-least-size': digits, 'x-most-size': digits });

function read(least: string, most: string, schema: FieldsSchema = fields) {
  const headers = { 'x-least-size': least, 'x-most-size': most, host: 'a' };
  return readHeaders(schema, { headers });
}

describe('readHeaders', () => {
  it('reads the headers that it knows', () => {
    expect(read('1', '2')).toEqual({ output: { 'x-least-size': '1', 'x-most-size': '2' } });
  });

  it('names a header as people write it', () => {
    const message = 'Digits are needed.';
    expect(read('x', 'y')).toEqual({
      problems: [
        { location: 'header', name: 'X-Least-Size', message },
        { location: 'header', name: 'X-Most-Size', message },
      ],
    });
  });

  it('says it of the headers together where no single one is wrong', () => {
    const message = 'The least is more than the most.';
    const ordered = v.pipe(
      fields,
      v.check((sizes) => Number(sizes['x-least-size']) <= Number(sizes['x-most-size']), message),
    );
    expect(read('1', '1', ordered)).toHaveProperty('output');
    expect(read('2', '1', ordered)).toEqual({
      problems: [{ location: 'header', name: 'headers', message }],
    });
  });
});
