import type * as v from 'valibot';
import { convertSchema, type JsonSchema } from './convert-schema.ts';

/** Schemas that have a name, written once and referred to. */
export class ComponentSchemas {
  readonly payload: JsonSchema = { $ref: '#/components/schemas/Payload' };
  readonly #names: ReadonlyMap<unknown, string>;

  constructor(named: Readonly<Record<string, v.GenericSchema>>) {
    this.#names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));
  }

  refer(schema: v.GenericSchema): JsonSchema {
    const name = this.#names.get(schema);
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    if (schema.type === 'array' && 'item' in schema) {
      const item = this.#names.get(schema.item);
      if (item !== undefined)
        return { type: 'array', items: { $ref: `#/components/schemas/${item}` } };
    }
    return convertSchema(schema);
  }
}
