import * as v from 'valibot';
import { parseItem } from './parse-item.ts';

/** Attributes of an item, by their names in the table. */
export type Attributes = Readonly<Record<string, unknown>>;

/**
 * A field of a stored value, in one attribute or several. `entries` has the schema that validates
 * and parses each attribute.
 */
export interface Field<Value> {
  readonly entries: v.ObjectEntries;
  /** Picks the field out of attributes that `entries` have parsed. */
  read(attributes: Attributes): Value;
  write(value: Value): Attributes;
}

interface OptionalField<Value> extends Field<Value | undefined> {
  readonly isOptional: true;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

type OptionalKeys<F extends Fields> = {
  [Key in keyof F]: F[Key] extends { readonly isOptional: true } ? Key : never;
}[keyof F];

export type Values<F extends Fields> = {
  readonly [Key in Exclude<keyof F, OptionalKeys<F>>]: ReturnType<F[Key]['read']>;
} & {
  readonly [Key in OptionalKeys<F>]?: ReturnType<F[Key]['read']>;
};

/** A kind of item. Reading, writing, export and import follow from its fields. */
export interface ItemDefinition<Value> {
  readonly fields: Field<Value>;
  /** Reads an item of any version, or throws a DamagedItemError. */
  parse(stored: unknown): Value;
  /** Writes the item without its keys. */
  format(value: Value): Attributes;
  /** Writes the attributes of some fields, for an update. */
  formatPart(part: { readonly [Key in keyof Value]?: Value[Key] | undefined }): Attributes;
}

/** The value that items of a definition hold. */
export type Stored<Definition extends ItemDefinition<unknown>> = ReturnType<Definition['parse']>;

/**
 * The fields are declared by a function, which is called with the first item: a cold start would pay
 * for the schemas of every item that a function knows.
 */
export function defineItem<F extends Fields>(
  type: string,
  declare: () => F,
): ItemDefinition<Values<F>>;
export function defineItem(type: string, declare: () => Fields): ItemDefinition<Attributes> {
  const head = { type, schema_version: 1 };
  const open = () => {
    const members = declare();
    const fields = group(members);
    const schema = v.object({
      type: v.literal(head.type),
      schema_version: v.literal(head.schema_version),
      ...fields.entries,
    });
    return { members, fields, schema };
  };
  let opened: ReturnType<typeof open> | undefined;
  const use = () => {
    opened ??= open();
    return opened;
  };
  return {
    get fields() {
      return use().fields;
    },
    parse(stored) {
      const { fields, schema } = use();
      return fields.read(parseItem(schema, stored));
    },
    format: (value) => ({ ...head, ...use().fields.write(value) }),
    formatPart: (part) =>
      Object.assign(
        {},
        ...Object.entries(part).map(([name, value]) =>
          value === undefined ? {} : use().members[name]?.write(value),
        ),
      ),
  };
}

/** Reads some fields of an item, whatever else it holds. */
export function readFields<Value>({ entries, read }: Field<Value>, stored: unknown): Value {
  return read(parseItem(v.object(entries), stored));
}

/** Groups fields that form one field in the code but are separate attributes in the item. */
export function group<F extends Fields>(members: F): Field<Values<F>>;
export function group(members: Fields): Field<Attributes> {
  const list = Object.entries(members);
  return {
    entries: Object.assign({}, ...list.map(([, { entries }]) => entries)),
    read(attributes) {
      const values: Record<string, unknown> = {};
      for (const [name, field] of list) {
        const value = field.read(attributes);
        if (value !== undefined) values[name] = value;
      }
      return values;
    },
    write: (values) => Object.assign({}, ...list.map(([name, field]) => field.write(values[name]))),
  };
}

/** A field that is one attribute. Without `write`, the value is stored as it is. */
export function attribute<Schema extends v.GenericSchema>(
  name: string,
  schema: Schema,
  write?: (value: v.InferOutput<Schema>) => unknown,
): Field<v.InferOutput<Schema>>;
export function attribute(
  name: string,
  schema: v.GenericSchema,
  write = (value: unknown) => value,
): Field<unknown> {
  return {
    entries: { [name]: schema },
    read: (attributes) => attributes[name],
    write: (value) => ({ [name]: write(value) }),
  };
}

export const text = (name: string) => attribute(name, v.string());

export const number = (name: string) => attribute(name, v.number());

export const flag = (name: string) => attribute(name, v.boolean());

const Moment = v.pipe(
  v.string(),
  v.transform((written) => new Date(written)),
  v.check((at) => !Number.isNaN(at.getTime()), 'must be a moment'),
);

/** A moment as ISO text with milliseconds, so that comparing texts compares moments. */
export const moment = (name: string) => attribute(name, Moment, (at) => at.toISOString());

export function map<F extends Fields>(name: string, members: F): Field<Values<F>> {
  const { entries, read, write } = group(members);
  return attribute(name, v.pipe(v.object(entries), v.transform(read)), write);
}

export function list<F extends Fields>(name: string, members: F): Field<readonly Values<F>[]> {
  const { entries, read, write } = group(members);
  const schema = v.pipe(
    v.array(v.object(entries)),
    v.transform((items): readonly Values<F>[] => items.map(read)),
  );
  return attribute(name, schema, (values) => values.map(write));
}

/** A field that may be missing. A group is missing if any of its required attributes is. */
export function optional<Value>({ entries, read, write }: Field<Value>): OptionalField<Value> {
  const all = Object.entries(entries);
  const needed = all.flatMap(([name, { type }]) => (type === 'optional' ? [] : [name]));
  return {
    isOptional: true,
    entries: Object.fromEntries(all.map(([name, entry]) => [name, v.optional(entry)])),
    read: (attributes) =>
      needed.every((name) => attributes[name] !== undefined) ? read(attributes) : undefined,
    write: (value) => (value === undefined ? {} : write(value)),
  };
}

/** A field that is stored as null if there is no value. */
export function nullable<Value>({ entries, read, write }: Field<Value>): Field<Value | null> {
  const names = Object.keys(entries);
  return {
    entries: Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [name, v.nullable(entry)]),
    ),
    read,
    write: (value) =>
      value === null ? Object.fromEntries(names.map((name) => [name, null])) : write(value),
  };
}

/** A field that is stored only while it differs from its usual value. */
export function sparse<Value extends boolean | number | string>(
  field: Field<Value>,
  usual: Value,
): Field<Value> {
  const { entries, read } = optional(field);
  return {
    entries,
    read: (attributes) => read(attributes) ?? usual,
    write: (value) => (value === usual ? {} : field.write(value)),
  };
}
