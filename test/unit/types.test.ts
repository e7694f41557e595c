import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { ok } from '#lib/http/respond.ts';
import type { PathOf, RouteTable } from '#lib/http/routes/route.ts';

/**
 * What must not compile stands behind `@ts-expect-error`, and `npm run types` fails where it does
 * compile. The environment is that of a function, because a handler reads it when it is made.
 */
beforeEach(() => {
  vi.stubEnv('ISSUER', 'https://issuer.test');
  vi.stubEnv('AUDIENCE', 'slipway');
});
afterEach(() => vi.unstubAllEnvs());

const routes = {
  optional: { method: 'GET', path: '/a/[{hpc}/[{project_name}/]]', access: 'caller', file: 'a' },
  required: { method: 'GET', path: '/b/{hpc}/[{job_id}/]', access: 'caller', file: 'b' },
  admin: { method: 'GET', path: '/c/{user_id}/', access: 'administrator', file: 'c' },
  open: { method: 'GET', path: '/d/', access: 'public', file: 'd' },
} as const satisfies RouteTable;

describe('the type of a path', () => {
  it('holds what is required, and perhaps what is optional', () => {
    expectTypeOf<PathOf<'/quotas/[{hpc}/[{project_name}/]]'>['hpc']>().toEqualTypeOf<
      HpcSystem | undefined
    >();
    expectTypeOf<PathOf<'/jobs/{hpc}/[{project_name}/]'>['hpc']>().toEqualTypeOf<HpcSystem>();
    expectTypeOf<PathOf<'/jobs/{hpc}/[{project_name}/]'>['project_name']>().toEqualTypeOf<
      Project | undefined
    >();
    expectTypeOf<PathOf<'/a/{user_id}/'>['user_id']>().toEqualTypeOf<UserId>();
    expectTypeOf<keyof PathOf<'/hpc/'>>().toEqualTypeOf<never>();
  });
});

describe('the type of a handler', () => {
  it('knows the path and the caller of its route', async () => {
    const { apiHandler } = await import('#lib/http/chain/api-handler.ts');
    const handlers = [
      apiHandler(routes, routes.optional, async ({ path, caller }) => {
        expectTypeOf(path.hpc).toEqualTypeOf<HpcSystem | undefined>();
        expectTypeOf(path.project_name).toEqualTypeOf<Project | undefined>();
        expectTypeOf(caller.userId).toEqualTypeOf<UserId>();
        // @ts-expect-error: the system may be absent
        path.hpc.name;
        // @ts-expect-error: there is no such name in the path
        path.job_id;
        return ok({});
      }),
      apiHandler(routes, routes.required, async ({ path }) => {
        expectTypeOf(path.hpc).toEqualTypeOf<HpcSystem>();
        expectTypeOf(path.job_id).toEqualTypeOf<JobId | undefined>();
        return ok(path.hpc.name);
      }),
      apiHandler(routes, routes.admin, async ({ path }) => ok(path.user_id.length)),
    ];
    expectTypeOf(handlers).toEqualTypeOf<ApiHandler[]>();
    expect(handlers).toHaveLength(3);
  });

  it('tells a public route from the others', async () => {
    const { apiHandler, publicHandler } = await import('#lib/http/chain/api-handler.ts');
    const answer = async () => ok({});
    expectTypeOf(publicHandler(routes, routes.open, answer)).toEqualTypeOf<ApiHandler>();
    // @ts-expect-error: a public route has no caller
    apiHandler(routes, routes.open, answer);
    // @ts-expect-error: whoever calls this route must be known
    publicHandler(routes, routes.optional, answer);
    // @ts-expect-error: so must an administrator
    publicHandler(routes, routes.admin, answer);
    publicHandler(routes, routes.open, async (request) => {
      // @ts-expect-error: nobody is known here
      request.caller;
      return ok({});
    });
  });

  it('is an answer of the API', async () => {
    const { apiHandler } = await import('#lib/http/chain/api-handler.ts');
    // @ts-expect-error: a handler answers with a response
    apiHandler(routes, routes.optional, async () => 'text');
    // @ts-expect-error: and it is asynchronous
    apiHandler(routes, routes.optional, () => ok({}));
  });
});
