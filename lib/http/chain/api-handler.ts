import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { CallerEnvironment, IdentityEnvironment, readEnvironment } from '#lib/config.ts';
import type { FindProject } from '#lib/projects/find-project.ts';
import { openCallCounter } from '#lib/users/calls/open-call-counter.ts';
import type { ApiResponse } from '../respond.ts';
import type { Endpoint, EndpointTable } from '../routes/route.ts';
import { type ApiContext, answerOf } from './api-context.ts';
import { authenticate } from './authenticate.ts';
import { answerConditionally } from './finish/answer-conditionally.ts';
import { answerHead } from './finish/answer-head.ts';
import { completeLocation } from './finish/complete-location.ts';
import { endInTime, inTime } from './finish/end-in-time.ts';
import { limitCallers } from './limit-callers.ts';
import { logRequest } from './log-request.ts';
import { matchRoute } from './match-route.ts';
import type { Operation } from './operation.ts';
import { parseRequest } from './parse-request.ts';
import { problemResponse } from './problem-response.ts';
import { securityHeaders } from './security-headers.ts';
import { shareTokenVerifier } from './tokens/token-verifier.ts';

export type ApiHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<ApiResponse>;

/** A handler that tells what it answers. */
export type DescribedHandler = ApiHandler & {
  readonly operations: Readonly<Record<string, Operation>>;
};

/** An endpoint that knows its caller. */
export type KnowingEndpoint = Endpoint & { access: 'caller' | 'administrator' };

/** One for each path: an endpoint without one of them does not compile. */
export type OperationsOf<E extends Endpoint, For extends Operation['audience']> = {
  readonly [Name in keyof E['paths']]: Operation<E['paths'][Name], For>;
};

/** Of an endpoint whose paths name projects, none: lib/http/projects says how those are found. */
type Projectless<E extends Endpoint> = E['paths'][keyof E['paths']] extends infer Path
  ? Path extends `${string}{project_name}${string}`
    ? never
    : unknown
  : never;

/** The whole chain of an endpoint that knows its caller, and names no project. */
export function apiHandler<E extends KnowingEndpoint>(
  endpoints: EndpointTable,
  endpoint: E & Projectless<E>,
  operations: OperationsOf<E, 'callers'>,
): DescribedHandler {
  return knowingHandler(endpoints, endpoint, operations);
}

/** The same, with what finds the projects that its paths name. */
export function knowingHandler<E extends KnowingEndpoint>(
  endpoints: EndpointTable,
  endpoint: E,
  operations: OperationsOf<E, 'callers'>,
  findProject?: FindProject,
): DescribedHandler {
  const verify = shareTokenVerifier(readEnvironment(IdentityEnvironment));
  const { CALLER_RATE: rate, CALLER_BURST: burst, TABLE_NAME } = readEnvironment(CallerEnvironment);
  const limits = rate !== undefined && {
    limit: { rate, burst },
    endpoint: nameOf(endpoints, endpoint),
    count: openCallCounter(TABLE_NAME),
  };
  const chain = startChain(endpoints, endpoint)
    .use(inTime(authenticate(verify, endpoint.access)))
    .use(limits ? inTime(limitCallers(limits)) : [])
    .use(inTime(parseRequest(operations, findProject)))
    .handler(giveAnswer);
  return describe((event, context) => chain(event, context), operations);
}

/** The chain of an endpoint that answers anybody. */
export function publicHandler<E extends Endpoint & { access: 'public' }>(
  endpoints: EndpointTable,
  endpoint: E,
  operations: OperationsOf<E, 'anybody'>,
): DescribedHandler {
  const chain = startChain(endpoints, endpoint)
    .use(inTime(parseRequest(operations)))
    .handler(giveAnswer);
  return describe((event, context) => chain(event, context), operations);
}

/** The chain for what is no endpoint: it refuses, with the methods that would have one. */
export function refusingHandler(endpoints: EndpointTable): ApiHandler {
  const chain = startChain(endpoints).handler(giveAnswer);
  return (event, context) => chain(event, context);
}

function describe(
  handler: ApiHandler,
  operations: Readonly<Record<string, Operation>>,
): DescribedHandler {
  return Object.assign(handler, { operations });
}

function nameOf(endpoints: EndpointTable, endpoint: Endpoint): string {
  const found = Object.entries(endpoints).find(([, each]) => each === endpoint);
  if (!found) throw new Error('The endpoint is none of the table.');
  return found[0];
}

async function giveAnswer(_event: APIGatewayProxyEventV2, context: ApiContext) {
  return endInTime(context, answerOf(context)());
}

/**
 * `after` and `onError` run in reverse order, so what stands first sees the answers of all others.
 * Everything that refuses throws: a `before` that returned an answer would skip every `after`.
 */
function startChain(endpoints: EndpointTable, endpoint?: Endpoint) {
  // Its own watch is over the handler alone: end-in-time.ts has another.
  return middy<APIGatewayProxyEventV2, ApiResponse, Error, ApiContext>({ timeoutEarlyInMillis: 0 })
    .use(logRequest())
    .use(securityHeaders())
    .use(answerHead())
    .use(answerConditionally())
    .use(completeLocation())
    .use(problemResponse())
    .use(matchRoute(endpoints, endpoint));
}
