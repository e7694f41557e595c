import { describe, expect, it } from 'vitest';
import { routeNames, routes } from '#functions/routes.ts';
import {
  allowedMethods,
  findRoute,
  gatewayKeys,
  isBareRoute,
  matchOperation,
  matchPath,
  type Route,
  type RouteTable,
} from '#lib/http/routes/route.ts';

const names = [
  'hpc',
  'project_name',
  'any_project_name',
  'job_id',
  'user_id',
  'file_id',
  'webhook_id',
  'request_id',
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
        expected: { operation, values: Object.fromEntries(found.map((n) => [n, values[n]])) },
      };
    });
  });
}

const quotas: Route = {
  method: 'GET',
  paths: {
    ofUser: '/quotas/{user_id}/[{hpc}/]',
    everybody: '/quotas/[{hpc}/[{project_name}/]]',
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
      .map(({ path }) => path)
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
    { path: '/quotas/hpc_one/', operation: 'everybody', values: { hpc: 'hpc_one' } },
    { path: '/quotas/hpc_one', operation: 'everybody', values: { hpc: 'hpc_one' } },
    {
      path: '/quotas/hpc_one/a/',
      operation: 'everybody',
      values: { hpc: 'hpc_one', project_name: 'a' },
    },
    {
      path: '/quotas/hpc_one/7/',
      operation: 'everybody',
      values: { hpc: 'hpc_one', project_name: '7' },
    },
  ])('reads $path as $operation: a user begins with a digit', ({ path, operation, values }) => {
    expect(matchOperation(quotas, path)).toEqual({ operation, values });
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

describe('matchPath', () => {
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

  it.each(['alice', '-1', ' 1', '٣'])('takes no user %j', (user) => {
    expect(matchPath('/users/{user_id}/', `/users/${user}/`)).toBeUndefined();
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

/** What is read with GET is read with HEAD as well. */
function reading(base: string): string[] {
  return ['GET', 'HEAD'].flatMap((method) => [`${method} ${base}`, `${method} ${base}/{proxy+}`]);
}

describe('gatewayKeys', () => {
  it('holds each route under its fixed beginning and greedily below it', () => {
    const keys = Object.fromEntries(routeNames.map((name) => [name, gatewayKeys(routes[name])]));
    expect(keys).toMatchObject({
      'read-jobs': reading('/jobs'),
      'submit-job': ['POST /jobs', 'POST /jobs/{proxy+}'],
      'create-upload': ['POST /uploads', 'POST /uploads/{proxy+}'],
      'delete-job': ['DELETE /jobs', 'DELETE /jobs/{proxy+}'],
      'read-files': reading('/files'),
      'hand-out-input': reading('/handover'),
      'take-results': ['PUT /handover', 'PUT /handover/{proxy+}'],
      'read-quotas': reading('/quotas'),
      'read-all-quotas': reading('/admin/quotas'),
      'grant-quota': ['PUT /admin/quotas', 'PUT /admin/quotas/{proxy+}'],
      'grant-quotas': ['POST /admin/quotas', 'POST /admin/quotas/{proxy+}'],
      'remove-quota': ['DELETE /admin/quotas', 'DELETE /admin/quotas/{proxy+}'],
      'read-audit': reading('/admin/audit'),
      'read-users': reading('/admin/users'),
      'change-user': ['PUT /admin/users', 'PUT /admin/users/{proxy+}'],
      'clear-user': ['DELETE /admin/users', 'DELETE /admin/users/{proxy+}'],
      'map-accounts': ['POST /admin/accounts', 'POST /admin/accounts/{proxy+}'],
      'read-all-jobs': reading('/admin/jobs'),
      'delete-any-job': ['DELETE /admin/jobs', 'DELETE /admin/jobs/{proxy+}'],
      'read-webhooks': reading('/webhooks'),
      'create-webhook': ['POST /webhooks', 'POST /webhooks/{proxy+}'],
      'delete-webhook': ['DELETE /webhooks', 'DELETE /webhooks/{proxy+}'],
      'list-systems': reading('/hpc'),
      'read-projects': reading('/projects'),
      'read-status': reading('/status'),
    });
  });

  it.each(routeNames)('holds %s under what all of its paths begin with', (name) => {
    const [key = '', greedy] = gatewayKeys(routes[name]);
    const base = key.replace(`${routes[name].method} `, '');
    for (const path of Object.values(routes[name].paths)) {
      expect(path).toMatch(new RegExp(`^${base}/`));
    }
    expect(base).toMatch(/^(\/[a-z]+)+$/);
    expect(greedy).toBe(`${key}/{proxy+}`);
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
    { forms: ['/a/', '/a/b/'], base: '/a' },
    { forms: ['/a/b/{hpc}/', '/a/b/[{hpc}/]'], base: '/a/b' },
    { forms: ['/a/b/', '/a/c/'], base: '/a' },
    { forms: ['/a/{hpc}/b/'], base: '/a' },
    { forms: ['/a/b/', '/a/b/{hpc}/', '/a/c/'], base: '/a' },
  ])('of $forms is held under $base', ({ forms, base }) => {
    expect(gatewayKeys(route(...forms))).toEqual(reading(base));
  });

  it.each([
    { forms: ['/a/'], isBare: true },
    { forms: ['/a/[{hpc}/]'], isBare: true },
    { forms: ['/a/{hpc}/', '/a/'], isBare: true },
    { forms: ['/a/{hpc}/'], isBare: false },
    { forms: ['/a/{hpc}/', '/a/b/'], isBare: false },
  ])('of $forms is bare: $isBare', ({ forms, isBare }) => {
    expect(isBareRoute(route(...forms))).toBe(isBare);
  });
});
