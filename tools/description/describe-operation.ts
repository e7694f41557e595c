import { type Catalog, defaultProject } from '#lib/catalog/catalog.ts';
import type { Answer } from '#lib/http/answers/answer.ts';
import type { Operation } from '#lib/http/chain/operation.ts';
import type { BodyKind } from '#lib/http/parsers/reading.ts';
import type { Route } from '#lib/http/routes/route.ts';
import type { ComponentSchemas, JsonSchema } from './component-schemas.ts';
import { describeHeaders, describePathParameter, describeQuery } from './describe-parameters.ts';
import { listProblems } from './describe-problems.ts';
import { namesIn, type PlainPath } from './expand-path.ts';
import { links } from './words/links.ts';
import type { OperationWords } from './words/parameters.ts';

export interface OperationParts {
  readonly route: Route;
  /** Its path in the notation of the interface. */
  readonly whole: string;
  readonly operation: Operation;
  readonly answers: readonly Answer[];
  readonly words: OperationWords;
  readonly tag: string;
}

export interface Describing {
  readonly catalog: Catalog;
  readonly schemas: ComponentSchemas;
}

/** An operation at one of its paths. */
export interface DescribedOperation {
  readonly operation: JsonSchema & { readonly parameters: readonly JsonSchema[] };
  /** Names of the problems that the operation may answer with. */
  readonly problems: readonly string[];
}

export function describeOperation(
  { route, whole, operation, answers, words, tag }: OperationParts,
  { path, names }: PlainPath,
  { catalog, schemas }: Describing,
): DescribedOperation {
  const { headers, query, body } = readDeclaration(operation, catalog);
  const forms = body?.forms;
  const variant = nameVariant(whole, path);
  // A body of plain bytes is taken as it is.
  const [kind] = Object.keys(forms?.contents ?? {});
  const checksBody = kind !== undefined && kind !== 'application/octet-stream';
  return {
    operation: {
      'x-operation': words.id,
      'x-path': whole,
      operationId: `${words.id}${variant}`,
      summary: words.summary,
      ...(words.description && { description: words.description }),
      tags: [tag],
      ...(route.access === 'public' ? { security: [] } : {}),
      parameters: [
        ...names.map(describePathParameter),
        ...(query ? describeQuery(query, words.query) : []),
        ...(headers ? describeHeaders(headers, schemas.payloadOf(words.payload)) : []),
      ],
      ...(forms && { requestBody: describeBody(forms, schemas, words) }),
      responses: {
        ...addLinks({ id: words.id, variant }, describeAnswers(answers, schemas, words)),
        ...(headers && 'payload' in headers.entries && { 431: tooLong }),
      },
    },
    problems: listProblems(route, { names, checksBody }, words.problems),
  };
}

/** Reads the declaration for the first system of the catalog; all systems have the same shape. */
function readDeclaration(operation: Operation, { systems }: Catalog) {
  const [system] = systems;
  if (!system) throw new Error('The catalog has no systems.');
  const example = { hpc: system, project_name: defaultProject(system) };
  const { headers, query, body } = operation.declare(example);
  return { headers, query: query === 'ignored' ? undefined : query, body };
}

/** Gives each path its own id: `listJobs` at `/jobs/`, `listJobsByHpc` at `/jobs/{hpc}/`. */
function nameVariant(whole: string, path: string): string {
  const [required = ''] = whole.split('[');
  const added = namesIn(path.slice(required.length));
  const last = added.at(-1);
  return last === undefined
    ? ''
    : `By${last.replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())}`;
}

function describeBody(
  { contents, required }: NonNullable<BodyKind<unknown>['forms']>,
  schemas: ComponentSchemas,
  { requestExample: example, requestTable: table }: OperationWords,
): JsonSchema {
  return {
    required,
    content: Object.fromEntries(
      Object.entries(contents).map(([type, schema]) => {
        if (schema === 'bytes') {
          return type === 'text/csv'
            ? [type, { schema: text, ...withExample(table) }]
            : [type, { schema: bytes }];
        }
        const referred = schemas.refer(schema);
        return type === 'application/x-ndjson'
          ? [type, describeLines(referred, example)]
          : [type, { schema: referred, ...(example !== undefined && { example }) }];
      }),
    ),
  };
}

/** Bodies of plain bytes, which generators leave out if they have no schema. */
const bytes = { type: 'string', format: 'binary' };
const text = { type: 'string' };

/**
 * Describes JSON lines as text, because OpenAPI 3.1 has no schema for a line. OpenAPI 3.2 calls it
 * `itemSchema`, hence the name.
 */
