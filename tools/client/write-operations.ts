import * as v from 'valibot';
import { namesIn } from '../description/expand-path.ts';
import type { ApiDocument, ApiOperation, JsonSchema } from './document.ts';
import { writeName, writeType } from './write-type.ts';

/** An operation with all of its paths. */
export interface Method {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly forms: readonly ApiOperation[];
}

/** Lists one method per operation. Methods with a body other than JSON are written by hand. */
export function listMethods({ paths }: ApiDocument): Method[] {
  const all = Object.values(paths).flatMap((item) =>
    Object.entries(item).map(([method, operation]) => ({ method, operation })),
  );
  const byName = Map.groupBy(all, ({ operation }) => operation['x-operation']);
  return [...byName]
    .map(([name, forms]) => ({
      name,
      method: (forms[0]?.method ?? '').toUpperCase(),
      path: forms[0]?.operation['x-path'] ?? '',
      forms: forms.map(({ operation }) => operation),
    }))
    .filter((each) => each.forms.every(speaksJson));
}

function speaksJson({ requestBody, responses }: ApiOperation): boolean {
  const answer = responses['200'] ?? responses['201'];
  const isRead = answer?.content?.['application/json'] !== undefined;
  return isRead && (!requestBody || 'application/json' in requestBody.content);
}

function writeTable(document: ApiDocument): string {
  const groups = Map.groupBy(
    listMethods(document),
    (each) => `${each.method}${isPaged(each) ? '*' : ''}`,
  );
  const rows = [...groups].map(
    ([method, each]) => `  '${method}': {
${each.map(({ name, path }) => `    ${name}: ${shorten(path)},`).join('\n')}
  },`,
  );
  return `${heading}/** Parts that many paths have are there only once. */
${Object.entries(sharedParts)
  .map(([name, part]) => `const ${name} = '${part}';`)
  .join('\n')}

/** Paths in the notation of docs/interface.md, by method; '*' marks what comes in pages. */
export const operationTable = {
${rows.join('\n')}
} as const;
`;
}

const sharedParts = {
  job: '{hpc}/{project_name}/{job_id}/',
  project: '{hpc}/{project_name}',
  jobs: '[{hpc}/[{project_name}/]]',
  user: '/admin/users/{user_id}/',
  quotas: '/admin/quotas/{user_id}/',
  request: 'requests/{request_id}/',
  webhook: '/webhooks/{webhook_id}/',
};

/** Writes a path as a literal that names its shared parts, because browsers load the table. */
function shorten(path: string): string {
  const named = Object.entries(sharedParts).reduce(
    (text, [name, part]) => text.replace(part, `\${${name}}`),
    path,
  );
  return named === path ? `'${path}'` : `\`${named}\``;
}

/** The first lines of each generated file. */
const heading = '// Made by `npm run describe` from docs/openapi.json. Do not edit.\n\n';

function writeOperations(document: ApiDocument): string {
  const { Problem: _, ...own } = document.components.schemas;
  const schemas = Object.entries(own).map(
    ([name, schema]) => `export type ${name} = ${writeType(schema)};`,
  );
  const methods = listMethods(document).map(writeMethod);
  return `${heading}import type { Paged } from '../calls/paged.ts';
import type { CallOptions } from '../calls/settings.ts';

export type { Problem } from '../problems/problem-names.ts';

${schemas.join('\n\n')}

/** A method for each operation of the service. */
export interface Operations {
${methods.join('\n')}
}
`;
}

export function isPaged({ forms }: Method): boolean {
  return forms.some(({ parameters }) => parameters.some(({ name }) => name === 'cursor'));
}

function writeMethod(method: Method): string {
  const input = writeInput(method);
  // The argument is optional if all of its fields are.
  const optional = !input.includes('readonly') || !/readonly \w+:/.test(input);
  const [form] = method.forms;
  const words = [form?.summary, form?.description].filter(Boolean).join('. ');
  return `  /** ${words} */
  ${method.name}(input${optional ? '?' : ''}: ${input}, options?: CallOptions): ${writeResult(method)};`;
}

interface Input {
  readonly name: string;
  readonly needed: boolean;
  /** Only of a parameter of the query. */
  readonly schema?: JsonSchema;
}

