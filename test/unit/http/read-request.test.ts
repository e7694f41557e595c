import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type FieldProblem, InvalidRequestError } from '#lib/http/errors.ts';
import { jsonBody } from '#lib/http/parsers/bodies/json-body.ts';
import { type Declaration, readRequest } from '#lib/http/parsers/read-request.ts';
import type { BodyKind } from '#lib/http/parsers/reading.ts';
import type { PathOf } from '#lib/http/routes/route.ts';
import { apiEvent } from '#test/fixtures/api-event.ts';
import { jobId } from '#test/fixtures/names.ts';

const digits = v.pipe(v.string(), v.regex(/^[0-9]+$/, 'Digits are needed.'));

const declaration = {
  headers: v.object({ 'x-size': v.optional(digits) }),
  query: v.object({ size: v.optional(digits) }),
  body: jsonBody(v.object({ size: v.optional(v.number('A number is needed.')) })),
};

function request(header: string, query: string, body: string) {
  const headers = { 'x-size': header };
  return apiEvent({ method: 'PUT', path: '/', headers, query, body: Buffer.from(body) });
}

async function faultsOf(reading: Promise<unknown>): Promise<string[]> {
  const error = await reading.catch((thrown: unknown) => thrown);
  if (!(error instanceof InvalidRequestError)) throw new Error('It was not refused.');
  return error.problems.map(({ location, name }) => `${location} ${name}`);
}

describe('readRequest', () => {
  it('reads the parts that are declared', async () => {
    const parts = await readRequest(declaration, {}, request('1', 'size=2', '{"size":3}'));
    expect(parts).toEqual({
      headers: { 'x-size': '1' },
      query: { size: '2' },
      body: { size: 3 },
    });
  });

  it('reports what is wrong with all of them at once: headers, query, body', async () => {
    const { headers, query, body } = declaration;
    const wrong = request('x', 'colour=1&size=x', '{"colour":1,"size":"x"}');
    const faults = ['header X-Size', 'query colour', 'query size', 'body colour', 'body size'];
    expect(await faultsOf(readRequest({ headers, query, body }, {}, wrong))).toEqual(faults);
    expect(await faultsOf(readRequest({ body, query, headers }, {}, wrong))).toEqual(faults);
  });

  it('keeps that order where the body finds what is wrong with another part', async () => {
    const locations: FieldProblem['location'][] = ['body', 'query', 'payload', 'header'];
    const body: BodyKind<never> = {
      read: async () => ({
        problems: locations.map((location) => ({ location, name: 'late', message: 'Wrong.' })),
      }),
    };
    const wrong = request('x', 'size=x', '');
    expect(await faultsOf(readRequest({ ...declaration, body }, {}, wrong))).toEqual([
      'header X-Size',
      'payload late',
      'header late',
      'query size',
      'query late',
      'body late',
    ]);
  });

  it('looks at no header and no body that is not declared, and takes no parameters', async () => {
    const rich = request('x', '', 'no JSON');
    expect(await readRequest({}, {}, rich)).toEqual({ query: {} });
    expect(await faultsOf(readRequest({}, {}, request('x', 'size=1', '')))).toEqual(['query size']);
  });

  it('takes any parameters where they are ignored', async () => {
    const ignoring = { query: 'ignored' } as const;
    expect(await readRequest(ignoring, {}, request('', 'a=1&a=2&__proto__=1', ''))).toEqual({});
  });

  it('hands nothing to an operation that declares a part nobody reads', async () => {
    const odd = { ...declaration, cookies: v.object({}) };
    await expect(readRequest(odd, {}, request('1', '', '{}'))).rejects.toThrow('cookies');
  });

  it('asks the path for parts that depend on it', async () => {
    const path: PathOf<'/{job_id}/'> = { job_id: jobId('SIZE') };
    const named: Declaration<'/{job_id}/'> = {
      query: ({ job_id }) => v.object({ [job_id]: digits }),
    };
    const read = readRequest<'/{job_id}/', typeof named>;
    expect(await read(named, path, request('', 'SIZE=1', ''))).toEqual({ query: { SIZE: '1' } });
    expect(await faultsOf(read(named, path, request('', '', '')))).toEqual(['query SIZE']);
  });
});
