import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import type { BatchId, JobId, ProjectName, RequestId, UserId } from '#lib/catalog/identifiers.ts';
import type { FileUse } from '#lib/files/file-use.ts';
import type { TableUse } from '#lib/table/table-use.ts';
import type { Answer } from '../answers/answer.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may call: anybody, everybody with a valid token, administrators and leaders of the one project
 * that the request names, or administrators alone.
 */
export type Access = 'public' | 'caller' | 'leader' | 'administrator';

/** An endpoint as clients see it. */
export interface Endpoint {
  readonly method: Method;
  /**
   * Maps operations to paths in the notation of the interface: `/quotas/[{hpc}/]`. If several paths
   * match, the first one wins.
   */
  readonly paths: Readonly<Record<string, string>>;
  readonly access: Access;
}

export interface Route extends Endpoint {
  /** The file under functions/ that serves it, without its extension. */
  readonly file: string;
  /** What its role may do with the table. */
  readonly table?: TableUse;
  /** What its role may do with the files of jobs. */
  readonly files?: FileUse;
  /** Whether one request may work on many things, for as long as a caller can wait. */
  readonly takesLong?: boolean;
  /** Whether it signs cursors. */
  readonly pages?: boolean;
  /** Whether it needs credentials of HPC systems. */
  readonly secrets?: boolean;
  /** Whether it checks the passes of jobs. */
  readonly passes?: boolean;
  /** Whether it knows the month's budget for jobs. */
  readonly keepsBudget?: boolean;
  /** Whether it knows if the service sends mail. */
  readonly tellsByMail?: boolean;
  /** Whether it tells clients where users sign in. */
  readonly namesSignIn?: boolean;
  /** Whether it serves the description of the API, and so is not part of it. */
  readonly tellsOfTheApi?: boolean;
}

export type EndpointTable = Readonly<Record<string, Endpoint>>;

export type RouteTable = Readonly<Record<string, Route>>;

/** Requires what each endpoint runs on, with the answers of each operation, the usual one first. */
export type RunsOf<Endpoints extends EndpointTable> = {
  readonly [Name in keyof Endpoints]: Omit<Route, keyof Endpoint> & {
    readonly answers: Readonly<
      Record<keyof Endpoints[Name]['paths'], readonly [Answer, ...Answer[]]>
    >;
  };
};

/** What handlers get for each name in a path. */
interface PathValues {
  readonly hpc: HpcSystem;
  readonly project_name: Project;
  /** A project that may not exist yet. */
  readonly any_project_name: ProjectName;
  readonly job_id: JobId;
  readonly batch_id: BatchId;
  readonly user_id: UserId;
  readonly file_id: string;
  readonly webhook_id: string;
  readonly delivery_id: string;
  readonly request_id: RequestId;
  readonly upload_id: string;
  /** What administrators call a window of maintenance. It may not exist yet. */
  readonly window_name: string;
}

type PathName = keyof PathValues;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends PathName ? Name : never) | NamesIn<Rest>
  : never;

type RequiredPart<Path extends string> = Path extends `${infer Head}[${string}` ? Head : Path;

type RequiredNames<Path extends string> = NamesIn<RequiredPart<Path>>;

/** The values of a path by name. A name in brackets may be undefined. */
export type PathOf<Path extends string> = {
  readonly [Name in RequiredNames<Path>]: PathValues[Name];
} & {
  readonly [Name in Exclude<NamesIn<Path>, RequiredNames<Path>>]?: PathValues[Name];
};

export interface MatchedPath {
  readonly operation: string;
  /** The operation's path, in the notation of the interface. */
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Finds the operation that a path asks for, or undefined if the path is not the endpoint's. */
export function matchOperation({ paths }: Endpoint, rawPath: string): MatchedPath | undefined {
  const segments = splitPath(rawPath);
  for (const [operation, path] of Object.entries(paths)) {
    const values = matchSegments(compilePath(path), segments);
    if (values) return { operation, path, values };
  }
  return undefined;
}

function matchSegments(
  { parts, lengths }: CompiledPath,
  segments: readonly string[],
): Record<string, string> | undefined {
  if (!lengths.has(segments.length)) return undefined;
  const values: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const { text, name } = parts[index] ?? {};
    if (segment === '') return undefined;
    if (name !== undefined) values[name] = segment;
    else if (segment !== text) return undefined;
  }
  return values;
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

/** Adds HEAD to GET. */
export function listMethods({ method }: Endpoint): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

export function answersMethod(endpoint: Endpoint, method: string): boolean {
  return listMethods(endpoint).includes(method);
}

export function allowedMethods(endpoints: EndpointTable, rawPath: string): string[] {
  const known = Object.values(endpoints).filter((each) => matchOperation(each, rawPath));
  return [...new Set(known.flatMap(listMethods))].sort();
}

/** One segment of a path: fixed text, or the name of a value. */
interface Part {
  readonly text: string;
  readonly name: string | undefined;
}

/** A parsed path of the interface, such as `/quotas/[{hpc}/]`. */
interface CompiledPath {
  readonly parts: readonly Part[];
  /** How many segments it may have. A bracket is there as a whole or not at all. */
  readonly lengths: ReadonlySet<number>;
  readonly requiredNames: readonly string[];
}

const compiled = new Map<string, CompiledPath>();

/** Compiles each path once. The map stays small, because all paths are written in code. */
export function compilePath(path: string): CompiledPath {
  const known = compiled.get(path);
  if (known) return known;
  const made = {
    parts: splitPath(path.replaceAll(/[[\]]/g, '')).map((text) => ({
      text,
      name: /^\{(\w+)\}$/.exec(text)?.[1],
    })),
    lengths: new Set(listLengths(path)),
    requiredNames: [...requiredPart(path).matchAll(/(?<=\{)\w+(?=\})/g)].map(([name]) => name),
  };
  compiled.set(path, made);
  return made;
}

/** `[{hpc}/{project_name}/]` adds two segments at once. */
function listLengths(path: string): number[] {
  const parts = path.replaceAll(']', '').split('[');
  return parts.map((_, index) => splitPath(parts.slice(0, index + 1).join('')).length);
}

/** Returns the part of a path before its brackets. */
export function requiredPart(path: string): string {
  return path.replace(/\[.*/, '');
}

/** Ignores one trailing slash, which belongs to the canonical form. */
export function splitPath(path: string): string[] {
  const start = path.startsWith('/') ? 1 : 0;
  const end = path.length > start && path.endsWith('/') ? path.length - 1 : path.length;
  const inner = path.slice(start, end);
  return inner === '' ? [] : inner.split('/');
}
