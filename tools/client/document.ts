import * as v from 'valibot';

const schema = v.record(v.string(), v.unknown());

const Parameter = v.looseObject({
  name: v.string(),
  in: v.picklist(['path', 'query', 'header']),
  required: v.boolean(),
  description: v.optional(v.string(), ''),
  schema: v.optional(schema, {}),
});

const Content = v.record(v.string(), v.looseObject({ schema: v.optional(schema) }));

const Operation = v.looseObject({
  'x-operation': v.string(),
  'x-path': v.string(),
  summary: v.string(),
  description: v.optional(v.string()),
  parameters: v.array(Parameter),
  requestBody: v.optional(v.looseObject({ required: v.boolean(), content: Content })),
  responses: v.record(v.string(), v.looseObject({ content: v.optional(Content) })),
});

/** The parts of docs/openapi.json from which the client is generated. */
export const Document = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), Operation)),
  components: v.looseObject({
    schemas: v.record(v.string(), schema),
    responses: v.record(v.string(), v.unknown()),
  }),
});

export type ApiDocument = v.InferOutput<typeof Document>;
export type ApiOperation = v.InferOutput<typeof Operation>;
export type JsonSchema = v.InferOutput<typeof schema>;
