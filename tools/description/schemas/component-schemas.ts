import type * as v from 'valibot';
import { convertSchema, type JsonSchema } from './convert-schema.ts';

/** Schemas that have a name, written once and referred to. */
export class ComponentSchemas {
  readonly payload: JsonSchema = { $ref: '#/components/schemas/Payload' };
  readonly #names: ReadonlyMap<unknown, string>;
  readonly #used = new Set<string>();

  constructor(named: Readonly<Record<string, v.GenericSchema>>) {
    this.#names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));
  }

  refer(schema: v.GenericSchema): JsonSchema {
    const name = this.#names.get(schema);
    if (name !== undefined) return this.#referTo(name);
    if (schema.type === 'array' && 'item' in schema) {
      const item = this.#names.get(schema.item);
      if (item !== undefined) return { type: 'array', items: this.#referTo(item) };
    }
    return convertSchema(schema);
  }

  /** Those that something refers to. */
  isUsed(name: string): boolean {
    return this.#used.has(name);
  }

  #referTo(name: string): JsonSchema {
    this.#used.add(name);
    return { $ref: `#/components/schemas/${name}` };
  }
}
