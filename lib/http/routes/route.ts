import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import type { JobId, ProjectName, RequestId, UserId } from '#lib/catalog/identifiers.ts';
import type { FileUse } from '#lib/files/file-use.ts';
import type { TableUse } from '#lib/table/table-use.ts';
import type { Answer } from '../answers/answer.ts';
import { type CompiledPath, compilePath, splitPath } from './compile-path.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who may call: anybody, whoever has a valid token, or administrators only. */
export type Access = 'public' | 'caller' | 'administrator';

/** An endpoint as clients see it. */
export interface Endpoint {
  readonly method: Method;
  /**
   * What it answers, by the name of the operation, each in the interface's own notation:
   * `/quotas/[{hpc}/]`. Where several fit, the first one counts.
   */
  readonly paths: Readonly<Record<string, string>>;
  readonly access: Access;
}

/** An endpoint with what it runs on. */
export interface Route extends Endpoint {
  /** The file under functions/ that serves it, without its ending. */
  readonly file: string;
  /** What its role may do with the table; nothing where it is not named. */
  readonly table?: TableUse;
  /** What its role may do with the files of jobs; nothing where it is not named. */
  readonly files?: FileUse;
  /** Whether one request asks for many things, which take as long as a caller can wait. */
  readonly takesLong?: boolean;
  /** Whether it signs cursors. */
  readonly pages?: boolean;
  /** Whether it shows credentials to the HPC systems. */
  readonly secrets?: boolean;
  /** Whether it checks the passes of jobs. */
  readonly passes?: boolean;
  /** Whether it serves the description of the API, and so is no part of it. */
  readonly tellsOfTheApi?: boolean;
}

export type EndpointTable = Readonly<Record<string, Endpoint>>;

export type RouteTable = Readonly<Record<string, Route>>;

/** A route for each endpoint, which says how each of its operations answers, the usual way first. */
export type RoutesOf<Endpoints extends EndpointTable> = {
  readonly [Name in keyof Endpoints]: Route & {
    readonly answers: Readonly<
      Record<keyof Endpoints[Name]['paths'], readonly [Answer, ...Answer[]]>
    >;
  };
};

/** What each name in a path becomes before a handler sees it. */
interface PathValues {
  readonly hpc: HpcSystem;
  readonly project_name: Project;
  /** Of a project that need not be there. */
  readonly any_project_name: ProjectName;
  readonly job_id: JobId;
  readonly user_id: UserId;
  readonly file_id: string;
  readonly webhook_id: string;
  readonly request_id: RequestId;
}

export type PathName = keyof PathValues;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends PathName ? Name : never) | NamesIn<Rest>
  : never;

/** What of a path cannot be left out. */
type RequiredPart<Path extends string> = Path extends `${infer Head}[${string}` ? Head : Path;

type RequiredNames<Path extends string> = NamesIn<RequiredPart<Path>>;

/** The typed form of a path: a name in brackets may be absent. */
export type PathOf<Path extends string> = {
  readonly [Name in RequiredNames<Path>]: PathValues[Name];
} & {
  readonly [Name in Exclude<NamesIn<Path>, RequiredNames<Path>>]?: PathValues[Name];
};

export interface MatchedPath {
  readonly operation: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Which operation of a route a path asks for, or nothing where the path is not the route's. */
export function matchOperation({ paths }: Endpoint, rawPath: string): MatchedPath | undefined {
  const segments = splitPath(rawPath);
  for (const [operation, path] of Object.entries(paths)) {
    const values = matchSegments(compilePath(path), segments);
    if (values) return { operation, values };
  }
  return undefined;
}

/** The values of a path by name, or nothing where the path is not of this form. */
export function matchPath(path: string, rawPath: string): Record<string, string> | undefined {
  return matchSegments(compilePath(path), splitPath(rawPath));
}

function matchSegments(
  { parts, lengths }: CompiledPath,
  segments: readonly string[],
): Record<string, string> | undefined {
  if (!lengths.has(segments.length)) return undefined;
  const values: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const { text, name } = parts[index] ?? {};
    if (segment === '' || (name === 'user_id' && !mayBeUser(segment))) return undefined;
    if (name !== undefined) values[name] = segment;
    else if (segment !== text) return undefined;
  }
  return values;
}

/** Users are numbers, and no system's name begins with a digit (docs/decisions/0022). */
function mayBeUser(segment: string): boolean {
  return /^[0-9]/.test(segment);
}

export function findRoute<Table extends EndpointTable>(
  endpoints: Table,
  method: string,
  rawPath: string,
): (keyof Table & string) | undefined {
  return Object.keys(endpoints).find((name) => {
    const endpoint = endpoints[name];
    return (
      endpoint !== undefined &&
      answersMethod(endpoint, method) &&
      matchOperation(endpoint, rawPath) !== undefined
    );
  });
}

/** HEAD is answered wherever GET is. */
export function listMethods({ method }: Endpoint): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

export function answersMethod(endpoint: Endpoint, method: string): boolean {
  return listMethods(endpoint).includes(method);
}

/** The methods under which a path is known. */
export function allowedMethods(endpoints: EndpointTable, rawPath: string): string[] {
  const known = Object.values(endpoints).filter((each) => matchOperation(each, rawPath));
  return [...new Set(known.flatMap(listMethods))].sort();
}
