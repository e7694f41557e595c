import type * as v from 'valibot';
import { type FieldProblem, InvalidRequestError } from '../errors.ts';
import type { PathOf } from '../routes/route.ts';
import { readHeaders } from './read-headers.ts';
import { noQuery, readQuery } from './read-query.ts';
import type { BodyKind, FieldsSchema, RawRequest, Reading } from './reading.ts';

/**
 * What an operation reads of a request besides its path. No headers: none are looked at. No query:
 * no parameters are taken, and `ignored` takes any. No body: whatever comes is left alone. A part
 * that depends on what the path names is a function of it.
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

/** The declared parts of a request, as their schemas make them. */
export type PartsOf<D extends Declaration<never>> = {
  readonly [Part in keyof D & keyof Declaration as D[Part] extends string ? never : Part]: OutputOf<
    D[Part]
  >;
};

/** The declared parts for what a path names. */
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

/** All parts of a request, or all that is wrong with them at once. */
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

/** Headers, query, body, whichever of them found what is wrong with another. */
function sortProblems(problems: readonly FieldProblem[]): FieldProblem[] {
  return order.flatMap((locations) =>
    problems.filter(({ location }) => locations.includes(location)),
  );
}

/** Every part that is declared was read; the type says so from here on. */
function assertParts<D extends Declaration<never>>(
  declaration: D,
  parts: object,
): asserts parts is PartsOf<D> {
  for (const [name, part] of Object.entries(declaration)) {
    if (part !== 'ignored' && !(name in parts))
      throw new Error(`This part of the request was not read: ${name}.`);
  }
}
