import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { BodyTooLargeError, UnsupportedBodyError } from '#lib/http/errors.ts';
import { jsonBody, maxJsonBytes } from '#lib/http/parsers/bodies/json-body.ts';
import { apiEvent } from '#test/fixtures/api-event.ts';
import { outputOf, problemsOf } from '#test/fixtures/problems-of.ts';

const kind = jsonBody(
  v.object({
    name: v.string('It must be text.'),
    size: v.optional(v.number('It must be a number.'), 1),
  }),
);

function eventOf(text: string | Buffer | undefined, contentType?: string) {
  return apiEvent({
    path: '/',
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    ...(text !== undefined && { body: Buffer.from(text) }),
  });
}

const parse = (text: string | Buffer | undefined, contentType?: string) =>
  outputOf(kind.read(eventOf(text, contentType)));

const wrong = (name: string, message: string) => ({ location: 'body', name, message });
const unknown = 'Unknown field. Known fields: name, size.';

describe('a body of JSON', () => {
  it.each([
    undefined,
    '',
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json ; charset=utf-8',
    ' application/json ',
  ])('of the type %j is read', (type) => {
    expect(parse('{"name":"ä"}', type)).toEqual({ name: 'ä', size: 1 });
  });

  it('is refused where it is packed, and not unpacked', () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const event = apiEvent({ path: '/', headers, body: Buffer.from('{"name":"a"}') });
    expect(() => kind.read(event)).toThrow(
      "The content encoding 'gzip' is not supported here. Send the bytes as they are.",
    );
  });

  it('is read where the gateway hands it on as text', () => {
    const event = { ...eventOf(undefined), body: '{"name":"ä"}', isBase64Encoded: false };
    expect(outputOf(kind.read(event))).toEqual({ name: 'ä', size: 1 });
  });

  it.each([
    'text/plain',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
  ])('of the type %s is refused', (type) => {
    expect(() => parse('{"name":"a"}', type)).toThrow(UnsupportedBodyError);
  });

  it.each([
    { body: undefined, problem: wrong('body', 'It is not valid JSON.') },
    { body: '{"name":', problem: wrong('body', 'It is not valid JSON.') },
    { body: "{'name':'a'}", problem: wrong('body', 'It is not valid JSON.') },
    {
      body: Buffer.from('7b226e616d65223a22ff227d', 'hex'),
      problem: wrong('body', 'It is not valid JSON.'),
    },
    { body: '[]', problem: wrong('body', 'It must be a JSON object.') },
    { body: 'null', problem: wrong('body', 'It must be a JSON object.') },
    { body: '"text"', problem: wrong('body', 'It must be a JSON object.') },
    { body: '{}', problem: wrong('name', 'This field is required.') },
    { body: '{"name":null}', problem: wrong('name', 'It must be text.') },
    { body: '{"name":"a","size":"1"}', problem: wrong('size', 'It must be a number.') },
    { body: '{"name":"a","Name":1}', problem: wrong('Name', unknown) },
    { body: '{"name":"a","__proto__":1}', problem: wrong('__proto__', unknown) },
    { body: '{"name":"a","toString":1}', problem: wrong('toString', unknown) },
  ])('is refused where it is $body', ({ body, problem }) => {
    expect(problemsOf(() => parse(body))).toEqual([problem]);
  });

  it('is refused with all that is wrong in it', () => {
    expect(problemsOf(() => parse('{"a":1,"size":"1"}'))).toEqual([
      wrong('a', unknown),
      wrong('name', 'This field is required.'),
      wrong('size', 'It must be a number.'),
    ]);
  });

  it('is refused where a field of an object within it is missing', () => {
    const nested = jsonBody(v.object({ inner: v.object({ name: v.string() }) }));
    expect(nested.read(eventOf('{"inner":{}}'))).toEqual({
      problems: [wrong('inner.name', 'This field is required.')],
    });
  });

  it('names no more than the beginning of a field that has no end', () => {
    const [problem] = problemsOf(() => parse(JSON.stringify({ name: 'a', ['x'.repeat(5000)]: 1 })));
    expect(problem).toEqual(wrong('x'.repeat(100), unknown));
  });

  it('has at most so many bytes', () => {
    const frame = '{"name":""}'.length;
    const longest = (more: number) =>
      JSON.stringify({ name: 'a'.repeat(maxJsonBytes - frame + more) });
    expect(parse(longest(0))).toMatchObject({ size: 1 });
    expect(() => parse(longest(1))).toThrow(BodyTooLargeError);
  });
});
