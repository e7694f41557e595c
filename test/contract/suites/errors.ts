import { describe, expect, it } from 'vitest';
import { ask, askRaw, bearer } from '../ask.ts';
import { missingPaths, wrongMethods } from '../cases/missing.ts';
import { bothForms } from '../cases/reads.ts';
import { expectProblem } from '../shapes.ts';
import { submit } from '../submit.ts';
import type { Target } from '../target.ts';

/** Interface 7 leaves the body of errors open; design 2, Errors, decides it. */
export function errorsSuite(target: Target): void {
  describe('errors', () => {
    const { token } = target.account();
    const authorization = Object.entries(bearer(token)).flat();

    it.each(bothForms(missingPaths))('4 GET $path is 404: $why', async ({ path }) => {
      expectProblem(await askRaw(target, { path, headers: authorization }), 404);
    });

    it('7 404 at an unknown path needs no token', async () => {
      expectProblem(await ask(target, { path: '/nothing/' }), 404);
    });

    it.each(bothForms(wrongMethods))('4 $method $path is 405', async ({ method, path, allow }) => {
      const answer = await ask(target, { method, path, token });
      expect(expectProblem(answer, 405).type).toBe('urn:slipway:problem:method-not-allowed');
      const allowed = answer.headers.get('allow')?.split(', ');
      expect(allowed).toEqual(expect.arrayContaining([...allow]));
      expect(allowed).not.toContain(method);
    });

    it('7 a problem has these members and no others', async () => {
      const { json } = await ask(target, { path: '/jobs/hpc_three/', token });
      expect(json).toEqual({
        type: 'urn:slipway:problem:system-not-found',
        title: expect.any(String),
        status: 404,
        detail: expect.stringContaining('hpc_three'),
        instance: expect.any(String),
      });
    });

    it('7 a problem with fields has errors beside them', async () => {
      const { json } = await submit(target, { token }, { fields: { runtime: '2,0' } });
      expect(json).toEqual({
        type: 'urn:slipway:problem:invalid-request',
        title: expect.any(String),
        status: 400,
        detail: expect.stringContaining('runtime'),
        instance: expect.any(String),
        errors: [{ location: 'payload', name: 'runtime', message: expect.any(String) }],
      });
    });

    it('7 every problem has an instance of its own', async () => {
      const path = '/jobs/hpc_three/';
      const first = expectProblem(await ask(target, { path, token }), 404);
      const second = expectProblem(await ask(target, { path, token }), 404);
      expect(first.instance).not.toBe(second.instance);
    });

    it.each([
      ['application/problem+json', 'application/problem+json'],
      ['application/problem+json, application/json;q=0.5', 'application/problem+json'],
      ['application/json, application/problem+json', 'application/problem+json'],
      ['Application/Problem+JSON', 'application/problem+json'],
      ['application/json', 'application/json'],
      ['*/*', 'application/json'],
      ['text/html', 'application/json'],
      ['', 'application/json'],
    ])('7 a problem for Accept: %s is %s', async (accept, type) => {
      const headers = ['Accept', accept, ...authorization];
      const answer = await askRaw(target, { path: '/jobs/hpc_three/', headers });
      expect(answer.headers.get('content-type')).toBe(type);
      expect(answer.json).toMatchObject({ status: 404 });
    });

    it('4.1 an answer that is no problem is application/json whatever Accept says', async () => {
      const headers = ['Accept', 'application/problem+json', ...authorization];
      const answer = await askRaw(target, { path: '/jobs/', headers });
      expect(answer.headers.get('content-type')).toBe('application/json');
    });
  });
}
