import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findBreaks, listUnannounced } from '#tools/description/find-breaks.ts';

type Json = Record<string, unknown>;

/** A description of one operation; the changes are put over its parts. */
function describeThings(operation: Json = {}, thing: Json = {}, components: Json = {}): Json {
  return {
    paths: {
      '/things/{id}': {
        put: {
          operationId: 'putThing',
          security: [],
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
            { name: 'Payload', in: 'header', content: json({ type: 'object', properties: {} }) },
          ],
          requestBody: { required: false, content: json(sent()) },
          responses: { 200: { content: json({ $ref: '#/components/schemas/Thing' }) }, 201: {} },
          ...operation,
        },
      },
    },
    components: {
      schemas: {
        Thing: {
          type: 'object',
          properties: { title: { type: 'string' }, length: { type: 'integer', minimum: 0 } },
          required: ['title'],
          additionalProperties: false,
          ...thing,
        },
        Problem: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
        ...components,
      },
    },
  };
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

function sent(properties: Json = {}, more: Json = {}): Json {
  return {
    type: 'object',
    properties: {
      reason: { type: 'string', maxLength: 500 },
      kind: { enum: ['a', 'b'] },
      amount: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      ...properties,
    },
    additionalProperties: false,
    ...more,
  };
}

const withBody = (schema: Json, more: Json = {}) =>
  describeThings({ requestBody: { required: false, content: json(schema), ...more } });

const withAnswer = (schema: Json) =>
  describeThings({ responses: { 200: { content: json(schema) }, 201: {} } });

const withParameters = (...parameters: Json[]) => describeThings({ parameters });

const [id, limit, payload] = Object.values(
  Object(describeThings()).paths['/things/{id}'].put.parameters as Json[],
);

const thing = { title: { type: 'string' }, length: { type: 'integer', minimum: 0 } };

const before = describeThings();

