import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

/** JSON Schema of the 2020-12 draft, which is what OpenAPI 3.1 speaks. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What a client sends or gets, as the schema that validates it says. What only code can tell (a day
 * that exists, a zip that is safe) is beyond JSON Schema and is left to the words of the field.
 */
export function convertSchema(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, ...converted } = toJsonSchema(schema, {
    typeMode: 'input',
    errorMode: 'ignore',
    target: 'draft-2020-12',
  });
  return dropEmptyRequired(converted);
}

/** The converter writes `required: []`, which says nothing. */
function dropEmptyRequired(value: object): JsonSchema {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, each]) => !(name === 'required' && Array.isArray(each) && each.length === 0))
      .map(([name, each]) => [name, convertValue(each)]),
  );
}

function convertValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convertValue);
  return typeof value === 'object' && value !== null ? dropEmptyRequired(value) : value;
}
