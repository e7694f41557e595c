import { describe, expect, it } from 'vitest';
import { routeNames, routes } from '#functions/routes.ts';
import { gatewayKeys, isBareRoute } from '#lib/http/routes/gateway-keys.ts';
import {
  allowedMethods,
  findRoute,
  matchOperation,
  type Route,
  type RouteTable,
} from '#lib/http/routes/route.ts';

const names = [
  'hpc',
  'project_name',
  'any_project_name',
  'job_id',
  'batch_id',
  'user_id',
  'file_id',
  'webhook_id',
  'delivery_id',
  'request_id',
  'upload_id',
  'window_name',
];
const values: Record<string, string> = {
  ...Object.fromEntries(names.map((name) => [name, `a_${name}`])),
  user_id: '306328',
};

/** Every path that a route's notation allows, with the values that are in it. */
function allowedPaths({ paths }: Route) {
  return Object.entries(paths).flatMap(([operation, form]) => {
    const parts = form.replaceAll(']', '').split('[');
    return parts.map((_, index) => {
      const template = parts.slice(0, index + 1).join('');
      const found = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      return {
        path: template.replaceAll(/\{(\w+)\}/g, (_match, name) => values[name] ?? ''),
        expected: {
          operation,
          path: form,
          values: Object.fromEntries(found.map((n) => [n, values[n]])),
        },
      };
    });
  });
}

const quotas: Route = {
  method: 'GET',
  paths: {
    ofUser: '/quotas/{user_id}/[{hpc}/]',
    everybody: '/quotas/',
  },
  access: 'administrator',
  file: 'a',
};

const cases = routeNames.flatMap((name) =>
  allowedPaths(routes[name]).map(({ path, expected }) => ({ name, path, expected })),
);

describe('matchOperation', () => {
  it.each(cases)('$name takes $path, with the slash and without it', ({ name, path, expected }) => {
    expect(matchOperation(routes[name], path)).toEqual(expected);
    expect(matchOperation(routes[name], path.replace(/\/$/, ''))).toEqual(expected);
  });

  it.each(cases)('$name takes no empty segment in $path', ({ name, path }) => {
    for (const [index, character] of [...path].entries()) {
      if (character !== '/') continue;
      const doubled = `${path.slice(0, index)}//${path.slice(index + 1)}`;
      expect(matchOperation(routes[name], doubled)).toBeUndefined();
    }
  });

  it.each(routeNames)('%s takes neither more segments nor fewer than it knows', (name) => {
    const paths = allowedPaths(routes[name])
      .map(({ path }) => path.replace(/\/?$/, '/'))
      .sort((a, b) => a.split('/').length - b.split('/').length);
    const longest = paths.at(-1) ?? '';
    const shortest = (paths[0] ?? '').replace(/[^/]+\/$/, '');
    expect(matchOperation(routes[name], `${longest}more/`)).toBeUndefined();
    expect(matchOperation(routes[name], `${longest}more`)).toBeUndefined();
    expect(matchOperation(routes[name], shortest)).toBeUndefined();
    expect(matchOperation(routes[name], `/before${longest}`)).toBeUndefined();
  });

  it.each(['', '/', '//', '/JOBS/', '/jobs./', '/jobsx/', '/job', '/%6Aobs/'])(
    'no route takes %j',
    (path) => {
      expect(routeNames.filter((name) => matchOperation(routes[name], path))).toEqual([]);
    },
  );

  it.each([
    { path: '/quotas/', operation: 'everybody', values: {} },
    { path: '/quotas/7/', operation: 'ofUser', values: { user_id: '7' } },
    { path: '/quotas/7/hpc_one/', operation: 'ofUser', values: { user_id: '7', hpc: 'hpc_one' } },
    { path: '/quotas/7x/7/', operation: 'ofUser', values: { user_id: '7x', hpc: '7' } },
    { path: '/quotas/hpc_one', operation: 'ofUser', values: { user_id: 'hpc_one' } },
  ])('reads $path as $operation', ({ path, operation, values }) => {
    expect(matchOperation(quotas, path)).toEqual({
      operation,
      path: quotas.paths[operation],
      values,
    });
  });

  it.each(['/quotas/hpc_one/a/b/', '/quotas/7/hpc_one/a/b/', '/quotas//hpc_one/'])(
    'knows no operation at %s',
    (path) => {
      expect(matchOperation(quotas, path)).toBeUndefined();
    },
  );

  it('takes the first path that fits', () => {
    const paths = { one: '/a/{hpc}/', other: '/a/[{project_name}/]' };
    expect(matchOperation({ ...quotas, paths }, '/a/b/')?.operation).toBe('one');
    expect(matchOperation({ ...quotas, paths }, '/a/')?.operation).toBe('other');
  });

  it('hands a segment on as it is', () => {
    const path = '/jobs/hpc_one/proj/a#b c%20é/';
    expect(matchOperation(routes['read-jobs'], path)?.values).toEqual({
      hpc: 'hpc_one',
      project_name: 'proj',
      job_id: 'a#b c%20é',
    });
  });
});

