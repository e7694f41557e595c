import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { routeNames, routes } from '#functions/routes.ts';
import { findRoute } from '#lib/http/routes/route.ts';
import { anyHandler, handlerOf } from '../fixtures/any-handler.ts';
import { asAdministrator, asUser, call } from '../fixtures/call.ts';
import { listPathForms } from '../fixtures/path-forms.ts';
import { problem, readResponse, unauthorized } from '../fixtures/responses.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { mockTable, sentCommands } from '../fixtures/table-mock.ts';

const table = mockTable();
mockStorage();

beforeEach(() => {
  table.reset();
  table.onAnyCommand().rejects(new Error('Nothing may be asked of the table.'));
});

type AnyRoutes = Readonly<
  Record<string, { readonly paths: Readonly<Record<string, string>>; readonly access?: string }>
>;

/** Routes that do not say who may call them, or open what administrators alone may do. */
function findUnguarded(table: AnyRoutes): string[] {
  return Object.entries(table).flatMap(([name, { paths, access = '' }]) => {
    if (!['public', 'caller', 'leader', 'administrator'].includes(access))
      return [`${name}: '${access}'`];
    const administrative = Object.values(paths).some((path) =>
      path.toLowerCase().split('/').includes('admin'),
    );
    const guarded = ['leader', 'administrator'].includes(access);
    return administrative && !guarded ? [`${name}: ${access}`] : [];
  });
}

describe('the route table', () => {
  it('says of every route who may call it, and keeps /admin/ for administrators and leaders', () => {
    expect(findUnguarded(routes)).toEqual([]);
  });

  it('would not pass with a route that says nothing, another word, or too much', () => {
    const good = { paths: { a: '/admin/a/' }, access: 'administrator' };
    const wrong = {
      good,
      silent: { paths: { a: '/a/' } },
      silentAdmin: { paths: { a: '/admin/b/' } },
      other: { paths: { a: '/a/' }, access: 'admin' },
      open: { paths: { a: '/admin/{user_id}/' }, access: 'caller' },
      opener: { paths: { a: '/admin/c/[{hpc}/]' }, access: 'public' },
      upper: { paths: { a: '/Admin/d/' }, access: 'caller' },
    };
    expect(findUnguarded(wrong)).toEqual([
      "silent: ''",
      "silentAdmin: ''",
      "other: 'admin'",
      'open: caller',
      'opener: public',
      'upper: caller',
    ]);
  });
});

const forLeaders = routeNames.filter((name) => routes[name].access === 'leader');
const administrative = [
  ...routeNames.filter((name) => routes[name].access === 'administrator'),
  ...forLeaders,
];
const paths = [...new Set(administrative.flatMap((name) => listPathForms(routes[name].paths)))];
const methods = ['GET', 'POST', 'PUT', 'DELETE'];

/** Every method at every path of every administrator's route, as far as there is one. */
const cases = paths.flatMap((path) =>
  methods.flatMap((method) => {
    const name = findRoute(routes, method, path);
    return name === undefined ? [] : [{ method, path, name }];
  }),
);

const forAdministrators = problem({
  status: 403,
  slug: 'not-administrator',
  title: 'Administrators only',
  detail: 'Only administrators may use this path. Ask an administrator for help.',
});

/** Whether the caller leads the project, and which project a request for more is about. */
function asksForLead([command, input]: [string, unknown]): boolean {
  return (
    command === 'GetCommand' &&
    /"SK":"(LEADS#hpc_one#proj_hpc_one_01|ASKED#)/.test(JSON.stringify(input))
  );
}

describe.each(cases)('$method $path', ({ method, path, name }) => {
  const body = Buffer.from('{"reason":"because","add":{"time":1}}');
  const request = { method, path, ...(method === 'PUT' && { body }) };
  const json = { 'content-type': 'application/json' };

  it.each([
    ['its function', handlerOf(name)],
    ['whatever a gateway leads to', anyHandler],
  ])('is refused to others by %s before anything else is read', async (_, handler) => {
    const admitsLeaders = forLeaders.includes(name);
    if (admitsLeaders) table.on(GetCommand).resolves({});
    const headers = { ...json, ...asUser() };
    expect(readResponse(await call(handler, { ...request, headers }))).toEqual(forAdministrators);
    const anonymous = await call(handler, { ...request, headers: json });
    expect(readResponse(anonymous)).toEqual(unauthorized);
    expect(sentCommands(table).filter((sent) => !(admitsLeaders && asksForLead(sent)))).toEqual([]);
  });

  it('lets an administrator through', async () => {
    table.onAnyCommand().resolves({ Items: [], Attributes: { value: 80 } });
    const headers = { ...json, ...asAdministrator() };
    const { statusCode } = await call(handlerOf(name), { ...request, headers });
    expect([401, 403, 405]).not.toContain(statusCode);
  });
});

describe('the generated cases', () => {
  it('reach every route for administrators, with the slash and without', () => {
    expect([...new Set(cases.map(({ name }) => name))].sort()).toEqual([...administrative].sort());
    expect(administrative.length).toBeGreaterThan(5);
    expect(cases.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'GET /admin/quotas/',
        'GET /admin/quotas',
        'GET /admin/quotas/306328/hpc_one',
        'GET /admin/quotas/306328/hpc_one/proj_hpc_one_01/',
        'PUT /admin/quotas/306328/hpc_one/proj_hpc_one_01',
        'DELETE /admin/quotas/306328/hpc_one/proj_hpc_one_01/',
        'GET /admin/audit',
      ]),
    );
  });
});
