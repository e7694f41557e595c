import * as v from 'valibot';

/**
 * The parts of OpenAPI that docs/openapi.json has. Anything else is refused, because the page would
 * leave it out without a word.
 */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: Schema | boolean | undefined;
  readonly propertyNames?: Schema | undefined;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly allOf?: readonly Schema[] | undefined;
  readonly not?: Schema | undefined;
  readonly contentSchema?: Schema | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

const inner = v.optional(v.lazy((): v.GenericSchema<Schema> => Schema));
const several = v.optional(v.array(v.lazy((): v.GenericSchema<Schema> => Schema)));
const text = v.optional(v.string());
const count = v.optional(v.number());

const Schema: v.GenericSchema<Schema> = v.strictObject({
  $ref: text,
  type: v.optional(v.union([v.string(), v.array(v.string())])),
  description: text,
  properties: v.optional(
    v.record(
      v.string(),
      v.lazy(() => Schema),
    ),
  ),
  required: v.optional(v.array(v.string())),
  additionalProperties: v.optional(v.union([v.boolean(), v.lazy(() => Schema)])),
  propertyNames: inner,
  items: inner,
  anyOf: several,
  oneOf: several,
  allOf: several,
  not: inner,
  contentSchema: inner,
  enum: v.optional(v.array(v.unknown())),
  const: v.optional(v.unknown()),
  default: v.optional(v.unknown()),
  format: text,
  pattern: text,
  minimum: count,
  maximum: count,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
});

const Reference = v.strictObject({ $ref: v.string() });

const Content = v.record(
  v.string(),
  v.strictObject({
    schema: Schema,
    example: v.optional(v.unknown()),
    examples: v.optional(v.record(v.string(), v.strictObject({ value: v.unknown() }))),
    'x-itemSchema': v.optional(Schema),
  }),
);

const Answer = v.strictObject({
  description: v.string(),
  headers: v.optional(v.record(v.string(), Reference)),
  content: v.optional(Content),
  links: v.optional(v.unknown()),
});

const Parameter = v.strictObject({
  name: v.string(),
  in: v.picklist(['path', 'query', 'header']),
  required: v.boolean(),
  description: v.string(),
  schema: Schema,
  example: v.optional(v.unknown()),
});

const Form = v.strictObject({
  'x-operation': v.string(),
  'x-path': v.string(),
  operationId: v.string(),
  summary: v.string(),
  description: text,
  tags: v.tuple([v.string()]),
  security: v.optional(v.array(v.unknown())),
  parameters: v.array(Parameter),
  requestBody: v.optional(v.strictObject({ required: v.boolean(), content: Content })),
  responses: v.record(v.string(), v.union([Reference, Answer])),
});

const Description = v.strictObject({
  openapi: v.string(),
  info: v.object({ title: v.string(), version: v.string(), description: v.string() }),
  servers: v.unknown(),
  security: v.unknown(),
  tags: v.array(v.strictObject({ name: v.string(), description: v.string() })),
  paths: v.record(
    v.string(),
    v.partial(v.strictObject({ get: Form, post: Form, put: Form, delete: Form })),
  ),
  components: v.strictObject({
    securitySchemes: v.unknown(),
    headers: v.record(
      v.string(),
      v.strictObject({ description: v.string(), schema: Schema, example: v.unknown() }),
    ),
    responses: v.record(v.string(), Answer),
    schemas: v.record(v.string(), Schema),
  }),
});

export type Description = v.InferOutput<typeof Description>;
export type Parameter = v.InferOutput<typeof Parameter>;
export type Content = v.InferOutput<typeof Content>;
export type Answer = v.InferOutput<typeof Answer>;
export type Form = v.InferOutput<typeof Form>;

/** Throws an error that names the place if the description has anything that the page does not show. */
export function readDescription(document: unknown): Description {
  const parsed = v.safeParse(Description, document);
  if (parsed.success) {
    refuseDeadReferences(JSON.stringify(document), parsed.output.components);
    return parsed.output;
  }
  const [issue] = parsed.issues;
  throw new Error(`docs/openapi.json, ${v.getDotPath(issue) ?? 'the root'}: ${issue.message}`);
}

function refuseDeadReferences(text: string, components: Description['components']): void {
  for (const [, reference = ''] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
    const [, kind, name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(reference) ?? [];
    const known = Object.entries(components).find(([each]) => each === kind)?.[1];
    if (Object.hasOwn(Object(known), name)) continue;
    throw new Error(`docs/openapi.json: ${reference} leads nowhere.`);
  }
}

/** Returns what a `$ref` names among the components of one kind. */
export function follow<Found>(
  components: Readonly<Record<string, Found>>,
  reference: string,
): Found {
  const name = nameOf(reference);
  const found = components[name];
  if (found) return found;
  throw new Error(`docs/openapi.json: ${reference} leads nowhere.`);
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
