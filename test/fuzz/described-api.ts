import { readFileSync } from 'node:fs';

export type Schema = Readonly<Record<string, unknown>>;

export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  /** With names in braces. */
  readonly path: string;
  readonly parameters: readonly DescribedParameter[];
  /** Schemas and examples of the body by media type. */
  readonly bodies: readonly DescribedBody[];
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
  readonly example: unknown;
}

export interface DescribedBody {
  readonly type: string;
  readonly schema: Schema | undefined;
  /** Of each line, where the body has several. */
  readonly itemSchema: Schema | undefined;
  readonly example: unknown;
}

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
);

/** The API as docs/openapi.json describes it, which a test holds against the code. */
export const describedApi = {
  operations: Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      readOperation(method, path, Object(operation)),
    ),
  ),
  /** Follows a `$ref`. */
  resolve(reference: string): Schema {
    return reference
      .split('/')
      .slice(1)
      .reduce((value, part) => Object(value)[part], document);
  },
};

function readOperation(method: string, path: string, operation: Schema): DescribedOperation {
  const content = Object(Object(operation.requestBody).content);
  const bodies = Object.entries<Record<string, unknown>>(content);
  return {
    id: String(operation.operationId),
    method: method.toUpperCase(),
    path,
    parameters: [operation.parameters ?? []].flat().map((parameter) => {
      const { name, in: place, required, schema = {}, example } = Object(parameter);
      const shared = { name, in: place, required: required === true };
      const { contentSchema: content } = schema;
      return content === undefined
        ? { ...shared, schema, example }
        : { ...shared, schema: content, example: JSON.parse(example) };
    }),
    bodies: bodies.map(([type, { schema, example, 'x-itemSchema': itemSchema }]) => ({
      type,
      // Of text and bytes, a schema says nothing more.
      schema: schema && type.endsWith('json') ? Object(schema) : undefined,
      itemSchema: itemSchema && Object(itemSchema),
      example,
    })),
  };
}
