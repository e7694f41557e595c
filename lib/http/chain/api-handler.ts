import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { catalog } from '#lib/catalog/catalog.ts';
import { IdentityEnvironment, readEnvironment } from '#lib/config.ts';
import type { Caller } from '../caller.ts';
import { PathNotFoundError, TimeoutError } from '../errors.ts';
import type { ApiResponse } from '../respond.ts';
import { resolvePath } from '../routes/resolve-path.ts';
import type { PathOf, Route, RouteTable } from '../routes/route.ts';
import { type ApiContext, callerOf, pathValuesOf } from './api-context.ts';
import { authenticate } from './authenticate.ts';
import { logRequest } from './log-request.ts';
import { matchRoute } from './match-route.ts';
import { problemResponse } from './problem-response.ts';
import { securityHeaders } from './security-headers.ts';
import { createTokenVerifier } from './token-verifier.ts';

export type ApiHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<ApiResponse>;

export interface PublicRequest<Path extends string> {
  readonly path: PathOf<Path>;
  readonly event: APIGatewayProxyEventV2;
}

export interface ApiRequest<Path extends string> extends PublicRequest<Path> {
  readonly caller: Caller;
}

/** The whole chain of an endpoint that knows its caller. */
export function apiHandler<R extends Route & { access: 'caller' | 'administrator' }>(
  routes: RouteTable,
  route: R,
  answer: (request: ApiRequest<R['path']>) => Promise<ApiResponse>,
): ApiHandler {
  const verify = createTokenVerifier(readEnvironment(IdentityEnvironment));
  const chain = startChain(routes, route)
    .use(authenticate(verify, route.access))
    .handler(async (event: APIGatewayProxyEventV2, context) =>
      answer({ caller: callerOf(context), event, path: pathOf(route, context) }),
    );
  return (event, context) => chain(event, context);
}

/** The chain of an endpoint that answers anybody. */
export function publicHandler<R extends Route & { access: 'public' }>(
  routes: RouteTable,
  route: R,
  answer: (request: PublicRequest<R['path']>) => Promise<ApiResponse>,
): ApiHandler {
  const chain = startChain(routes, route).handler(async (event: APIGatewayProxyEventV2, context) =>
    answer({ event, path: pathOf(route, context) }),
  );
  return (event, context) => chain(event, context);
}

/** The chain for what has no route: it refuses, with the methods that would have one. */
export function refusingHandler(routes: RouteTable): ApiHandler {
  const chain = startChain(routes).handler(async () => {
    throw new PathNotFoundError();
  });
  return (event, context) => chain(event, context);
}

function pathOf<R extends Route>(route: R, context: ApiContext): PathOf<R['path']> {
  return resolvePath<R['path']>(catalog, route.path, pathValuesOf(context));
}

/**
 * `after` and `onError` run in reverse order, so what stands first sees the answers of all others.
 * Everything that refuses throws: a `before` that returned an answer would skip every `after`.
 */
function startChain(routes: RouteTable, route?: Route) {
  return middy<APIGatewayProxyEventV2, ApiResponse, Error, ApiContext>({
    timeoutEarlyResponse: () => {
      throw new TimeoutError();
    },
  })
    .use(logRequest())
    .use(securityHeaders())
    .use(problemResponse())
    .use(matchRoute(routes, route));
}
