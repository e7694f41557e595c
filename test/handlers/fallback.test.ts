import { describe, expect, it } from 'vitest';
import { bareRouteNames, routeNames, routes } from '#functions/routes.ts';
import { gatewayKeys } from '#lib/http/routes/gateway-keys.ts';
import { matchOperation } from '#lib/http/routes/route.ts';
import { fallback as handler, handlerOf } from '../fixtures/any-handler.ts';
import { apiEvent, lambdaContext } from '../fixtures/api-event.ts';
import { asAdministrator, asUser, call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { listPathForms } from '../fixtures/path-forms.ts';
import {
  answer,
  methodNotAllowed,
  pathNotFound,
  readResponse,
  unauthorized,
} from '../fixtures/responses.ts';
import { hpcOne, jobBody, jobItem, user } from '../fixtures/samples.ts';

const table = useTable();

describe('$default', () => {
  it.each([
    '/jobs',
    '/jobs/hpc_one/proj_hpc_one_01',
    '/quotas',
    '/admin/quotas',
    '/admin/quotas/306328/hpc_one',
    '/admin/audit',
    '/webhooks',
    '/hpc',
    '/projects/hpc_two',
    '/status',
  ])(
    'dispatches GET %s, with the slash and without it, to one and the same handler',
    async (path) => {
      const headers = asAdministrator();
      const [bare, slashed] = await Promise.all([
        call(handler, { path, headers }),
        call(handler, { path: `${path}/`, headers }),
      ]);
      expect(bare.statusCode).toBe(200);
      expect(slashed).toEqual(bare);
    },
  );

  it('dispatches one job', async () => {
    await table.hold(jobItem(hpcOne));
    const path = `/jobs/hpc_one/proj_hpc_one_01/${hpcOne.jobId}/`;
    const response = await call(handler, { path, headers: asUser() });
    expect(readResponse(response)).toEqual(answer(200, jobBody(hpcOne)));
  });

  it('asks for the token as the handlers themselves do', async () => {
    const response = await call(handler, { path: '/jobs/' });
    expect(readResponse(response)).toEqual(unauthorized);
    expect(table.sent()).toEqual([]);
  });

  it('serves each route that a gateway may miss for its slash, and refuses the rest', async () => {
    for (const name of routeNames) {
      const { method, access } = routes[name];
      const [base = ''] = gatewayKeys(routes[name]).map((key) => `${beginningOf(key)}/`);
      const [first = ''] = listPathForms(routes[name].paths);
      const isBare = bareRouteNames.includes(name);
      const response = await call(handler, { method, path: isBare ? base : first });
      expect([name, isBare]).toEqual([name, matchOperation(routes[name], base) !== undefined]);
      const served = access === 'public' ? 200 : 401;
      expect([name, response.statusCode]).toEqual([name, isBare ? served : 405]);
    }
  });

  it.each([
    { method: 'PUT', path: '/jobs/hpc_one/', allowed: 'GET, HEAD, POST' },
    { method: 'PATCH', path: '/jobs/hpc_one/proj_hpc_one_01/', allowed: 'GET, HEAD, POST' },
    { method: 'POST', path: '/jobs/', allowed: 'GET, HEAD' },
    { method: 'POST', path: '/jobs', allowed: 'GET, HEAD' },
    { method: 'DELETE', path: '/quotas/', allowed: 'GET, HEAD' },
    { method: 'POST', path: `/admin/quotas/${user}/`, allowed: 'GET, HEAD' },
    { method: 'OPTIONS', path: '/projects/', allowed: 'GET, HEAD' },
    { method: 'get', path: '/status/', allowed: 'GET, HEAD' },
  ])('answers 405 to $method $path, with Allow', async ({ method, path, allowed }) => {
    const response = await call(handler, { method, path, headers: asUser() });
    expect(readResponse(response)).toEqual(methodNotAllowed(method, allowed));
    expect(table.sent()).toEqual([]);
  });

  it.each([
    '/',
    '',
    '/nothing/',
    '/jobs//',
    '/Jobs/',
    '/admin/',
    '/admin/nothing/',
    '/jobs/a/b/c/d/e/',
  ])('answers 404 to %j', async (path) => {
    const response = await call(handler, { path, headers: asUser() });
    expect(readResponse(response)).toEqual(pathNotFound);
    expect(table.sent()).toEqual([]);
  });
});

/** The path of a key without what makes it greedy. */
function beginningOf(key: string): string {
  return key.replace(/^\w+ /, '').replace('/{proxy+}', '');
}

describe('each function called with what is not its own', () => {
  it.each(routeNames)('%s answers 404 to another path and 405 to another method', async (name) => {
    const elsewhere = await call(handlerOf(name), { method: routes[name].method, path: '/x/' });
    expect(readResponse(elsewhere)).toEqual(pathNotFound);
    const put = await call(handlerOf(name), { method: 'PUT', path: '/hpc/' });
    expect(readResponse(put)).toEqual(methodNotAllowed('PUT', 'GET, HEAD'));
    expect(table.sent()).toEqual([]);
  });
});

describe('the address of the service itself', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  it('leads a browser to the reference', async () => {
    // It is no operation of the API, so no answer of it is declared.
    const event = apiEvent({ method: 'GET', path: '/', headers: { accept: browser } });
    const response = await handler(event, { ...lambdaContext });
    expect(response).toMatchObject({
      statusCode: 303,
      headers: { location: '/docs/', vary: 'accept' },
    });
  });

  it.each(['*/*', 'application/json'])('is refused to whoever accepts %s', async (accept) => {
    const response = await call(handler, { method: 'GET', path: '/', headers: { accept } });
    expect(readResponse(response)).toEqual(pathNotFound);
  });
});
