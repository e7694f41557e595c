import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { routeNames, routes } from '#functions/routes.ts';
import { TableUnavailableError } from '#lib/table/errors.ts';
import { anyHandler, handlerOf } from '#test/fixtures/any-handler.ts';
import { apiEvent, lambdaContext } from '#test/fixtures/api-event.ts';
import { asUser, call } from '#test/fixtures/call.ts';
import { captureLog } from '#test/fixtures/captured-log.ts';
import { listPathForms } from '#test/fixtures/path-forms.ts';
import { internalError, problem, readResponse, unauthorized } from '#test/fixtures/responses.ts';
import { hpcOne } from '#test/fixtures/samples.ts';
import { mockStorage } from '#test/fixtures/storage-mock.ts';
import { submission } from '#test/fixtures/submissions.ts';
import { mockTable } from '#test/fixtures/table-mock.ts';

const table = mockTable();
mockStorage();

beforeEach(() => {
  table.reset();
  vi.unstubAllEnvs();
});

const problemType = { accept: 'application/problem+json' };

describe('an error', () => {
  it.each([
    { accept: undefined, type: 'application/json' },
    { accept: '*/*', type: 'application/json' },
    { accept: 'application/json', type: 'application/json' },
    { accept: 'application/problem+json', type: 'application/problem+json' },
    {
      accept: 'application/json, application/problem+json;q=0.9',
      type: 'application/problem+json',
    },
  ])('is sent as $type to a client that accepts $accept', async ({ accept, type }) => {
    const headers = accept === undefined ? {} : { accept };
    const response = await call(anyHandler, { path: '/jobs/', headers });
    expect(readResponse(response)).toEqual({
      ...unauthorized,
      headers: { ...unauthorized.headers, 'content-type': type },
    });
  });

  it('does not change the type of what is no error', async () => {
    table.on(BatchGetCommand).resolves({ Responses: {} });
    const headers = { ...asUser(), ...problemType };
    const response = await call(anyHandler, { path: '/hpc/', headers });
    expect(response.headers?.['content-type']).toBe('application/json');
  });
});

describe('security headers', () => {
  const expected = {
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };

  it.each([
    { status: 200, request: () => ({ path: '/hpc/', headers: asUser() }) },
    { status: 201, request: () => submission(hpcOne) },
    { status: 400, request: () => submission(hpcOne, { payload: '[]' }) },
    { status: 401, request: () => ({ path: '/hpc/' }) },
    { status: 403, request: () => ({ path: '/admin/quotas/1/', headers: asUser() }) },
    { status: 404, request: () => ({ path: '/nothing/' }) },
    { status: 405, request: () => ({ path: '/hpc/', method: 'PUT' }) },
    { status: 500, request: () => ({ path: '/quotas/', headers: asUser() }) },
    {
      status: 503,
      request: () => ({ path: '/quotas/hpc_one/proj_hpc_one_01/', headers: asUser() }),
    },
  ])('are on $status', async ({ status, request }) => {
    table.on(UpdateCommand).resolves({ Attributes: { value: 80 } });
    table.on(TransactWriteCommand).resolves({});
    table.on(BatchGetCommand).resolves({ Responses: {} });
    table.on(QueryCommand).rejects(new Error('down'));
    table.on(GetCommand).callsFake(() => Promise.reject(new TableUnavailableError()));
    const response = await call(anyHandler, request());
    expect(response.statusCode).toBe(status);
    expect(response.headers).toMatchObject(expected);
  });
});

describe('a failure of the table', () => {
  const failure = Object.assign(new Error('User: arn:aws:sts::123:role is not authorized'), {
    name: 'AccessDeniedException',
    $metadata: { httpStatusCode: 400, requestId: 'DYNAMO-REQUEST' },
  });

  it.each([
    { name: 'read-jobs', request: () => ({ path: '/jobs/', headers: asUser() }) },
    { name: 'read-quotas', request: () => ({ path: '/quotas/', headers: asUser() }) },
    { name: 'submit-job', request: () => submission(hpcOne) },
  ] as const)('becomes a 500 of $name that shows nothing of it', async ({ name, request }) => {
    table.onAnyCommand().rejects(failure);
    const response = await call(handlerOf(name), request());
    expect(readResponse(response)).toEqual(internalError);
  });
});

describe('a request that takes too long', () => {
  const leftMs = 10_000;
  const tooLate = problem({
    status: 503,
    slug: 'timeout',
    title: 'The request took too long',
    detail: expect.stringContaining('may have taken effect'),
    headers: { 'retry-after': '1' },
  });

  beforeEach(() => {
    // Only what waits for the table waits by this clock.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return () => vi.useRealTimers();
  });

  it.each([
    { waiting: 'the handler', path: '/jobs/' },
    { waiting: 'the project of its path', path: '/quotas/hpc_one/opened_in_autumn/' },
  ])('answers 503 half a second before Lambda ends $waiting', async ({ path }) => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    table.onAnyCommand().callsFake(() => {
      resolve();
      return new Promise(() => undefined);
    });
    let answered = false;
    const context = { ...lambdaContext, getRemainingTimeInMillis: () => leftMs };
    const answer = anyHandler(apiEvent({ path, headers: asUser() }), context).finally(() => {
      answered = true;
    });
    await asked;
    await vi.advanceTimersByTimeAsync(leftMs - 501);
    expect(answered).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(readResponse(await answer)).toEqual(tooLate);
  });
});

describe('an identity provider that cannot be reached', () => {
  it.each(routeNames.filter((name) => routes[name].access !== 'public'))(
    'makes %s answer 503 and not 401',
    async (name) => {
      captureLog();
      vi.stubEnv('JWKS', undefined);
      vi.stubEnv('JWKS_URI', 'https://127.0.0.1:1/jwks.json');
      vi.resetModules();
      const { loadRoute } = await import('#local/load-handlers.ts');
      const { method, paths } = routes[name];
      const [path = ''] = listPathForms(paths);
      const request = { method, path, headers: asUser() };
      expect(readResponse(await call(await loadRoute(name), request))).toEqual(
        problem({
          status: 503,
          slug: 'identity-unavailable',
          title: 'Tokens cannot be checked',
          detail:
            'The identity provider cannot be reached, so tokens cannot be checked. Try again later.',
          headers: { 'retry-after': '10' },
        }),
      );
      expect(table.calls()).toHaveLength(0);
    },
  );
});
