import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { contractNames } from '#client/src/jobs/contract-names.ts';
import { userIdForm } from '#lib/catalog/identifiers.ts';
import { mostOutputs } from '#lib/catalog/output-addresses.ts';
import * as administration from '#lib/http/answers/administration.ts';
import * as batch from '#lib/http/answers/batch.ts';
import * as catalog from '#lib/http/answers/catalog.ts';
import * as job from '#lib/http/answers/job.ts';
import * as person from '#lib/http/answers/person.ts';
import * as problem from '#lib/http/answers/problem.ts';
import * as quota from '#lib/http/answers/quota.ts';
import * as webhook from '#lib/http/answers/webhook.ts';
import { rowUser, userNumber } from '#lib/http/parsers/fields.ts';

/** Writes each named schema once and refers to it. */
export class ComponentSchemas {
  payloadOf(name: 'Payload' | 'BatchPayload' = 'Payload'): JsonSchema {
    return { $ref: `#/components/schemas/${name}` };
  }
  readonly #names: ReadonlyMap<unknown, string>;
  readonly #forms: ReadonlySet<unknown>;
  readonly #written = new Map<string, JsonSchema>();

  constructor(named: Readonly<Record<string, v.GenericSchema>>) {
    this.#names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));
    this.#forms = new Set(Object.values(named).flatMap(listForms));
  }