/** Lists the names of the path and the query. Names in the brackets of a path are optional. */
export function listInputs({ path, forms }: Pick<Method, 'path' | 'forms'>): Input[] {
  const [always = ''] = path.split('[');
  const needed = namesIn(always);
  const queries = new Map(
    forms
      .flatMap(({ parameters }) => parameters.filter((each) => each.in === 'query'))
      .map(({ name, required, schema }): [string, Input] => [
        name,
        { name, needed: required, schema },
      ]),
  );
  const named = namesIn(path).map((name) => ({ name, needed: needed.includes(name) }));
  return [...named, ...queries.values()];
}

/** Writes the type of a method's argument. */
function writeInput({ path, forms }: Method): string {
  const fields = listInputs({ path, forms }).map(({ name, needed, schema }) =>
    schema
      ? writeField(writeName(name), needed, writeParameter(schema))
      : writeField(name, needed, 'string'),
  );
  const body = forms[0]?.requestBody;
  const schema = body?.content['application/json']?.schema;
  if (schema) fields.push(`readonly body${body?.required ? '' : '?'}: ${writeType(schema)};`);
  return fields.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${fields.join(' ')} }`;
}

function writeField(name: string, required: boolean, type: string): string {
  return required ? `readonly ${name}: ${type};` : `readonly ${name}?: ${type} | undefined;`;
}

/** Queries send `true` and `false` as text, but callers pass booleans. */
function writeParameter(schema: Readonly<Record<string, unknown>>): string {
  const type = writeType(schema);
  return type === '"true" | "false"' ? 'boolean' : type;
}

function writeResult(method: Method): string {
  const responses: ApiOperation['responses'] = method.forms[0]?.responses ?? {};
  const statuses = ['200', '201'].flatMap((status) => {
    const schema = responses[status]?.content?.['application/json']?.schema;
    return schema ? [writeType(schema)] : [];
  });
  const types = [...new Set(statuses)].join(' | ');
  return isPaged(method) ? `Paged<${writeItem(types)}>` : `Promise<${types}>`;
}

/** Writes the item type of a list. For a named list, which may be a union, uses an index type. */
function writeItem(list: string): string {
  return /^\((\w+)\)\[\]$/.exec(list)?.[1] ?? `${list}[number]`;
}

const Enumeration = v.object({ enum: v.array(v.string()) });

const Choices = v.object({
  Act: v.object({ properties: v.object({ kind: Enumeration }) }),
  Webhook: v.object({ properties: v.object({ events: v.object({ items: Enumeration }) }) }),
  Notifications: v.object({
    properties: v.object({
      events: v.object({ items: Enumeration }),
      digest: Enumeration,
      language: Enumeration,
    }),
  }),
});

/** Writes the values of enumerations as lists, because a menu cannot show a type. */
function writeChoices({ components }: ApiDocument): string {
  const { Act, Webhook, Notifications } = v.parse(Choices, components.schemas);
  return `${heading}export const actKinds = ${writeList(Act.properties.kind)};

export const eventNames = ${writeList(Webhook.properties.events.items)};

export const topicNames = ${writeList(Notifications.properties.events.items)};

export const digestNames = ${writeList(Notifications.properties.digest)};

export const mailLanguages = ${writeList(Notifications.properties.language)};
`;
}

function writeList({ enum: values }: v.InferOutput<typeof Enumeration>): string {
  return `${JSON.stringify(values)} as const`;
}

/**
 * Writes the types of problems that the service can answer with, and what a problem looks like.
 * They have a file of their own, because the calls that `Operations` refers to need them.
 */
function writeProblemNames({ components }: ApiDocument): string {
  const names = [
    ...new Set(Object.keys(components.responses).flatMap((key) => key.split('.'))),
  ].sort();
  return `${heading}export type ProblemName =
${names.map((name) => `  | '${name}'`).join('\n')};

export type Problem = ${writeType(components.schemas.Problem ?? {})};
`;
}

/** Writes each generated file of client/src. */
export const generatedFiles = {
  'generated/operations.ts': writeOperations,
  'generated/operation-table.ts': writeTable,
  'generated/choices.ts': writeChoices,
  'problems/problem-names.ts': writeProblemNames,
} as const;
