import { beforeEach, describe, expect, it } from 'vitest';
import { type RouteName, routeNames, routes } from '#functions/routes.ts';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { anyHandler, handlerOf } from '../fixtures/any-handler.ts';
import { apiEvent, lambdaContext, type RequestFixture } from '../fixtures/api-event.ts';
import { asAdministrator, call } from '../fixtures/call.ts';
import { listPathForms } from '../fixtures/path-forms.ts';
import { readResponse, unauthorized } from '../fixtures/responses.ts';
import { hpcOne, user } from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { submission } from '../fixtures/submissions.ts';
import { mockTable, sentCommands } from '../fixtures/table-mock.ts';
import { tokenAttacks } from '../fixtures/token-attacks.ts';
import { issuer } from '../setup/function-environment.ts';

const table = mockTable();
mockStorage();

beforeEach(() => {
  table.reset();
  table.onAnyCommand().rejects(new Error('Nothing may be asked of the table.'));
});

/** A request that would be answered, had it a good token. */
function requestTo(name: RouteName, path: string): RequestFixture {
  const { method } = routes[name];
  return method === 'POST' ? submission(hpcOne, { path }) : { method, path };
}

const protectedForms = routeNames
  .filter((name) => routes[name].access !== 'public')
  .flatMap((name) =>
    listPathForms(routes[name].paths).map((path) => ({ name, path, method: routes[name].method })),
  );

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const good = asAdministrator().authorization?.replace('Bearer ', '') ?? '';

const attacks: { name: string; headers: Record<string, string> }[] = [
  ...tokenAttacks(issuer).map(({ name, token }) => ({ name, headers: bearer(token) })),
  { name: 'no header', headers: {} },
  { name: 'an empty header', headers: { authorization: '' } },
  { name: 'a scheme without a token', headers: { authorization: 'Bearer ' } },
  { name: 'the wrong scheme', headers: { authorization: `Basic ${good}` } },
  { name: 'no scheme', headers: { authorization: good } },
  { name: 'two tokens', headers: { authorization: `Bearer ${good} ${good}` } },
  { name: 'two headers, joined', headers: { authorization: `Bearer ${good},Bearer ${good}` } },
  { name: 'the token in another header', headers: { 'x-authorization': `Bearer ${good}` } },
];

async function expectRefusal(handler: ApiHandler, request: RequestFixture) {
  expect(readResponse(await call(handler, request))).toEqual(unauthorized);
}

describe.each(protectedForms)('$method $path', ({ name, path }) => {
  const request = requestTo(name, path);
  const { authorization: _, ...others } = request.headers ?? {};

  it.each(attacks)('answers 401 to $name, and asks nothing of the table', async (attack) => {
    const attacked = { ...request, headers: { ...others, ...attack.headers } };
    await expectRefusal(handlerOf(name), attacked);
    await expectRefusal(anyHandler, attacked);
    expect(sentCommands(table)).toEqual([]);
  });

  it('does not trust what an authorizer of the gateway says', async () => {
    const event = apiEvent({ ...request, headers: others });
    const claims = { sub: user, groups: '[slipway-admin]' };
    const authorizer = { jwt: { claims, scopes: [] }, lambda: { caller: { userId: user } } };
    const requestContext = { ...event.requestContext, authorizer };
    const response = await handlerOf(name)({ ...event, requestContext }, { ...lambdaContext });
    expect(readResponse(response)).toEqual(unauthorized);
  });
});

describe('the generated cases', () => {
  it('reach every route that is not public, in every form', () => {
    expect(protectedForms.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'GET /jobs/',
        'GET /jobs',
        `GET /jobs/hpc_one/proj_hpc_one_01/${hpcOne.jobId}/`,
        'POST /jobs/hpc_one/',
        'POST /jobs/hpc_one/proj_hpc_one_01',
        `DELETE /jobs/hpc_one/proj_hpc_one_01/${hpcOne.jobId}`,
        'GET /quotas/hpc_one/proj_hpc_one_01/',
        `GET /admin/quotas/${user}/`,
        `GET /admin/quotas/${user}/hpc_one/proj_hpc_one_01`,
        'GET /hpc/',
        'GET /projects/hpc_one/proj_hpc_one_01/',
      ]),
    );
    const publicRoutes = routeNames.filter((name) => routes[name].access === 'public');
    expect(publicRoutes).toEqual(['read-status']);
  });

  it.each(protectedForms)('$method $path lets a good token through', async ({ name, path }) => {
    const request = requestTo(name, path);
    const headers = { ...request.headers, ...asAdministrator() };
    table.onAnyCommand().resolves({ Items: [], Attributes: { value: 80 } });
    const response = await call(handlerOf(name), { ...request, headers });
    // Whatever is wrong with a request is looked at after its token.
    expect([200, 201, 400, 404, 415]).toContain(response.statusCode);
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('takes the scheme as %s', async (scheme) => {
    const headers = { authorization: `${scheme} ${good}` };
    const response = await call(handlerOf('list-systems'), { path: '/hpc/', headers });
    expect(response.statusCode).toBe(200);
  });
});
