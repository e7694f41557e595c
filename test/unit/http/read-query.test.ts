import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { noQuery, readQuery } from '#lib/http/parsers/read-request.ts';
import { outputOf, problemsOf } from '#test/fixtures/problems-of.ts';

const Schema = v.object({
  size: v.optional(v.pipe(v.string(), v.regex(/^[0-9]+$/, 'A number is needed.'))),
  word: v.optional(v.string(), 'none'),
});

function read(query: string) {
  return outputOf(readQuery(Schema, { rawQueryString: query }));
}

const unknown = 'Unknown parameter. Known parameters: size, word.';

describe('readQuery', () => {
  it.each([
    { query: '', expected: { word: 'none' } },
    { query: 'size=5', expected: { size: '5', word: 'none' } },
    { query: 'word=a+b%20c%26&size=1', expected: { size: '1', word: 'a b c&' } },
    { query: 'word=', expected: { word: '' } },
    { query: 'word', expected: { word: '' } },
    { query: 'word=%E7%B4%B0', expected: { word: '細' } },
  ])('reads $query', ({ query, expected }) => {
    expect(read(query)).toEqual(expected);
  });

  it.each(['colour', '__proto__', 'constructor', 'Size', ''])('refuses the unknown %j', (name) => {
    expect(problemsOf(() => read(`${name}=1`))).toEqual([
      { location: 'query', name, message: unknown },
    ]);
  });

  it('refuses a parameter that is given twice, once', () => {
    expect(problemsOf(() => read('word=a&word=a&word=b'))).toEqual([
      { location: 'query', name: 'word', message: 'It is given twice. Send it once.' },
    ]);
  });

  it('reports all problems at once', () => {
    expect(problemsOf(() => read('a=1&size=x&b=2&word=1&word=2'))).toEqual([
      { location: 'query', name: 'a', message: unknown },
      { location: 'query', name: 'b', message: unknown },
      { location: 'query', name: 'word', message: 'It is given twice. Send it once.' },
      { location: 'query', name: 'size', message: 'A number is needed.' },
    ]);
  });
});

describe('a query', () => {
  it('may be one without parameters', () => {
    expect(readQuery(noQuery, { rawQueryString: '' })).toEqual({ output: {} });
    expect(readQuery(noQuery, { rawQueryString: 'a=1' })).toEqual({
      problems: [{ location: 'query', name: 'a', message: 'This path takes no parameters.' }],
    });
  });
});