describe('the values of a path', () => {
  const matchPath = (path: string, rawPath: string) =>
    matchOperation({ method: 'GET', access: 'caller', paths: { only: path } }, rawPath)?.values;

  it.each([
    { path: '/users/7/ban/', expected: { user_id: '7' } },
    { path: '/users/7/ban/a/', expected: undefined },
    { path: '/users/7/ban/a/b/', expected: { user_id: '7', hpc: 'a', project_name: 'b' } },
    { path: '/users/7/', expected: undefined },
    { path: '/users/7/bans/', expected: undefined },
  ])('reads $path where two names are left out together', ({ path, expected }) => {
    expect(matchPath('/users/{user_id}/ban/[{hpc}/{project_name}/]', path)).toEqual(expected);
  });

  it('takes a name for a whole segment only', () => {
    expect(matchPath('/a/x{hpc}/', '/a/xb/')).toBeUndefined();
    expect(matchPath('/a/{hpc}x/', '/a/bx/')).toBeUndefined();
  });

  it.each([
    { path: '/', expected: {} },
    { path: '', expected: {} },
    { path: '/a/', expected: { hpc: 'a' } },
    { path: '//', expected: {} },
  ])('reads $path where all segments can be left out', ({ path, expected }) => {
    expect(matchPath('/[{hpc}/]', path)).toEqual(expected);
  });
});

describe('findRoute', () => {
  it.each(cases)('finds $name at $path', ({ name, path }) => {
    expect(findRoute(routes, routes[name].method, path)).toBe(name);
  });

  it('finds nothing for another method or path', () => {
    expect(findRoute(routes, 'PUT', '/jobs/')).toBeUndefined();
    expect(findRoute(routes, 'get', '/jobs/')).toBeUndefined();
    expect(findRoute(routes, 'GET', '/nothing/')).toBeUndefined();
    expect(findRoute(routes, 'POST', '/jobs/')).toBeUndefined();
  });
});

describe('allowedMethods', () => {
  it.each([
    { path: '/jobs/', methods: ['GET', 'HEAD'] },
    { path: '/jobs/hpc_one/', methods: ['GET', 'HEAD', 'POST'] },
    { path: '/jobs/hpc_one/proj', methods: ['GET', 'HEAD', 'POST'] },
    { path: '/jobs/hpc_one/proj/id/', methods: ['DELETE', 'GET', 'HEAD'] },
    { path: '/quotas', methods: ['GET', 'HEAD'] },
    { path: '/nothing/', methods: [] },
  ])('are $methods at $path', ({ path, methods }) => {
    expect(allowedMethods(routes, path)).toEqual(methods);
  });
});

describe('allowedMethods of other routes', () => {
  it('are each named once, in the order of the alphabet', () => {
    const route = { paths: { a: '/a/' }, access: 'public', file: 'a' } as const;
    const several: RouteTable = {
      a: { ...route, method: 'PUT' },
      b: { ...route, method: 'GET', paths: { a: '/a/[{hpc}/]' } },
      c: { ...route, method: 'GET' },
      d: { ...route, method: 'DELETE' },
    };
    expect(allowedMethods(several, '/a/')).toEqual(['DELETE', 'GET', 'HEAD', 'PUT']);
  });
});

/** The keys of a beginning that is a path by itself, and has more below it. */
function both(base: string, ...methods: string[]): string[] {
  return methods.flatMap((method) => [`${method} ${base}`, ...below(base, method)]);
}

/** The keys of a path with nothing below it. */
function alone(base: string, ...methods: string[]): string[] {
  return methods.map((method) => `${method} ${base}`);
}

/** Those of a beginning that is no path by itself. */
function below(base: string, ...methods: string[]): string[] {
  return methods.map((method) => `${method} ${base}/{proxy+}`);
}

