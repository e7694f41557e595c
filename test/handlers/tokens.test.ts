import { beforeEach, describe, expect, it } from 'vitest';
import { type RouteName, routeNames, routes } from '#functions/routes.ts';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { anyHandler, handlerOf } from '../fixtures/any-handler.ts';
import { apiEvent, lambdaContext, type RequestFixture } from '../fixtures/api-event.ts';
import { asAdministrator, call } from '../fixtures/call.ts';
import { listPathForms } from '../fixtures/path-forms.ts';
import { readResponse, unauthorized } from '../fixtures/responses.ts';
import { administrator, hpcOne, user } from '../fixtures/samples.ts';
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

const protectedRoutes = routeNames
  .filter((name) => routes[name].access !== 'public')
  .map((name) => ({ name, forms: listPathForms(routes[name].paths), method: routes[name].method }));
const protectedForms = protectedRoutes.flatMap(({ name, forms, method }) =>
  forms.map((path) => ({ name, path, method })),
);

const goodToken = () => issuer.issueToken({ user: administrator, administrator: true });
const withGood = (write: (good: string) => string) => () => ({ authorization: write(goodToken()) });

const attacks: { name: string; makeHeaders(): Record<string, string> }[] = [
  ...tokenAttacks(issuer).map(({ name, makeToken }) => ({
    name,
    makeHeaders: () => ({ authorization: `Bearer ${makeToken()}` }),
  })),
  { name: 'no header', makeHeaders: () => ({}) },
  { name: 'an empty header', makeHeaders: () => ({ authorization: '' }) },
  { name: 'a scheme without a token', makeHeaders: () => ({ authorization: 'Bearer ' }) },
  { name: 'the wrong scheme', makeHeaders: withGood((good) => `Basic ${good}`) },
  { name: 'no scheme', makeHeaders: withGood((good) => good) },
  { name: 'two tokens', makeHeaders: withGood((good) => `Bearer ${good} ${good}`) },
  { name: 'two headers, joined', makeHeaders: withGood((good) => `Bearer ${good},Bearer ${good}`) },
  {
    name: 'the token in another header',
    makeHeaders: () => ({ 'x-authorization': `Bearer ${goodToken()}` }),
  },
];

async function expectRefusal(handler: ApiHandler, request: RequestFixture) {
  expect(readResponse(await call(handler, request))).toEqual(unauthorized);
}

/** A good request to a route whose header `Authorization` is another one. */
function attackOn(name: RouteName, path: string, headers: Record<string, string>): RequestFixture {
  const request = requestTo(name, path);
  const { authorization: _, ...others } = request.headers ?? {};
  return { ...request, headers: { ...others, ...headers } };
}

// What is wrong with a token is judged before a path is looked at: one form stands for its route.
describe.each(protectedRoutes)('$name', ({ name, forms: [path = ''] }) => {
  it.each(attacks)('answers 401 to $name, and asks nothing of the table', async (attack) => {
    await expectRefusal(handlerOf(name), attackOn(name, path, attack.makeHeaders()));
    expect(sentCommands(table)).toEqual([]);
  });
});

// Whether there is a judgement at all is another matter: each form is led to its function apart.
describe.each(protectedForms)('$method $path', ({ name, path }) => {
  const request = requestTo(name, path);
  const { authorization: _, ...others } = request.headers ?? {};
  const judged = attacks.filter((attack) => ['no header', 'expired'].includes(attack.name));

  it.each(judged)('answers 401 to $name, wherever it is led', async ({ makeHeaders }) => {
    const attacked = attackOn(name, path, makeHeaders());
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
    expect(publicRoutes).toEqual([
      'hand-out-input',
      'take-results',
      'answer-mail',
      'read-status',
      'read-reference',
    ]);
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
    const headers = { authorization: `${scheme} ${goodToken()}` };
    const response = await call(handlerOf('list-systems'), { path: '/hpc/', headers });
    expect(response.statusCode).toBe(200);
  });
});
