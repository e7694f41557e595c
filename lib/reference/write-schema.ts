import { nameOf, type Schema } from './description.ts';
import { type Html, html, markCode } from './html.ts';

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

/** Writes the fields of an object as a table, with those of inner objects as `outer.inner`. */
export function writeFields(schema: Schema, title: string): Html {
  const fields = listFields(schema);
  if (fields.length === 0) return html`<p>${describeType(schema)}</p>`;
  const rows = fields.map(
    ({ name, isRequired, schema }) =>
      html`<tr><th scope="row"><code>${name}</code>${markRequired(isRequired)}</th><td>${describeType(schema)}${describeWords(schema)}</td></tr>`,
  );
  return html`<table><caption>${title}</caption><tbody>${rows}</tbody></table>`;
}

function markRequired(isRequired: boolean): Html | undefined {
  return isRequired ? html` <small>required</small>` : undefined;
}

function listFields(schema: Schema, before = ''): Field[] {
  const forms = [schema, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const own = forms.flatMap((form) =>
    Object.entries(form.properties ?? {}).flatMap(([name, each]) => {
      const isRequired = form.required?.includes(name) ?? false;
      return [{ name: before + name, isRequired, schema: each }, ...listInner(each, before + name)];
    }),
  );
  // Forms of the same object repeat the fields that they share.
  return [...new Map(own.toReversed().map((field) => [field.name, field])).values()].toReversed();
}

function listInner(schema: Schema, name: string): Field[] {
  const { items, additionalProperties: others } = schema;
  return [
    ...listFields({ ...schema, allOf: undefined }, `${name}.`),
    ...(items ? listFields(items, `${name}[].`) : []),
    ...(typeof others === 'object' ? listFields(others, `${name}.*.`) : []),
  ];
}

function describeWords({ description }: Schema): Html | undefined {
  return description === undefined ? undefined : html`. ${markCode(description)}`;
}

/** Writes the type of a value in words, with its limits and a link to a named object. */
export function describeType(schema: Schema): Html {
  const { $ref, contentSchema, items, additionalProperties: others, allOf } = schema;
  if ($ref !== undefined) return html`<a href="#object-${nameOf($ref)}">${nameOf($ref)}</a>`;
  if (contentSchema) return html`JSON: ${describeType(contentSchema)}`;
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return join(forms.map(describeType), ' or ');
  const [only, ...further] = allOf ?? [];
  if (only && further.length === 0) return describeType(only);
  if (schema.enum) return join(schema.enum.map(writeValue), ', ', 'one of ');
  if ('const' in schema) return html`always ${writeValue(schema.const)}`;
  const limits = describeLimits(schema);
  if (items) return html`list of ${describeType(items)}${limits}`;
  if (typeof others === 'object') return html`object of ${describeType(others)}${limits}`;
  return html`${writeTypes(schema)}${limits}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
};

function writeTypes({ type = 'anything', format }: Schema): string {
  const words = [type].flat().map((each) => typeWords[each] ?? each);
  return `${words.join(' or ')}${format === undefined ? '' : ` (${format})`}`;
}

function describeLimits(schema: Schema): Html {
  const bounds = [
    boundOf(schema.minimum, schema.maximum, ''),
    boundOf(schema.minLength, schema.maxLength, ' characters'),
    boundOf(schema.minItems, schema.maxItems, ' entries'),
  ].filter((each) => each !== undefined);
  const form =
    schema.pattern === undefined ? undefined : html`, form <code>${schema.pattern}</code>`;
  const usual =
    schema.default === undefined ? undefined : html`, default ${writeValue(schema.default)}`;
  return html`${bounds.map((each) => `, ${each}`)}${form}${usual}`;
}

function boundOf(least: number | undefined, most: number | undefined, unit: string) {
  if (least !== undefined && most !== undefined) return `${write(least)} to ${write(most)}${unit}`;
  if (least !== undefined) return `at least ${write(least)}${unit}`;
  return most === undefined ? undefined : `at most ${write(most)}${unit}`;
}

function write(number: number): string {
  return number.toLocaleString('en-US');
}

function writeValue(value: unknown): Html {
  return html`<code>${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}</code>`;
}

function join(parts: readonly Html[], between: string, before = ''): Html {
  return html`${before}${parts.map((part, at) => html`${at === 0 ? '' : between}${part}`)}`;
}
