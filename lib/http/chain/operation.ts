import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { catalog } from '#lib/catalog/catalog.ts';
import type { FindProject } from '#lib/projects/find-project.ts';
import { beginRun, type TimeLeft } from '#lib/time/time-left.ts';
import type { Caller } from '../caller.ts';
import { linkToPage } from '../paging/link-to-page.ts';
import {
  type ChosenParts,
  chooseParts,
  type Declaration,
  type PartsOf,
  readRequest,
} from '../parsers/read-request.ts';
import type { ApiResponse } from '../respond.ts';
import { resolvePath } from '../routes/resolve-path.ts';
import type { PathOf } from '../routes/route.ts';
import { type ApiContext, callerOf, matchedOf } from './api-context.ts';

/** One thing that an endpoint answers: it reads a request as it declares, and then can answer it. */
export interface Operation<Path extends string = string, For extends Audience = Audience> {
  readonly path: Path;
  readonly audience: For;
  /** What it reads of a request: the description of the API is made from it. */
  declare(path: PathOf<Path>): ChosenParts;
  prepare(
    event: APIGatewayProxyEventV2,
    context: ApiContext,
    findProject?: FindProject,
  ): Promise<() => Promise<ApiResponse>>;
}

/** Whether it must know who calls. */
type Audience = 'callers' | 'anybody';

/** What a handler knows of a request: all of it is read, and nothing is raw. */
export type PublicRequest<
  Path extends string,
  D extends Declaration<Path> = object,
> = PartsOf<D> & {
  readonly path: PathOf<Path>;
  /** For what does as much as its time allows. */
  readonly time: TimeLeft;
  readonly linkTo: LinkTo;
};

/** The header that leads to the next page, where there is one. */
export type LinkTo = (cursor: string | undefined) => Record<string, string>;

export type ApiRequest<Path extends string, D extends Declaration<Path> = object> = PublicRequest<
  Path,
  D
> & {
  readonly caller: Caller;
};

/** An operation that knows its caller. */
export function answer<Path extends string, D extends Declaration<Path>>(
  path: Path,
  declaration: D,
  handle: (request: ApiRequest<Path, D>) => Promise<ApiResponse>,
): Operation<Path, 'callers'> {
  return {
    path,
    audience: 'callers',
    declare: (named) => chooseParts<Path>(declaration, named),
    prepare: async (event, context, findProject) => {
      const caller = callerOf(context);
      const resolved = await resolve(path, context, findProject);
      const request = await readOperation(resolved, declaration, event, context);
      return () => handle({ ...request, caller });
    },
  };
}

/** An operation that answers anybody. */
export function answerAnybody<Path extends string, D extends Declaration<Path>>(
  path: Path,
  declaration: D,
  handle: (request: PublicRequest<Path, D>) => Promise<ApiResponse>,
): Operation<Path, 'anybody'> {
  return {
    path,
    audience: 'anybody',
    declare: (named) => chooseParts<Path>(declaration, named),
    prepare: async (event, context, findProject) => {
      const resolved = await resolve(path, context, findProject);
      const request = await readOperation(resolved, declaration, event, context);
      return () => handle(request);
    },
  };
}

/** What the path names comes first: of a system that is not there nothing can be asked. */
function resolve<Path extends string>(
  path: Path,
  context: ApiContext,
  findProject: FindProject | undefined,
): Promise<PathOf<Path>> {
  return resolvePath({ catalog, findProject }, path, matchedOf(context).values);
}

async function readOperation<Path extends string, D extends Declaration<Path>>(
  path: PathOf<Path>,
  declaration: D,
  event: APIGatewayProxyEventV2,
  context: ApiContext,
): Promise<PublicRequest<Path, D>> {
  const parts = await readRequest<Path, D>(declaration, path, event);
  const time = beginRun(() => context.getRemainingTimeInMillis());
  return { ...parts, path, time, linkTo: (cursor) => linkToPage(event, cursor) };
}
