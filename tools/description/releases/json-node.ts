/** A part of a document, of which nothing is known but that it is JSON. */
export type JsonNode = Readonly<Record<string, unknown>>;

/** What lies below, or an empty object where nothing does. */
export function nodeAt(node: JsonNode, ...path: readonly string[]): JsonNode {
  return path.reduce<JsonNode>((at, name) => asNode(at[name]), node);
}

export function asNode(value: unknown): JsonNode {
  return isNode(value) ? value : {};
}

function isNode(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list, one value as a list of one, or nothing as an empty list. */
export function listAt(node: JsonNode, name: string): readonly unknown[] {
  const value = node[name];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Where a reference leads, and by which name: `#/components/schemas/Job` is `Job`. */
export function followReference(
  document: JsonNode,
  node: JsonNode,
): { readonly node: JsonNode; readonly name?: string } {
  const { $ref: reference } = node;
  if (typeof reference !== 'string') return { node };
  const path = reference.split('/').slice(1);
  const name = path.at(-1);
  return { node: nodeAt(document, ...path), ...(name !== undefined && { name }) };
}