describe('gatewayKeys', () => {
  it('holds each route under its fixed beginning, if that is a path, and greedily if it has more below', () => {
    const keys = Object.fromEntries(routeNames.map((name) => [name, gatewayKeys(routes[name])]));
    expect(keys).toMatchObject({
      'read-jobs': both('/jobs', 'GET', 'HEAD'),
      'submit-job': below('/jobs', 'POST'),
      'create-upload': both('/uploads', 'POST'),
      'delete-job': below('/jobs', 'DELETE'),
      'read-files': ['GET', 'HEAD'].flatMap((method) => [
        ...below('/files', method),
        ...below('/results', method),
        ...below('/folders', method),
      ]),
      'clear-folder': below('/folders', 'DELETE'),
      'hand-out-input': below('/handover', 'GET', 'HEAD'),
      'take-results': below('/handover', 'PUT'),
      'read-quotas': both('/quotas', 'GET', 'HEAD'),
      'read-all-quotas': both('/admin/quotas', 'GET', 'HEAD'),
      'grant-quota': below('/admin/quotas', 'PUT'),
      'grant-quotas': alone('/admin/quotas', 'POST'),
      'remove-quota': below('/admin/quotas', 'DELETE'),
      'read-audit': alone('/admin/audit', 'GET', 'HEAD'),
      'read-systems': alone('/admin/systems', 'GET', 'HEAD'),
      'read-users': both('/admin/users', 'GET', 'HEAD'),
      'change-user': below('/admin/users', 'PUT'),
      'clear-user': below('/admin/users', 'DELETE'),
      'map-accounts': alone('/admin/accounts', 'POST'),
      'read-all-jobs': both('/admin/jobs', 'GET', 'HEAD'),
      'delete-any-job': below('/admin/jobs', 'DELETE'),
      'read-webhooks': ['GET', 'HEAD'].flatMap((method) => [
        ...both('/webhooks', method),
        ...alone('/notifications', method),
      ]),
      'change-notifications': alone('/notifications', 'PUT'),
      'answer-mail': below('/mail', 'POST'),
      'create-webhook': both('/webhooks', 'POST'),
      'delete-webhook': below('/webhooks', 'DELETE'),
      'list-systems': alone('/hpc', 'GET', 'HEAD'),
      'read-projects': both('/projects', 'GET', 'HEAD'),
      'read-status': alone('/status', 'GET', 'HEAD'),
      'read-reference': ['GET', 'HEAD'].flatMap((method) => [
        ...both('/docs', method),
        `${method} /openapi.json`,
        `${method} /.well-known/oauth-protected-resource`,
        ...below('/mail', method),
      ]),
    });
  });

  it.each(routeNames)('holds %s under what its paths begin with', (name) => {
    const bases = gatewayKeys(routes[name]).map((key) =>
      key.replace(/^\w+ /, '').replace('/{proxy+}', ''),
    );
    for (const path of Object.values(routes[name].paths)) {
      expect(bases.some((base) => path === base || path.startsWith(`${base}/`))).toBe(true);
    }
    for (const base of bases) expect(base).toMatch(/^(\/[a-z.-]+)+$/);
  });

  it('ends no key in a slash, which an HTTP API refuses', () => {
    const keys = routeNames.flatMap((name) => gatewayKeys(routes[name]));
    expect(keys.filter((key) => key.endsWith('/'))).toEqual([]);
  });
});

describe('a route', () => {
  const route = (...forms: string[]): Route => ({
    method: 'GET',
    paths: Object.fromEntries(forms.map((form, index) => [String(index), form])),
    access: 'public',
    file: 'a',
  });

  it.each([
    { forms: ['/a/', '/a/b/'], keys: both('/a', 'GET', 'HEAD') },
    { forms: ['/a/b/{hpc}/', '/a/b/[{hpc}/]'], keys: both('/a/b', 'GET', 'HEAD') },
    { forms: ['/a/b/', '/a/c/'], keys: below('/a', 'GET', 'HEAD') },
    { forms: ['/a/{hpc}/b/'], keys: below('/a', 'GET', 'HEAD') },
    { forms: ['/a/b/', '/a/b/{hpc}/', '/a/c/'], keys: below('/a', 'GET', 'HEAD') },
    { forms: ['/a.json'], keys: ['GET /a.json', 'HEAD /a.json'] },
    {
      forms: ['/a/{hpc}/', '/b/'],
      keys: ['GET /a/{proxy+}', 'GET /b', 'HEAD /a/{proxy+}', 'HEAD /b'],
    },
  ])('of $forms is held under $keys', ({ forms, keys }) => {
    expect(gatewayKeys(route(...forms))).toEqual(keys);
  });

  it.each([
    { forms: ['/a/'], isBare: true },
    { forms: ['/a/[{hpc}/]'], isBare: true },
    { forms: ['/a/{hpc}/', '/a/'], isBare: true },
    { forms: ['/a/{hpc}/'], isBare: false },
    { forms: ['/a/{hpc}/', '/a/b/'], isBare: false },
    { forms: ['/a/{hpc}/', '/b/'], isBare: true },
  ])('of $forms is bare: $isBare', ({ forms, isBare }) => {
    expect(isBareRoute(route(...forms))).toBe(isBare);
  });
});
