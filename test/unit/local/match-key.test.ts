import { describe, expect, it } from 'vitest';
import { routeNames, routes } from '#functions/routes.ts';
import { gatewayKeys } from '#lib/http/routes/gateway-keys.ts';
import { matchKey } from '#local/gateway/start-gateway.ts';

const keys = [...routeNames.flatMap((name) => gatewayKeys(routes[name])), '$default'];

describe('matchKey', () => {
  it.each([
    { method: 'GET', path: '/jobs', exact: 'GET /jobs', ignored: 'GET /jobs' },
    { method: 'GET', path: '/jobs/', exact: '$default', ignored: 'GET /jobs' },
    {
      method: 'GET',
      path: '/jobs/hpc_one',
      exact: 'GET /jobs/{proxy+}',
      ignored: 'GET /jobs/{proxy+}',
    },
    {
      method: 'GET',
      path: '/jobs/hpc_one/',
      exact: 'GET /jobs/{proxy+}',
      ignored: 'GET /jobs/{proxy+}',
    },
    {
      method: 'POST',
      path: '/jobs/hpc_one/',
      exact: 'POST /jobs/{proxy+}',
      ignored: 'POST /jobs/{proxy+}',
    },
    { method: 'PUT', path: '/jobs/hpc_one/', exact: '$default', ignored: '$default' },
    { method: 'GET', path: '/', exact: '$default', ignored: '$default' },
    { method: 'GET', path: '/jobsx', exact: '$default', ignored: '$default' },
    {
      method: 'GET',
      path: '/admin/quotas/1/',
      exact: 'GET /admin/quotas/{proxy+}',
      ignored: 'GET /admin/quotas/{proxy+}',
    },
    { method: 'GET', path: '/admin', exact: '$default', ignored: '$default' },
    { method: 'HEAD', path: '/hpc', exact: 'HEAD /hpc', ignored: 'HEAD /hpc' },
    { method: 'OPTIONS', path: '/hpc', exact: '$default', ignored: '$default' },
  ])('$method $path is $exact where slashes count, else $ignored', (wanted) => {
    const { method, path, exact, ignored } = wanted;
    expect(matchKey(keys, method, path, 'exact')).toBe(exact);
    expect(matchKey(keys, method, path, 'ignored')).toBe(ignored);
  });

  it('prefers the full match, then the longest greedy one', () => {
    const nested = ['GET /a/{proxy+}', 'GET /a/b/{proxy+}', 'GET /a/b/c', '$default'];
    expect(matchKey(nested, 'GET', '/a/b/c', 'exact')).toBe('GET /a/b/c');
    expect(matchKey(nested, 'GET', '/a/b/d', 'exact')).toBe('GET /a/b/{proxy+}');
    expect(matchKey(nested, 'GET', '/a/x', 'exact')).toBe('GET /a/{proxy+}');
  });
});
