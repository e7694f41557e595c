import type { ApiDocument, JsonSchema } from '../client/document.ts';
import { listMethods } from '../client/write-operations.ts';
import { isSchema } from '../client/write-type.ts';
import { writePythonName, writeSnake } from './names.ts';

/** The first line of each generated file. */
export const heading = '# Made by `npm run describe` from docs/openapi.json. Do not edit.\n';

/** Schemas of headers, which the package writes by itself. */
const written = ['Payload', 'BatchPayload'];

/** Names for shapes that many answers share, and for the kinds of a union. */
const sharedShapes = new Map([
  ['time: float\nspace: float', 'Amount'],
  ['from_: str\nto: str\nsha256: str | None = None', 'FetchedInput'],
  ['used: float\nasked: float', 'Share'],
  ['granted: int\nleft: int\nheld: int\nused: int', 'TimeUsage'],
  [
    'location: Literal["path", "payload", "header", "query", "body"]\nname: str\nmessage: str',
    'FieldError',
  ],
  ['granted: float\nleft: float\nheld: float\nused: float', 'SpaceUsage'],
  [
    'name: str\nfrom_: str\nuntil: str | None\nreason: str\ndrain: bool\nsource: Literal["administrator", "catalog", "slurm"]',
    'MaintenanceWindow',
  ],
]);
const variants: Readonly<Record<string, readonly string[]>> = {
  Ledger: ['LedgerLine', 'LedgerDay', 'LedgerJob'],
  GrantedRow: ['RowGranted', 'GrantRefused', 'GrantNotDone'],
  AccountRow: ['AccountMapped', 'AccountRefused', 'AccountNotDone'],
};

/** The names of unions, each of which has a function that reads it. */
export const unionNames = Object.keys(variants);

/** Methods for people, written by hand, that a model inherits. */
const faces: Readonly<Record<string, string>> = { Quota: 'QuotaFace', Timeline: 'TimelineFace' };

/** Writes a Python class for each schema and for each object within one. */
export function writeModels(document: ApiDocument): string {
  const classes = new ClassList();
  const { schemas } = document.components;
  const forms = unionNames.flatMap((name) => listForms(schemas, name).map((form) => form.name));
  for (const [name, schema] of Object.entries(schemas)) {
    if (unionNames.includes(name)) writeUnion(classes, name, listForms(schemas, name));
    else if (!written.includes(name) && !forms.includes(name)) classes.write(name, schema);
  }
  const bodies = new BodyList();
  for (const { name, forms } of listMethods(document)) {
    const schema = forms[0]?.requestBody?.content['application/json']?.schema;
    if (schema) bodies.write(`${capitalize(name)}Body`, schema);
  }
  const all = [...classes.texts, ...classes.unions, ...bodies.texts].join('\n');
  const usesAny = /\bAny\b/.test(all);
  return `${heading}"""The answers of the service, and the bodies of requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ${[...(usesAny ? ['Any'] : []), 'Literal', 'TypedDict'].join(', ')}

from ._faces import ${Object.values(faces).sort().join(', ')}
from ._model import Model, read_one_of

${all}`;
}

interface Form {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Lists the forms of a union, each of which is a schema of its own or a list of such. */
function listForms(schemas: ApiDocument['components']['schemas'], union: string): Form[] {
  return (alternatives(schemas[union] ?? {}) ?? []).map((form) => {
    const { $ref: reference } = isSchema(form.items) ? form.items : form;
    const name = String(reference).slice(String(reference).lastIndexOf('/') + 1);
    const schema = schemas[name];
    if (!schema) throw new Error(`A form of ${union} has no name.`);
    return { name, schema };
  });
}

function writeUnion(classes: ClassList, name: string, forms: readonly Form[]): void {
  const names = variants[name];
  if (names?.length !== forms.length) throw new Error(`Name the ${forms.length} kinds of ${name}.`);
  const types = forms.map((form, index) => classes.write(names[index] ?? name, form.schema));
  classes.unions.push(`
${name} = ${types.join(' | ')}


def read_${writeSnake(name)}(value: object) -> ${name}:
    found: ${name} = read_one_of(value, ${types.join(', ')})
    return found
`);
}

/** Collects dataclasses. Objects of the same shape share one. */
class ClassList {
  readonly texts: string[] = [];
  readonly unions: string[] = [];
  private readonly byShape = new Map<string, string>();
  private readonly written = new Set<string>();

  /** Adds a class, unless there is one of the same shape, and returns its name. */
  write(name: string, schema: JsonSchema): string {
    const fields = fieldsOf(schema).map(([field, type, needed]) => {
      const written = this.typeOf(type, `${name}${nameItem(field, type)}`);
      const optional = !needed && !written.endsWith('| None') ? `${written} | None` : written;
      return `${writePythonName(field)}: ${optional}${needed ? '' : ' = None'}`;
    });
    const shape = fields.join('\n');
    const known = this.byShape.get(shape);
    if (known !== undefined && faces[name] === undefined) return known;
    const chosen = sharedShapes.get(shape) ?? name;
    if (this.written.has(chosen)) throw new Error(`Two shapes have the name ${chosen} in Python.`);
    this.written.add(chosen);
    if (!faces[name]) this.byShape.set(shape, chosen);
    const bases = [faces[chosen], 'Model'].filter(Boolean).join(', ');
    const lines = fields.map((field) => `    ${field}`).join('\n');
    this.texts.push(`
@dataclass(frozen=True, kw_only=True)
class ${chosen}(${bases}):
${lines}
`);
    return chosen;
  }