  refer(schema: v.GenericSchema): JsonSchema {
    const name = this.#names.get(schema);
    if (name !== undefined) return this.#referTo(name, schema);
    if (isList(schema)) {
      const item = this.#names.get(schema.item);
      if (item !== undefined) return { type: 'array', items: this.#referTo(item, schema.item) };
    }
    return convertSchema(schema);
  }

  /** Returns the schemas in use by name. */
  listWritten(): Record<string, JsonSchema> {
    const names = [...this.#names.values()].filter((name) => this.#written.has(name));
    return Object.fromEntries(names.map((name) => [name, this.#written.get(name) ?? {}]));
  }

  #referTo(name: string, schema: v.GenericSchema): JsonSchema {
    if (!this.#written.has(name)) this.#written.set(name, this.#convert(schema));
    return { $ref: `#/components/schemas/${name}` };
  }

  /**
   * Refers to the forms of a union, because generators give all inner forms the same name, and to
   * what an export is made of, which other operations answer.
   */
  #convert(schema: v.GenericSchema): JsonSchema {
    const parts = schema === person.Person ? partsOfPerson : this.#forms;
    return convertSchema(schema, (inner) => {
      const name = parts.has(inner) ? this.#names.get(inner) : undefined;
      return name === undefined || inner === schema ? undefined : this.#referTo(name, inner);
    });
  }
}

const partsOfPerson: ReadonlySet<unknown> = new Set(
  Object.values(person.Person.entries).map((part) => ('item' in part ? part.item : part)),
);

/** Lists the forms of a union. Those of a union of lists are their items. */
function listForms(schema: v.GenericSchema): v.GenericSchema[] {
  if (!('options' in schema) || !Array.isArray(schema.options)) return [];
  return schema.options.map((form) => (isList(form) ? form.item : form));
}

function isList(schema: v.GenericSchema): schema is v.GenericSchema & { item: v.GenericSchema } {
  return schema.type === 'array' && 'item' in schema;
}

/** JSON Schema of the 2020-12 draft, as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Values that functions check, and that have a form all the same. */
const formsOfOwn: ReadonlyMap<unknown, { type: 'string'; pattern: string }> = new Map([
  [userNumber, { type: 'string', pattern: userIdForm.source }],
  [rowUser, { type: 'string', pattern: userIdForm.source }],
]);

/**
 * Converts a validating schema. Checks that need code (a day that exists, a safe zip) have no JSON
 * Schema, so the description of the field covers them.
 */
export function convertSchema(
  schema: v.GenericSchema,
  refer: (inner: v.GenericSchema) => JsonSchema | undefined = () => undefined,
): JsonSchema {
  const { $schema: _, ...converted } = toJsonSchema(schema, {
    typeMode: 'input',
    errorMode: 'ignore',
    target: 'draft-2020-12',
    overrideSchema: ({ valibotSchema }) => formsOfOwn.get(valibotSchema) ?? refer(valibotSchema),
  });
  return tidy(converted);
}

/** What is left out if it is empty. Not all generators know an object as default. */
const empty: Readonly<Record<string, string>> = { required: '[]', default: '{}' };

/** Leaves out what is empty, and writes types as generators read them. */
function tidy(value: object): JsonSchema {
  return writeTypes(
    Object.fromEntries(
      Object.entries(value)
        .filter(([name, each]) => empty[name] !== JSON.stringify(each))
        .map(([name, each]) => [name, tidyValue(each)]),
    ),
  );
}

function tidyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidyValue);
  return typeof value === 'object' && value !== null ? tidy(value) : value;
}

/**
 * Gives a constant its type, and writes null as a second type of another form. Generators know no
 * schema of more types, no constants that are true or false, and no objects as defaults.
 */
function writeTypes(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const { const: constant, ...others } = rest;
  if (typeof constant === 'boolean') {
    return { ...others, type: 'boolean', not: { const: !constant } };
  }
  if (constant !== undefined) return { ...rest, type: typeof constant };
  if (!Array.isArray(anyOf)) return rest;
  const forms = anyOf.flatMap((form) => (isPlainUnion(form) ? form.anyOf : [form]));
  const taken = forms.filter(({ type }) => type !== 'null');
  const at = taken.findIndex(({ type }) => typeof type === 'string');
  if (taken.length === forms.length || at === -1) return { ...rest, anyOf: forms };
  const written = taken.map((form, index) => (index === at ? orNull(form) : form));
  return written.length === 1 ? { ...rest, ...written[0] } : { ...rest, anyOf: written };
}

/** Takes null beside what a schema takes. */
function orNull({ const: constant, ...form }: JsonSchema): JsonSchema {
  const values = constant === undefined ? form.enum : [constant];
  return {
    ...form,
    type: [form.type, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

function isPlainUnion(form: JsonSchema): form is { anyOf: JsonSchema[] } {
  return Array.isArray(form.anyOf) && Object.keys(form).length === 1;
}

const number = (words: string, pattern: string): JsonSchema => ({
  description: words,
  anyOf: [{ type: 'number' }, { type: 'string', pattern }],
});

const count = (words: string) => number(words, '^[0-9]{1,15}$');

/** `after`, `after_any` and `input_from` together name at most 20 jobs. */
const jobIds = (description: string): JsonSchema => ({
  description,
  anyOf: [{ type: 'array', items: { type: 'string' }, maxItems: 20 }, { type: 'string' }],
});

/**
 * Describes only the fields that all systems share, because the catalog differs between
 * deployments. `GET /hpc/` lists the fields and limits of each system.
 */
export const payloadSchema: JsonSchema = {
  type: 'object',
  properties: {
    command: { type: 'string', description: 'The command to run, on systems that take a command.' },
    tool: { type: 'string', description: 'The tool to run, on systems that have tools.' },
    nodes: count('The number of nodes. Required, here or as `node_number`.'),
    cores: count('The number of cores on each node. Required, here or as `core_number`.'),
    tasks: count(
      'The number of tasks on each node, which divide its cores, on systems that offer the choice. Default: one for each core.',
    ),
    runtime: number(
      'The requested time, in hours.',
      '^[0-9]{1,30}(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$',
    ),
    title: { type: 'string', maxLength: 200, default: '' },
    memory: {
      type: 'string',
      description:
        'The memory on each node, such as `16 GB` or `500 MB`, on systems that offer it. Default: the share of the cores.',
    },
    gpus: count('The number of GPUs on each node, on systems that offer them. Default: none.'),
    gpu_kind: {
      type: 'string',
      description:
        'The kind of these GPUs, on systems that name kinds. Without it, every kind will do.',
    },
    class: {
      type: 'string',
      description:
        'The class of the job, on systems that have classes. Default: the first that the project may use.',
    },
    inputs: {
      type: 'array',
      maxItems: 100,
      description:
        'Files that the job fetches before its command runs, on systems that allow hosts for it. `to` is a path in the folder of the job.',
      items: {
        type: 'object',
        properties: {
          from: { type: 'string', format: 'uri', maxLength: 2048 },
          to: { type: 'string', maxLength: 1000 },
          sha256: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
        },
        required: ['from', 'to'],
        additionalProperties: false,
      },
    },
    outputs: {
      type: 'array',
      maxItems: mostOutputs,
      description:
        'Files that the job sends after its command, on systems that allow places for it. `files` is a path in the folder of the job, which may have `*`, and `to` is a bucket or an address.',
      items: {
        type: 'object',
        properties: { files: { type: 'string' }, to: { type: 'string' } },
        required: ['files', 'to'],
        additionalProperties: false,
      },
    },
    image: {
      type: 'string',
      description:
        'The image that the command runs in, on systems that allow images, with its registry: `docker.io/library/python:3.13`.',
    },
    after: jobIds('The jobs and batches that must end well before this one runs.'),
    after_any: jobIds('The jobs and batches that must end before this one runs, however that is.'),
    input_from: {
      type: 'string',
      description:
        'The job or batch whose results become the input, once it has ended well. Files of the own zip win over results of the same name. Each job of a batch has a folder, named by its index.',
    },
    input_folder: {
      type: 'string',
      maxLength: 100,
      description:
        'The folder for the results of `input_from`. Without it they are not in a folder.',
    },
    input_failed: {
      type: 'string',
      enum: ['refuse', 'leave_out'],
      default: 'refuse',
      description:
        'What jobs of the batch in `input_from` do that did not end well: they refuse the input, or are left out.',
    },
    ...Object.fromEntries(
      Object.entries(contractNames).map(([name, word]) => [
        name,
        count(`The same as \`${word}\`, as the contract spells it. Name one of the two.`),
      ]),
    ),
  },
  required: ['runtime'],
  additionalProperties: { type: 'string' },
};

/** Adds the fields of a batch. In its texts, `{index}` and `{column}` stand for values. */
export const batchPayloadSchema: JsonSchema = {
  ...payloadSchema,
  properties: {
    ...Object(payloadSchema.properties),
    count: count('The number of jobs. Name either this or `table`.'),
    table: {
      type: 'string',
      description:
        'The name of a CSV file in the zip: a line with the names of the columns, then one row a job.',
    },
    max_running: count('How many of the jobs may run at once.'),
  },
};

/** Collects the shapes of answers by name. */
export const namedSchemas = {
  ...batch,
  ...job,
  ...quota,

  ...catalog,
  ...webhook,
  ...administration,
  ...person,

  ...problem,

  // Forms that nothing but their union uses.
  RowGranted: quota.RowGranted,
  RowMapped: administration.RowMapped,
} as const;