function describeLines(line: JsonSchema, example: unknown): JsonSchema {
  return {
    schema: { type: 'string', description: 'A JSON object on each line, as in `x-itemSchema`.' },
    'x-itemSchema': line,
    ...(example !== undefined && { example: `${JSON.stringify(example)}\n` }),
  };
}

/**
 * Adds to the answers of an operation where they lead. Operations at several paths share the links
 * of the first, unless they have their own.
 */
function addLinks(
  { id, variant }: { readonly id: string; readonly variant: string },
  answers: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const rows = links[`${id}${variant}`] ?? links[id] ?? [];
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const led = rows
        .filter(({ statuses }) => statuses.includes(Number(status)))
        .flatMap(({ to, parameters }) =>
          to.map((operationId) => [operationId, { operationId, parameters }]),
        );
      return [status, led.length === 0 ? answer : { ...answer, links: Object.fromEntries(led) }];
    }),
  );
}

/** Only a `Payload` can grow that long. The gateway answers this, so it is no problem of the service. */
const tooLong = {
  description:
    'The headers have more than 10,240 bytes, so the request did not reach the service. There may be no body.',
};

const followed = { description: 'The answer of the storage, for a client that follows the 307.' };

const statusWords: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  303: 'The file is at another address, which is valid for 15 minutes and needs no token.',
  307: 'Send the same request to the address in `Location`, which is valid for 15 minutes.',
};

/** Describes each status once, even if it comes both as JSON and as a table. */
function describeAnswers(
  answers: readonly Answer[],
  schemas: ComponentSchemas,
  words: OperationWords,
): Record<string, JsonSchema> {
  const described: Record<string, JsonSchema> = {};
  for (const answer of answers) {
    const { content, ...rest } = describeAnswer(answer, schemas, {
      ...words,
      ...(isOther(answer, answers) && { example: words.otherAnswer?.example }),
    });
    const before = described[answer.status]?.content;
    described[answer.status] = {
      ...rest,
      ...(isOther(answer, answers) &&
        words.otherAnswer && { description: words.otherAnswer.words }),
      ...(content !== undefined && { content: Object.assign({}, before, content) }),
    };
  }
  if (answers.every(({ status }) => status >= 300)) return { ...described, 200: followed };
  return Object.fromEntries(
    Object.entries(described).map(([status, answer]) => [
      status,
      status === '200' ? addCreated(answer, described[201]) : answer,
    ]),
  );
}

/**
 * Adds what is answered with 201 to the shapes of a 200. Some generators read every success as the
 * lowest status, and would not find the job in the answer to its submission.
 */
function addCreated(answer: JsonSchema, created: JsonSchema | undefined): JsonSchema {
  const [{ example, schema }, other] = [readJson(answer), readJson(created)];
  if (!other.schema || JSON.stringify(schema) === JSON.stringify(other.schema)) return answer;
  const json = { schema: { anyOf: [schema, other.schema] }, ...withExample(example) };
  return { ...answer, content: { 'application/json': json } };
}

function readJson(answer: JsonSchema | undefined): { schema?: unknown; example?: unknown } {
  return Object(Object(answer?.content)['application/json']);
}

/** Tells whether the answer has JSON of another shape than the first one. */
function isOther({ body }: Answer, [first]: readonly Answer[]): boolean {
  return typeof body === 'object' && body !== first?.body;
}

function describeAnswer(
  { status, body }: Answer,
  schemas: ComponentSchemas,
  { example, exampleTable }: OperationWords,
): JsonSchema {
  const description = statusWords[status] ?? '';
  const headers =
    status === 200 ? {} : { headers: { Location: { $ref: '#/components/headers/Location' } } };
  if (body === 'nothing') return { description, ...headers };
  if (body === 'csv')
    return { description, content: { 'text/csv': { schema: text, ...withExample(exampleTable) } } };
  if (body === 'lines') {
    return {
      description,
      content: { 'application/x-ndjson': { schema: text, ...withExample(exampleTable) } },
    };
  }
  if (body === 'page')
    return { description, content: { 'text/html': { schema: text, ...withExample(example) } } };
  if (body === 'bytes') {
    return {
      description,
      content: { 'application/octet-stream': { schema: bytes, ...withExample(example) } },
    };
  }
  return {
    description,
    ...headers,
    content: {
      'application/json': { schema: schemas.refer(body), ...withExample(example) },
    },
  };
}

function withExample(example: unknown): JsonSchema {
  return example === undefined ? {} : { example };
}