describe('a change that breaks clients', () => {
  it.each<{ change: string; after: Json; found: string }>([
    {
      change: 'an operation is gone',
      after: { paths: {} },
      found: 'putThing: PUT /things/{} is gone',
    },
    {
      change: 'it needs a token',
      after: describeThings({ security: [{ token: [] }] }),
      found: 'putThing: needs a token',
    },
    {
      change: 'a parameter is gone',
      after: withParameters(id!, payload!),
      found: 'putThing ?limit: is gone',
    },
    {
      change: 'a parameter must be there',
      after: withParameters(id!, { ...limit, required: true }, payload!),
      found: 'putThing ?limit: must be sent',
    },
    {
      change: 'a new parameter must be there',
      after: withParameters(id!, limit!, payload!, { name: 'Key', in: 'header', required: true }),
      found: 'putThing Key: must be sent',
    },
    {
      change: 'a parameter has a tighter bound',
      after: withParameters(id!, { ...limit, schema: { type: 'integer', maximum: 50 } }, payload!),
      found: 'putThing ?limit: `maximum` was 100 and is 50',
    },
    {
      change: 'a part of the path takes less',
      after: withParameters({ ...id, schema: { type: 'string', pattern: '^a' } }, limit!, payload!),
      found: 'putThing part 1 of the path: `pattern` was not there and is ^a',
    },
    {
      change: 'a header of JSON needs a field',
      after: withParameters(id!, limit!, {
        ...payload,
        content: json({ type: 'object', properties: { a: {} }, required: ['a'] }),
      }),
      found: 'putThing Payload.a: must be sent',
    },
    {
      change: 'a header of text that holds JSON needs a field',
      after: withParameters(id!, limit!, {
        ...{ name: 'Payload', in: 'header' },
        schema: {
          type: 'string',
          contentSchema: { type: 'object', properties: { a: {} }, required: ['a'] },
        },
      }),
      found: 'putThing Payload.a: must be sent',
    },
    {
      change: 'the body must be there',
      after: withBody(sent(), { required: true }),
      found: 'putThing body: must be sent',
    },
    {
      change: 'a type of body is gone',
      after: withBody(sent(), { content: { 'text/csv': {} } }),
      found: 'putThing body: as application/json is gone',
    },
    {
      change: 'a field must be sent',
      after: withBody(sent({}, { required: ['reason'] })),
      found: 'putThing body.reason: must be sent',
    },
    {
      change: 'a new field must be sent',
      after: withBody(sent({ size: { type: 'number' } }, { required: ['size'] })),
      found: 'putThing body.size: must be sent',
    },
    {
      change: 'a field is not taken any more',
      after: withBody({ type: 'object', properties: {}, additionalProperties: false }),
      found: 'putThing body.reason: is gone',
    },
    {
      change: 'a field takes another type',
      after: withBody(sent({ reason: { type: 'number', maxLength: 500 } })),
      found: 'putThing body.reason: does not take string any more',
    },
    {
      change: 'a field takes fewer values',
      after: withBody(sent({ kind: { enum: ['a'] } })),
      found: 'putThing body.kind: does not take b any more',
    },
    {
      change: 'a field takes listed values only',
      after: withBody(sent({ reason: { type: 'string', maxLength: 500, enum: ['x'] } })),
      found: 'putThing body.reason: takes only x',
    },
    {
      change: 'a field takes one form fewer',
      after: withBody(sent({ amount: { type: 'number' } })),
      found: 'putThing body.amount: the form {"type":"string"} is not taken any more',
    },
    {
      change: 'an answer is gone',
      after: describeThings({
        responses: { 200: { content: json({ $ref: '#/components/schemas/Thing' }) } },
      }),
      found: 'putThing 201: is not answered any more',
    },
    {
      change: 'an answer has no such type',
      after: describeThings({ responses: { 200: { content: { 'text/csv': {} } }, 201: {} } }),
      found: 'putThing 200: as application/json is gone',
    },
    {
      change: 'a field of an answer is gone',
      after: describeThings({}, { properties: { title: thing.title } }),
      found: 'Thing.length: is gone',
    },
    {
      change: 'a field of an answer is not always there',
      after: describeThings({}, { required: [] }),
      found: 'Thing.title: is not always there',
    },
    {
      change: 'a field of an answer may be null',
      after: describeThings({}, { properties: { ...thing, title: { type: ['string', 'null'] } } }),
      found: 'Thing.title: may be null',
    },
    {
      change: 'a field of an answer may be broken',
      after: describeThings(
        {},
        { properties: { ...thing, length: { type: 'number', minimum: 0 } } },
      ),
      found: 'Thing.length: may be number',
    },
    {
      change: 'a field of an answer has a wider bound',
      after: describeThings({}, { properties: { ...thing, length: { type: 'integer' } } }),
      found: 'Thing.length: `minimum` was 0 and is not there',
    },
    {
      change: 'an answer is a list',
      after: withAnswer({ type: 'array', items: { $ref: '#/components/schemas/Thing' } }),
      found: 'Thing: may be array',
    },
    {
      change: 'problems have no type',
      after: describeThings({}, {}, { Problem: { type: 'object', properties: {} } }),
      found: 'Problem.type: is gone',
    },
  ])('is found: $change', ({ after, found }) => {
    const breaks = findBreaks(before, after).map(({ name, what }) => `${name}: ${what}`);
    expect(breaks).toContain(found);
  });

  it('is found if other fields are refused or changed', () => {
    const open = (additionalProperties: unknown) =>
      withBody({ type: 'object', properties: {}, additionalProperties });
    expect(findBreaks(open({ type: 'string' }), open(false))).toEqual([
      { name: 'putThing body', what: 'takes no other fields any more' },
    ]);
    expect(findBreaks(open({ type: 'string' }), open({ type: 'number' }))).toEqual([
      { name: 'putThing body[]', what: 'does not take string any more' },
    ]);
  });

  it('is found if answers lose their list of values', () => {
    const words = (schema: Json) => withAnswer({ type: 'string', ...schema });
    expect(findBreaks(words({ enum: ['up'] }), words({}))).toEqual([
      { name: 'putThing 200', what: 'may be another value than those listed' },
    ]);
    expect(findBreaks(words({ enum: ['up'] }), words({ enum: ['up', 'down'] }))).toEqual([]);
  });

  it('is found if a field that was always true may be false', () => {
    const always = (not: Json) => withAnswer({ type: 'boolean', not });
    const constant = withAnswer({ type: 'boolean', const: true });
    expect(findBreaks(constant, always({ const: false }))).toEqual([]);
    expect(findBreaks(always({ const: false }), withAnswer({ type: 'boolean' }))).toEqual([
      { name: 'putThing 200', what: 'may be another value than those listed' },
    ]);
  });

  it('is found if a success has a form that no other success has', () => {
    const answers = (schema: Json) =>
      describeThings({
        responses: { 200: { content: json(schema) }, 201: { content: json({ type: 'number' }) } },
      });
    const text = { type: 'string' };
    const either = (other: string) => answers({ anyOf: [text, { type: other }] });
    expect(findBreaks(answers(text), either('number'))).toEqual([]);
    expect(findBreaks(answers(text), either('boolean'))).toEqual([
      { name: 'putThing 200', what: 'the form {"type":"boolean"} is new or has changed' },
    ]);
  });

  it('is found in the items of a list and in changed forms', () => {
    const list = (items: Json) => withAnswer({ type: 'array', items });
    const either = (...types: string[]) => ({ anyOf: types.map((type) => ({ type })) });
    expect(findBreaks(list({ type: 'string' }), list({ type: 'number' }))).toEqual([
      { name: 'putThing 200[]', what: 'may be number' },
    ]);
    expect(findBreaks(list(either('string')), list(either('string', 'null')))).toEqual([
      { name: 'putThing 200[]', what: 'the form {"type":"null"} is new or has changed' },
    ]);
  });
});

