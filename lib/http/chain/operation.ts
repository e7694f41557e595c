import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { catalog } from '#lib/catalog/catalog.ts';
import type { FindProject } from '#lib/projects/find-project.ts';
import { beginRun, type TimeLeft } from '#lib/time/time-left.ts';
import { MethodNotAllowedError, PathNotFoundError } from '../errors.ts';
import {
  type ChosenParts,
  chooseParts,
  type Declaration,
  type PartsOf,
  readRequest,
} from '../parsers/read-request.ts';
import { type ApiResponse, linkToPage } from '../respond.ts';
import { resolvePath } from '../routes/resolve-path.ts';
import {
  allowedMethods,
  answersMethod,
  type Endpoint,
  type EndpointTable,
  matchOperation,
  type PathOf,
} from '../routes/route.ts';
import { type ApiContext, type Caller, callerOf, matchedOf } from './api-context.ts';

/** Reads a request as it declares, and then answers it. An endpoint has one operation per path. */
export interface Operation<Path extends string = string, For extends Audience = Audience> {
  readonly audience: For;
  /** Lists the parts of a request that it reads, for the description of the API. */
  declare(path: PathOf<Path>): ChosenParts;
  prepare(
    path: Path,
    event: APIGatewayProxyEventV2,
    context: ApiContext,
    findProject?: FindProject,
  ): Promise<() => Promise<ApiResponse>>;
}

type Audience = 'callers' | 'anybody';

/** A request as handlers see it: everything is parsed, nothing is raw. */
export type PublicRequest<
  Path extends string,
  D extends Declaration<Path> = object,
> = PartsOf<D> & {
  readonly path: PathOf<Path>;
  /** For work that does as much as its time allows. */
  readonly time: TimeLeft;
  readonly linkTo: LinkTo;
  /** True for HEAD, which must change nothing. The body of its response is dropped later. */
  readonly isHead: boolean;
};

/** Returns the `Link` header to the next page, or no header on the last page. */
export type LinkTo = (cursor: string | undefined) => Record<string, string>;

export type ApiRequest<Path extends string, D extends Declaration<Path> = object> = PublicRequest<
  Path,
  D
> & {
  readonly caller: Caller;
};

/** Declares an operation that knows its caller. Its handler's endpoint determines the path. */
export function answer<Path extends string, D extends Declaration<Path>>(
  declaration: D,
  handle: (request: ApiRequest<Path, D>) => Promise<ApiResponse>,
): Operation<Path, 'callers'> {
  return {
    audience: 'callers',
    declare: (named) => chooseParts<Path>(declaration, named),
    prepare: async (path, event, context, findProject) => {
      const caller = callerOf(context);
      const request = await readOperation(path, declaration, event, context, findProject);
      return () => handle({ ...request, caller });
    },
  };
}

export function answerAnybody<Path extends string, D extends Declaration<Path>>(
  declaration: D,
  handle: (request: PublicRequest<Path, D>) => Promise<ApiResponse>,
): Operation<Path, 'anybody'> {
  return {
    audience: 'anybody',
    declare: (named) => chooseParts<Path>(declaration, named),
    prepare: async (path, event, context, findProject) => {
      const request = await readOperation(path, declaration, event, context, findProject);
      return () => handle(request);
    },
  };
}

/** Resolves the path first, so that an unknown system is reported before wrong parameters. */
async function readOperation<Path extends string, D extends Declaration<Path>>(
  path: Path,
  declaration: D,
  event: APIGatewayProxyEventV2,
  context: ApiContext,
  findProject: FindProject | undefined,
): Promise<PublicRequest<Path, D>> {
  const resolved = await resolvePath({ catalog, findProject }, path, matchedOf(context).values);
  const parts = await readRequest<Path, D>(declaration, resolved, event);
  const time = beginRun(() => context.getRemainingTimeInMillis());
  const linkTo: LinkTo = (cursor) => linkToPage(event, cursor);
  const isHead = event.requestContext.http.method === 'HEAD';
  return { ...parts, path: resolved, time, linkTo, isHead };
}

/**
 * Finds the operation by `rawPath`. The gateway's greedy key sends a function everything below its
 * first segments, and only `rawPath` is the same for every key.
 */
export function matchRoute(
  endpoints: EndpointTable,
  endpoint?: Endpoint,
): MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, ApiContext> {
  return {
    before: function matchRouteBefore({ event, context }) {
      const { method } = event.requestContext.http;
      const matched =
        endpoint && answersMethod(endpoint, method)
          ? matchOperation(endpoint, event.rawPath)
          : undefined;
      if (!matched) throw refusePath(endpoints, method, event.rawPath);
      context.matched = matched;
    },
  };
}

function refusePath(endpoints: EndpointTable, method: string, rawPath: string): Error {
  const allowed = allowedMethods(endpoints, rawPath);
  return allowed.length > 0 ? new MethodNotAllowedError(method, allowed) : new PathNotFoundError();
}

/** Reads the request as the matched operation declares. */
export function parseRequest(
  operations: Readonly<Record<string, Operation>>,
  findProject?: FindProject,
): MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, ApiContext> {
  return {
    before: async function parseRequestBefore({ event, context }) {
      const matched = matchedOf(context);
      const operation = operations[matched.operation];
      if (!operation) throw new PathNotFoundError();
      context.answer = await operation.prepare(matched.path, event, context, findProject);
    },
  };
}
