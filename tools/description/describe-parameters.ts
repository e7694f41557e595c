import * as v from 'valibot';
import type { FieldsSchema } from '#lib/http/parsers/reading.ts';
import { convertSchema, type JsonSchema } from './component-schemas.ts';
import { headerWords, pathWords, queryWords } from './words/parameters.ts';

export function describePathParameter(name: string): JsonSchema {
  const { description, schema = { type: 'string' }, example } = wordsOf(pathWords, name);
  return {
    name,
    in: 'path',
    required: true,
    description,
    schema,
    ...(example !== undefined && { example }),
  };
}

export function describeQuery(
  { entries }: FieldsSchema,
  ownWords: typeof queryWords = {},
): JsonSchema[] {
  const words = { ...queryWords, ...ownWords };
  return Object.entries(entries).map(([name, entry]) => {
    const { description, schema = describeEntry(entry), example } = wordsOf(words, name);
    const required = isRequired(entry);
    return {
      name,
      in: 'query',
      required,
      description,
      schema,
      ...(example !== undefined && { example }),
    };
  });
}

/**
 * Leaves out `Accept`, which follows from the contents of the answers. The header Payload is text
 * that holds JSON, because generated clients do not write an object into a header as JSON. Some take
 * text with a `contentMediaType` for a file.
 */
export function describeHeaders({ entries }: FieldsSchema, payload: JsonSchema): JsonSchema[] {
  const own = Object.entries(entries).filter(([key]) => key !== 'accept');
  return own.map(([key, entry]) => {
    const { name, description, example } = wordsOf(headerWords, key);
    const shared = { name, in: 'header', required: isRequired(entry), description };
    if (key === 'payload') {
      const schema = { type: 'string', contentSchema: payload };
      return { ...shared, schema, example: JSON.stringify(example) };
    }
    const { default: _, ...schema } = describeEntry(entry);
    return { ...shared, schema, ...(example !== undefined && { example }) };
  });
}

type Entry = FieldsSchema['entries'][string];

/** Describes a bounded number as an integer, although the schema reads it as text. */
function describeEntry(entry: Entry): JsonSchema {
  const schema = convertSchema(asSchema(entry));
  const most = findBound(entry, 'max_value');
  if (most === undefined) return schema;
  const { default: usual } = schema;
  return {
    type: 'integer',
    minimum: findBound(entry, 'min_value') ?? 0,
    maximum: most,
    ...(typeof usual === 'string' && { default: Number(usual) }),
  };
}

/** Tries the schema, because some turn a missing value into an empty text and refuse that. */
function isRequired(entry: Entry): boolean {
  return !v.safeParse(asSchema(entry), undefined).success;
}

function findBound(entry: Entry, type: string): number | undefined {
  const wrapped = 'wrapped' in entry ? entry.wrapped : entry;
  const pipe = hasPipe(wrapped) ? wrapped.pipe : [];
  const bound = pipe.find((item) => item.type === type);
  return typeof bound?.requirement === 'number' ? bound.requirement : undefined;
}

interface Piped {
  readonly pipe: readonly { readonly type: string; readonly requirement?: unknown }[];
}

function hasPipe(schema: unknown): schema is Piped {
  return typeof schema === 'object' && schema !== null && 'pipe' in schema;
}

function asSchema(entry: Entry): v.GenericSchema {
  if (entry.async) throw new Error('A field that is read asynchronously cannot be described.');
  return entry;
}

function wordsOf<Words>(words: Readonly<Record<string, Words>>, name: string): Words {
  const found = words[name];
  if (!found) throw new Error(`No words describe the parameter '${name}'.`);
  return found;
}
