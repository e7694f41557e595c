import type { JsonSchema } from './document.ts';

/** Writes the TypeScript type of a schema. */
export function writeType(schema: JsonSchema): string {
  const {
    $ref: reference,
    anyOf,
    oneOf = anyOf,
    enum: values,
    const: constant,
    type,
    not,
  } = schema;
  if (typeof reference === 'string') return reference.slice(reference.lastIndexOf('/') + 1);
  if (Array.isArray(oneOf)) return [...new Set(oneOf.map(writeType))].join(' | ');
  if (constant !== undefined) return JSON.stringify(constant);
  if (isSchema(not) && typeof not.const === 'boolean') return String(!not.const);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(type))
    return type.map((each) => writeType({ ...schema, type: each })).join(' | ');
  switch (type) {
    case 'object':
      return writeObject(schema);
    case 'array':
      return `(${isSchema(schema.items) ? writeType(schema.items) : 'unknown'})[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    default:
      return 'unknown';
  }
}

function writeObject({ properties, required, additionalProperties }: JsonSchema): string {
  const names = Array.isArray(required) ? required : [];
  const fields = isSchema(properties)
    ? Object.entries(properties).map(([name, field]) => {
        const mark = names.includes(name) ? '' : '?';
        return `readonly ${writeName(name)}${mark}: ${isSchema(field) ? writeType(field) : 'unknown'};`;
      })
    : [];
  if (fields.length === 0) {
    const value = isSchema(additionalProperties) ? writeType(additionalProperties) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  return `{ ${fields.join(' ')} }`;
}

export function writeName(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