describe('a change that breaks nobody', () => {
  it.each<{ change: string; after: Json }>([
    { change: 'none', after: describeThings() },
    {
      change: 'a new operation',
      after: { ...before, paths: { ...Object(before).paths, '/more': { get: {} } } },
    },
    {
      change: 'another name in the path',
      after: {
        ...before,
        paths: { '/things/{thing_id}': Object(before).paths['/things/{id}'] },
      },
    },
    {
      change: 'a new parameter that may be left out',
      after: withParameters(id!, limit!, payload!, { name: 'order', in: 'query' }),
    },
    {
      change: 'a wider bound of what is sent',
      after: withParameters(id!, { ...limit, schema: { type: 'integer' } }, payload!),
    },
    {
      change: 'a wider type of what is sent',
      after: withParameters(id!, { ...limit, schema: { type: 'number', maximum: 100 } }, payload!),
    },
    {
      change: 'new fields, values and forms of what is sent',
      after: withBody(
        sent({ kind: { enum: ['a', 'b', 'c'] }, size: {}, amount: { type: ['number', 'string'] } }),
      ),
    },
    {
      change: 'a new answer',
      after: describeThings({
        responses: { ...Object(before).paths['/things/{id}'].put.responses, 202: {} },
      }),
    },
    {
      change: 'a new field of an answer',
      after: describeThings(
        {},
        { properties: { ...thing, size: { type: 'number' } }, required: ['title', 'size'] },
      ),
    },
    {
      change: 'a field of an answer that is always there now',
      after: describeThings({}, { required: ['title', 'length'] }),
    },
    {
      change: 'no longer any other type of an answer',
      after: describeThings(
        {},
        { properties: { ...thing, length: { type: 'integer', minimum: 1 } } },
      ),
    },
  ])('is not found: $change', ({ after }) => {
    expect(findBreaks(before, after)).toEqual([]);
  });
});

describe('the changelog', () => {
  const breaks = [
    { name: 'Job.title', what: 'is gone' },
    { name: 'listJobs ?limit', what: 'is gone' },
  ];
  const changelog = `# Changelog

## Unreleased

- **Breaking**: jobs have no title (\`Job.title\`). Use the description.
- \`listJobs ?limit\` is gone.

## 0.1.0

- **Breaking**: \`listJobs ?limit\` is gone.
`;

  it('announces a break if an unreleased line is marked as breaking and names it', () => {
    expect(listUnannounced(breaks, changelog)).toEqual([breaks[1]]);
    expect(listUnannounced(breaks, '')).toEqual(breaks);
  });

  it('announces everything that today’s description breaks for released clients', () => {
    const read = (name: string) =>
      readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
    const found = findBreaks(
      JSON.parse(read('docs/openapi.released.json')),
      JSON.parse(read('docs/openapi.json')),
    );
    // Each is to be named in a line under "Unreleased" of CHANGELOG.md that says **Breaking**.
    expect(listUnannounced(found, read('CHANGELOG.md'))).toEqual([]);
  });
});
