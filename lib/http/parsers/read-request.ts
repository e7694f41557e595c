import * as v from 'valibot';
import { type FieldProblem, InvalidRequestError } from '../errors.ts';
import type { PathOf } from '../routes/route.ts';
import {
  type BodyKind,
  type FieldsSchema,
  type RawRequest,
  type Reading,
  readKnownFields,
} from './reading.ts';

/**
 * Declares the parts of a request that an operation reads besides its path. Without `headers`, no
 * header is read. Without `query`, no parameter is allowed; `ignored` allows all. Without `body`,
 * the body is ignored. A part that depends on the path is a function of it.
 */
export interface Declaration<Path extends string = string> {
  readonly headers?: FieldsSchema | ((path: PathOf<Path>) => FieldsSchema);
  readonly query?: FieldsSchema | ((path: PathOf<Path>) => FieldsSchema) | 'ignored';
  readonly body?: BodyKind<unknown> | ((path: PathOf<Path>) => BodyKind<unknown>);
}

type OutputOf<Part> = Part extends (path: never) => infer Chosen
  ? OutputOf<Chosen>
  : Part extends BodyKind<infer Output>
    ? Output
    : Part extends v.GenericSchema
      ? v.InferOutput<Part>
      : never;

export type PartsOf<D extends Declaration<never>> = {
  readonly [Part in keyof D & keyof Declaration as D[Part] extends string ? never : Part]: OutputOf<
    D[Part]
  >;
};

export interface ChosenParts {
  readonly headers: FieldsSchema | undefined;
  readonly query: FieldsSchema | 'ignored';
  readonly body: BodyKind<unknown> | undefined;
}

export function chooseParts<Path extends string>(
  { headers, query = noQuery, body }: Declaration<Path>,
  path: PathOf<Path>,
): ChosenParts {
  return {
    headers: typeof headers === 'function' ? headers(path) : headers,
    query: typeof query === 'function' ? query(path) : query,
    body: typeof body === 'function' ? body(path) : body,
  };
}

export const noQuery = v.object({});

/** Returns all parts of a request, or throws with everything that is wrong with them. */
export async function readRequest<Path extends string, D extends Declaration<Path>>(
  declaration: D,
  path: PathOf<Path>,
  request: RawRequest,
): Promise<PartsOf<D>> {
  const { headers, query, body } = chooseParts<Path>(declaration, path);
  const readings: Record<string, Reading<unknown>> = {
    ...(headers && { headers: readHeaders(headers, request) }),
    ...(query !== 'ignored' && { query: readQuery(query, request) }),
    ...(body && { body: await body.read(request) }),
  };
  const problems = Object.values(readings).flatMap((each) =>
    'problems' in each ? each.problems : [],
  );
  if (problems.length > 0) throw new InvalidRequestError(sortProblems(problems));
  const parts = Object.fromEntries(
    Object.entries(readings).map(([name, each]) => [name, 'output' in each && each.output]),
  );
  assertParts(declaration, parts);
  return parts;
}

const order: readonly (readonly FieldProblem['location'][])[] = [
  ['payload', 'header'],
  ['query'],
  ['body'],
];

/** Sorts by location: reading the body may find problems of the headers or the query. */
function sortProblems(problems: readonly FieldProblem[]): FieldProblem[] {
  return order.flatMap((locations) =>
    problems.filter(({ location }) => locations.includes(location)),
  );
}

/** Tells the compiler that every declared part was read. */
function assertParts<D extends Declaration<never>>(
  declaration: D,
  parts: object,
): asserts parts is PartsOf<D> {
  for (const [name, part] of Object.entries(declaration)) {
    if (part !== 'ignored' && !(name in parts))
      throw new Error(`This part of the request was not read: ${name}.`);
  }
}

/** Parses the headers that the schema names and ignores all others. */
export function readHeaders<S extends FieldsSchema>(
  schema: S,
  { headers }: Pick<RawRequest, 'headers'>,
): Reading<v.InferOutput<S>> {
  const result = v.safeParse(schema, headers);
  if (result.success) return { output: result.output };
  return { problems: result.issues.map(locateIssue) };
}

/** Names the field instead of the header for headers with fields, such as Payload. */
function locateIssue({ path, message }: v.BaseIssue<unknown>): FieldProblem {
  const [header, field] = (path ?? []).map(({ key }) => String(key));
  if (field !== undefined) return { location: 'payload', name: field, message };
  return {
    location: 'header',
    name: header === undefined ? 'headers' : writeName(header),
    message,
  };
}

/** Capitalizes as the interface does: `Content-Disposition`. */
function writeName(header: string): string {
  return header.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/**
 * Parses query parameters. Refuses unknown and repeated ones, because a filter that was silently
 * ignored would look like one that worked.
 */
export function readQuery<S extends FieldsSchema>(
  schema: S,
  { rawQueryString }: Pick<RawRequest, 'rawQueryString'>,
): Reading<v.InferOutput<S>> {
  const given = [...new URLSearchParams(rawQueryString)];
  const reading = readKnownFields(schema, Object.fromEntries(given), 'query');
  const misplaced = findMisplaced(schema, given);
  if (misplaced.length === 0) return reading;
  return { problems: [...misplaced, ...('problems' in reading ? reading.problems : [])] };
}

function findMisplaced(
  { entries }: FieldsSchema,
  given: readonly (readonly [string, string])[],
): FieldProblem[] {
  const names = given.map(([name]) => name);
  const known = Object.keys(entries);
  return [...new Set(names)].flatMap((name) => {
    if (!known.includes(name)) return [{ location: 'query', name, message: explainKnown(known) }];
    if (names.indexOf(name) === names.lastIndexOf(name)) return [];
    return [{ location: 'query', name, message: 'It is given twice. Send it once.' }];
  });
}

function explainKnown(known: readonly string[]): string {
  return known.length === 0
    ? 'This path takes no parameters.'
    : `Unknown parameter. Known parameters: ${known.join(', ')}.`;
}
