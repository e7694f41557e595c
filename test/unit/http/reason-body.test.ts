import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '#lib/http/errors.ts';
import { reasonAnywhere } from '#lib/http/parsers/bodies/json-body.ts';
import { readRequest } from '#lib/http/parsers/read-request.ts';
import { apiEvent } from '#test/fixtures/api-event.ts';

function read(query: string, body?: string) {
  const event = apiEvent({
    method: 'DELETE',
    path: '/',
    query,
    ...(body !== undefined && { body: Buffer.from(body) }),
  });
  return readRequest(reasonAnywhere, {}, event).then(({ body: { reason } }) => reason);
}

async function problemsOf(reading: Promise<unknown>) {
  const error = await reading.catch((thrown: unknown) => thrown);
  if (!(error instanceof InvalidRequestError)) throw new Error('It was not refused.');
  return error.problems.map(({ location, name, message }) => `${location} ${name}: ${message}`);
}

const needed = 'It is required: say why, with ?reason=... or with JSON in the body.';
const empty = 'It must not be empty: say why.';

describe('the reason of a DELETE', () => {
  it('is in the query or in the body, and trimmed', async () => {
    expect(await read('reason=+a+course+')).toBe('a course');
    expect(await read('', '{"reason":" a course "}')).toBe('a course');
  });

  it.each(['\u202a', '\u202e', '\u2066', '\u2069'])(
    'refuses marks that change the writing direction: %j',
    async (mark) => {
      const query = new URLSearchParams({ reason: `approved ${mark}deinilced` }).toString();
      expect(await problemsOf(read(query))).toEqual([
        'query reason: It must not contain control characters, marks that change the writing direction, or broken Unicode.',
      ]);
    },
  );

  it('may be in any script, with the marks that its keyboards type', async () => {
    const arabic = 'دورة\u200f 2027';
    expect(await read(new URLSearchParams({ reason: arabic }).toString())).toBe(arabic);
  });

  it.each([
    { what: 'none', query: '', body: undefined, problems: [`query reason: ${needed}`] },
    {
      what: 'an empty one',
      query: 'reason=',
      body: undefined,
      problems: [`query reason: ${empty}`],
    },
    {
      what: 'an empty one in the body',
      query: '',
      body: '{"reason":" "}',
      problems: [`body reason: ${empty}`],
    },
    {
      what: 'no field of it',
      query: '',
      body: '{}',
      problems: ['body reason: This field is required.'],
    },
    {
      what: 'two',
      query: 'reason=a',
      body: '{"reason":"a"}',
      problems: ['query reason: It is given twice, here and in the body. Send only one.'],
    },
    {
      what: 'one twice in the query',
      query: 'reason=a&reason=b',
      body: undefined,
      problems: ['query reason: It is given twice. Send it once.'],
    },
    {
      what: 'none, and another parameter',
      query: 'why=a',
      body: undefined,
      problems: [
        'query why: Unknown parameter. Known parameters: reason.',
        `query reason: ${needed}`,
      ],
    },
  ])('is refused where there is $what', async ({ query, body, problems }) => {
    expect(await problemsOf(read(query, body))).toEqual(problems);
  });

  it.each(['a%00b', 'a%0Ab', 'a%C2%85b'])('holds no control characters: %s', async (text) => {
    expect(await problemsOf(read(`reason=${text}`))).toHaveLength(1);
  });

  it('holds no broken Unicode', async () => {
    expect(await problemsOf(read('', '{"reason":"a\\ud800b"}'))).toHaveLength(1);
  });

  it('has 500 characters at most, wherever it is', async () => {
    const longest = 'é'.repeat(500);
    expect(await read(`reason=${encodeURIComponent(longest)}`)).toBe(longest);
    expect(await problemsOf(read(`reason=${encodeURIComponent(longest)}x`))).toEqual([
      'query reason: It must have at most 500 characters.',
    ]);
  });
});
