import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { IdentityEnvironment, readEnvironment } from '#lib/config.ts';
import { PathNotFoundError, TimeoutError } from '../errors.ts';
import type { ApiResponse } from '../respond.ts';
import type { Route, RouteTable } from '../routes/route.ts';
import type { ApiContext } from './api-context.ts';
import { authenticate } from './authenticate.ts';
import { logRequest } from './log-request.ts';
import { matchRoute } from './match-route.ts';
import type { Operation } from './operation.ts';
import { parseRequest } from './parse-request.ts';
import { problemResponse } from './problem-response.ts';
import { securityHeaders } from './security-headers.ts';
import { createTokenVerifier } from './token-verifier.ts';

export type ApiHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<ApiResponse>;

/** One for each path of a route: an endpoint without one of them does not compile. */
type OperationsOf<R extends Route, For extends Operation['audience']> = {
  readonly [Name in keyof R['paths']]: Operation<R['paths'][Name], For>;
};

/** The whole chain of an endpoint that knows its caller. */
export function apiHandler<R extends Route & { access: 'caller' | 'administrator' }>(
  routes: RouteTable,
  route: R,
  operations: OperationsOf<R, 'callers'>,
): ApiHandler {
  const verify = createTokenVerifier(readEnvironment(IdentityEnvironment));
  const chain = startChain(routes, route)
    .use(authenticate(verify, route.access))
    .use(parseRequest(operations))
    .handler(giveAnswer);
  return (event, context) => chain(event, context);
}

/** The chain of an endpoint that answers anybody. */
export function publicHandler<R extends Route & { access: 'public' }>(
  routes: RouteTable,
  route: R,
  operations: OperationsOf<R, 'anybody'>,
): ApiHandler {
  const chain = startChain(routes, route).use(parseRequest(operations)).handler(giveAnswer);
  return (event, context) => chain(event, context);
}

/** The chain for what has no route: it refuses, with the methods that would have one. */
export function refusingHandler(routes: RouteTable): ApiHandler {
  const chain = startChain(routes).handler(giveAnswer);
  return (event, context) => chain(event, context);
}

/** Nothing is answered that was not read. */
async function giveAnswer(_event: APIGatewayProxyEventV2, { answer }: ApiContext) {
  if (!answer) throw new PathNotFoundError();
  return answer();
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
