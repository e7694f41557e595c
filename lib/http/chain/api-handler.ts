import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { CallerEnvironment, IdentityEnvironment, readEnvironment } from '#lib/config.ts';
import type { FindProject } from '#lib/projects/find-project.ts';
import { openCallCounter } from '#lib/users/call-counter.ts';
import { TimeoutError } from '../errors.ts';
import type { ApiResponse } from '../respond.ts';
import type { Access, Endpoint, EndpointTable } from '../routes/route.ts';
import { type ApiContext, answerOf } from './api-context.ts';
import { authenticate, shareTokenVerifier } from './authenticate.ts';
import {
  answerConditionally,
  answerHead,
  completeLocation,
  packAnswer,
  problemResponse,
  securityHeaders,
} from './finish-response.ts';
import { limitCallers } from './limit-callers.ts';
import { logRequest } from './log-request.ts';
import { matchRoute, type Operation, parseRequest } from './operation.ts';

export type ApiHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<ApiResponse>;

/** Lists its operations, so that the description of the API can be generated from them. */
export type DescribedHandler = ApiHandler & {
  readonly operations: Readonly<Record<string, Operation>>;
};

/** The names of the endpoints with this access. */
export type NamesOf<Table extends EndpointTable, A extends Access> = {
  [Name in keyof Table & string]: Table[Name]['access'] extends A ? Name : never;
}[keyof Table & string];

export type KnownAccess = 'caller' | 'administrator';

/** Refuses endpoints whose paths name a project: project-handler.ts looks projects up. */
type Projectless<E extends Endpoint> = E['paths'][keyof E['paths']] extends infer Path
  ? Path extends `${string}{project_name}${string}`
    ? never
    : unknown
  : never;

/** Requires one operation per path: a missing one does not compile. */
export type OperationsOf<E extends Endpoint, For extends Operation['audience']> = {
  readonly [Name in keyof E['paths']]: Operation<E['paths'][Name], For>;
};

/** Builds the chain of an endpoint that requires a token and names no project. */
export function apiHandler<Table extends EndpointTable, Name extends NamesOf<Table, KnownAccess>>(
  endpoints: Table,
  name: Name & Projectless<Table[Name]>,
  operations: OperationsOf<Table[Name], 'callers'>,
): DescribedHandler {
  return knowingHandler(endpoints, name, operations);
}

/** What a chain looks up for its endpoint. */
interface Lookups {
  /** Finds the projects that paths name. */
  readonly findProject?: FindProject;
  /** Admits leaders. Without it, an endpoint for leaders is for administrators alone. */
  readonly admit?: MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, ApiContext>;
}

/** Builds the chain of an endpoint that requires a token. */
export function knowingHandler<Name extends string>(
  endpoints: EndpointTable & Readonly<Record<Name, Endpoint>>,
  name: Name,
  operations: Readonly<Record<string, Operation>>,
  { findProject, admit }: Lookups = {},
): DescribedHandler {
  const endpoint = endpoints[name];
  const verify = shareTokenVerifier(readEnvironment(IdentityEnvironment));
  const { CALLER_RATE: rate, CALLER_BURST: burst, TABLE_NAME } = readEnvironment(CallerEnvironment);
  const limits = rate !== undefined && {
    limit: { rate, burst },
    endpoint: name,
    count: openCallCounter(TABLE_NAME),
  };
  const chain = startChain(endpoints, endpoint)
    .use(inTime(authenticate(verify, admit ? endpoint.access : closeToLeaders(endpoint.access))))
    .use(limits ? inTime(limitCallers(limits)) : [])
    .use(admit ? inTime(admit) : [])
    .use(inTime(parseRequest(operations, findProject)))
    .handler(giveAnswer);
  return describe((event, context) => chain(event, context), operations);
}

function closeToLeaders(access: Access): Access {
  return access === 'leader' ? 'administrator' : access;
}

/** Builds the chain of an endpoint that anybody may call. */
export function publicHandler<Table extends EndpointTable, Name extends NamesOf<Table, 'public'>>(
  endpoints: Table,
  name: Name,
  operations: OperationsOf<Table[Name], 'anybody'>,
): DescribedHandler {
  const chain = startChain(endpoints, endpoints[name])
    .use(inTime(parseRequest(operations)))
    .handler(giveAnswer);
  return describe((event, context) => chain(event, context), operations);
}

/** Answers 404, or 405 with the allowed methods. */
export function refusingHandler(endpoints: EndpointTable): ApiHandler {
  const chain = startChain(endpoints).handler(giveAnswer);
  return (event, context) => chain(event, context);
}

/**
 * `after` and `onError` run in reverse order, so the first middleware sees the response of all
 * others. Refusals must throw: a `before` that returned a response would skip every `after`.
 */
function startChain(endpoints: EndpointTable, endpoint?: Endpoint) {
  // middy times only the handler; endInTime covers the earlier steps too.
  return middy<APIGatewayProxyEventV2, ApiResponse, Error, ApiContext>({ timeoutEarlyInMillis: 0 })
    .use(logRequest())
    .use(securityHeaders())
    .use(answerHead())
    .use(packAnswer())
    .use(answerConditionally())
    .use(completeLocation())
    .use(problemResponse())
    .use(matchRoute(endpoints, endpoint));
}

async function giveAnswer(_event: APIGatewayProxyEventV2, context: ApiContext) {
  return endInTime(context, answerOf(context)());
}

function describe(
  handler: ApiHandler,
  operations: Readonly<Record<string, Operation>>,
): DescribedHandler {
  return Object.assign(handler, { operations });
}

/**
 * Reserved for sending the timeout problem. A function of this size has a third of a processor, and
 * Lambda kills it without an answer if it is late by a millisecond.
 */
const reservedMs = 500;

/** Ends a `before` step in time: verifying tokens, counting calls and finding projects may wait. */
function inTime<Event, Result, C extends Context>(
  middleware: MiddlewareObj<Event, Result, Error, C>,
): MiddlewareObj<Event, Result, Error, C> {
  const { before } = middleware;
  if (!before) return middleware;
  return { ...middleware, before: (request) => endInTime(request.context, before(request)) };
}

/** Rejects on timeout. Does not cancel the work. */
async function endInTime<T>(
  context: Pick<Context, 'getRemainingTimeInMillis'>,
  work: T | Promise<T>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new TimeoutError()),
    Math.max(0, context.getRemainingTimeInMillis() - reservedMs),
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