  private typeOf(schema: JsonSchema, name: string): string {
    return writeType(schema, name, (object) => this.write(name, object));
  }
}

interface BodyField {
  readonly name: string;
  readonly type: string;
  readonly needed: boolean;
}

/** Collects the types of request bodies, which callers write as dictionaries. */
class BodyList {
  readonly texts: string[] = [];

  write(name: string, schema: JsonSchema): string {
    const fields = fieldsOf(schema).map(([field, type, needed]): BodyField => {
      const own = `${name}${capitalize(camel(field))}`;
      return {
        name: field,
        type: writeType(type, own, (object) => this.write(own, object)),
        needed,
      };
    });
    const needed = fields.filter((field) => field.needed);
    const others = fields.filter((field) => !field.needed);
    if (needed.length > 0 && others.length > 0) {
      this.texts.push(
        `${writeBody(`_${name}`, 'TypedDict', needed)}\n${writeBody(name, `_${name}, total=False`, others)}`,
      );
    } else {
      const total = others.length > 0 ? ', total=False' : '';
      this.texts.push(writeBody(name, `TypedDict${total}`, fields));
    }
    return name;
  }
}

/** A field whose name is a word of Python can only stand in a call. */
function writeBody(name: string, bases: string, fields: readonly BodyField[]): string {
  if (fields.every((field) => writePythonName(field.name) === field.name)) {
    const lines = fields.map((field) => `    ${field.name}: ${field.type}`);
    return `\nclass ${name}(${bases}):\n${lines.join('\n')}\n`;
  }
  if (!bases.startsWith('TypedDict')) throw new Error(`A field of ${name} needs another name.`);
  const items = fields.map((field) => `${JSON.stringify(field.name)}: ${field.type}`);
  return `\n${name} = TypedDict("${name}", {${items.join(', ')}}${bases.slice('TypedDict'.length)})\n`;
}

/** Writes the Python type of a schema. Objects with fields get a class. */
export function writeType(
  schema: JsonSchema,
  name: string,
  writeClass: (schema: JsonSchema) => string,
): string {
  const { $ref: reference, type, items } = schema;
  const write = (each: JsonSchema) => writeType(each, name, writeClass);
  if (typeof reference === 'string') return reference.slice(reference.lastIndexOf('/') + 1);
  const kinds = alternatives(schema);
  if (kinds) {
    const types = [...new Set(kinds.flatMap((kind) => write(kind).split(/ \| (?![^[]*\])/)))];
    return types.sort((a, b) => Number(a === 'None') - Number(b === 'None')).join(' | ');
  }
  if (Array.isArray(type)) return type.map((each) => write({ ...schema, type: each })).join(' | ');
  const known = listValues(schema);
  if (known) return writeLiteral(known);
  if (type === 'array') return `list[${isSchema(items) ? write(items) : 'Any'}]`;
  if (type === 'object') {
    if (fieldsOf(schema).length > 0) return writeClass(schema);
    const { additionalProperties: more } = schema;
    return `dict[str, ${isSchema(more) ? write(more) : 'Any'}]`;
  }
  return plainTypes[String(type)] ?? 'Any';
}

/** Returns the values that a schema lists. What is null has no others. */
function listValues(schema: JsonSchema): unknown[] | undefined {
  const { const: constant, enum: values, type, not } = schema;
  if (constant !== undefined) return [constant];
  if (isSchema(not) && typeof not.const === 'boolean') return [!not.const];
  return Array.isArray(values) && type !== 'null' ? values : undefined;
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

function writeLiteral(values: readonly unknown[]): string {
  const python = values
    .filter((value) => value !== null)
    .map((value) => {
      if (value === true) return 'True';
      return value === false ? 'False' : JSON.stringify(value);
    });
  return `Literal[${python.join(', ')}]`;
}

function alternatives({ anyOf, oneOf = anyOf }: JsonSchema): JsonSchema[] | undefined {
  return Array.isArray(oneOf) ? oneOf.filter(isSchema) : undefined;
}

function fieldsOf({ properties, required }: JsonSchema): [string, JsonSchema, boolean][] {
  const needed = Array.isArray(required) ? required : [];
  if (!isSchema(properties)) return [];
  return Object.entries(properties).map(([name, field]) => [
    name,
    isSchema(field) ? field : {},
    needed.includes(name),
  ]);
}

/** Names the class of a field. The items of a list have its name in the singular. */
function nameItem(field: string, { type }: JsonSchema): string {
  const name = capitalize(camel(field));
  return type === 'array' ? name.replace(/ies$/, 'y').replace(/s$/, '') : name;
}

function camel(name: string): string {
  return writeSnake(name).replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function capitalize(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
