import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import type { DescribedHandler } from '#lib/http/chain/api-handler.ts';
import { answer, answerAnybody, type Operation } from '#lib/http/chain/operation.ts';
import { jsonBody } from '#lib/http/parsers/bodies/json-body.ts';
import { ok } from '#lib/http/respond.ts';
import type { PathOf, RouteTable } from '#lib/http/routes/route.ts';
import { openTable } from '#lib/table/table.ts';

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
  several: {
    method: 'GET',
    paths: { list: '/a/[{hpc}/[{project_name}/]]', one: '/a/{hpc}/{project_name}/{job_id}/' },
    access: 'caller',
    file: 'a',
  },
  admin: { method: 'PUT', paths: { put: '/c/{user_id}/' }, access: 'administrator', file: 'c' },
  open: { method: 'GET', paths: { read: '/d/' }, access: 'public', file: 'd' },
} as const satisfies RouteTable;

type List = typeof routes.several.paths.list;
type One = typeof routes.several.paths.one;

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

describe('the type of an operation', () => {
  it('knows its path and its caller', () => {
    const listing: Operation<List, 'callers'> = answer({}, async ({ path, caller }) => {
      expectTypeOf(path.hpc).toEqualTypeOf<HpcSystem | undefined>();
      expectTypeOf(path.project_name).toEqualTypeOf<Project | undefined>();
      expectTypeOf(caller.userId).toEqualTypeOf<UserId>();
      // @ts-expect-error: the system may be absent
      path.hpc.name;
      // @ts-expect-error: there is no such name in the path
      path.job_id;
      return ok({});
    });
    const reading: Operation<One, 'callers'> = answer({}, async ({ path }) => {
      expectTypeOf(path.hpc).toEqualTypeOf<HpcSystem>();
      expectTypeOf(path.job_id).toEqualTypeOf<JobId>();
      return ok(path.hpc.name);
    });
    expect([listing, reading]).toHaveLength(2);
    // @ts-expect-error: without an endpoint, nothing is known about the path
    answer({}, async ({ path }) => ok(path.user_id));
  });

  it('knows what it declares, by the schemas, and nothing else of the request', () => {
    const declaration = {
      headers: v.object({ 'x-a': v.optional(v.string()) }),
      query: v.pipe(
        v.object({ limit: v.string() }),
        v.transform(({ limit }) => Number(limit)),
      ),
      body: jsonBody(v.object({ reason: v.string() })),
    };
    answer(declaration, async (request) => {
      expectTypeOf(request.headers['x-a']).toEqualTypeOf<string | undefined>();
      expectTypeOf(request.query).toEqualTypeOf<number>();
      expectTypeOf(request.body.reason).toEqualTypeOf<string>();
      // @ts-expect-error: no handler touches the raw event
      request.event;
      return ok({});
    });
    answer({ query: v.object({}) }, async (request) => {
      // @ts-expect-error: no body is declared
      request.body;
      return ok({});
    });
  });

  it('has parts that depend on its path', () => {
    const reading: Operation<One, 'callers'> = answer(
      { query: ({ hpc }) => v.object({ [hpc.name]: v.optional(v.literal('a')) }) },
      async ({ query }) => {
        expectTypeOf(query.hpc_one).toEqualTypeOf<'a' | undefined>();
        return ok({});
      },
    );
    const listing: Operation<List, 'callers'> = answer(
      // @ts-expect-error: the system may be absent
      { query: ({ hpc }) => v.object({ [hpc.name]: v.string() }) },
      async () => ok({}),
    );
    expect([reading, listing]).toHaveLength(2);
    // @ts-expect-error: a part is a schema
    answer({ query: { limit: v.string() } }, async () => ok({}));
  });

  it('is an answer of the API', () => {
    // @ts-expect-error: a handler answers with a response
    answer({}, async () => 'text');
    // @ts-expect-error: and it is asynchronous
    answer({}, () => ok({}));
  });
});

describe('the type of a handler', () => {
  const give = async () => ok({});

  it('is made of one operation for each path of its route', async () => {
    const { projectHandler } = await import('#lib/http/chain/project-handler.ts');
    const { apiHandler } = await import('#lib/http/chain/api-handler.ts');
    const table = openTable('a');
    const operations = { list: answer<List, object>({}, give), one: answer<One, object>({}, give) };
    const handler = projectHandler(routes, 'several', table, operations);
    expectTypeOf(handler).toEqualTypeOf<DescribedHandler>();
    // @ts-expect-error: one of them is missing
    projectHandler(routes, 'several', table, { list: answer({}, give) });
    // @ts-expect-error: this is the operation of another path
    projectHandler(routes, 'several', table, { ...operations, one: operations.list });
    // @ts-expect-error: its paths name projects, and nothing finds them
    apiHandler(routes, 'several', operations);
    expect(handler).toBeTypeOf('function');
  });

  it('knows the path of each operation', async () => {
    const { apiHandler } = await import('#lib/http/chain/api-handler.ts');
    apiHandler(routes, 'admin', {
      put: answer({}, async ({ path }) => {
        expectTypeOf(path.user_id).toEqualTypeOf<UserId>();
        return ok({});
      }),
    });
  });

  it('tells a public route from the others', async () => {
    const { apiHandler, publicHandler } = await import('#lib/http/chain/api-handler.ts');
    const known = { read: answer({}, give) };
    const anybody = { read: answerAnybody({}, give) };
    expectTypeOf(publicHandler(routes, 'open', anybody)).toEqualTypeOf<DescribedHandler>();
    // @ts-expect-error: a public route has no caller
    apiHandler(routes, 'open', known);
    // @ts-expect-error: not for an operation either
    publicHandler(routes, 'open', known);
    // @ts-expect-error: whoever calls this route must be known
    publicHandler(routes, 'admin', { put: answerAnybody({}, give) });
    // @ts-expect-error: to its operations too
    apiHandler(routes, 'admin', { put: answerAnybody({}, give) });
    answerAnybody({}, async (request) => {
      // @ts-expect-error: nobody is known here
      request.caller;
      return ok({});
    });
  });
});
