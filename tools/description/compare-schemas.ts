/**
 * Finds breaking changes of a schema. Requests may accept more than before, and answers may vary
 * less. Answers may also get new fields and new enum values, because clients ignore unknown ones.
 */
export function compareSchemas(documents: Pair, pair: SchemaPair): Break[] {
  const before = followReference(documents.before, pair.before);
  const after = followReference(documents.after, pair.after);
  const followed = {
    ...pair,
    // Use the name of a shared schema, so that its break is reported once and not for each use.
    name: before.name ?? pair.name,
    before: before.node,
    after: after.node,
  };
  if (hasForms(followed.before) || hasForms(followed.after))
    return compareForms(documents, followed);
  return [
    ...compareTypes(followed),
    ...compareValues(followed),
    ...compareBounds(followed),
    ...compareProperties(documents, followed),
    ...compareInner(documents, followed),
  ];
}

function compareTypes({ way, name, before, after }: SchemaPair): Break[] {
  const [from, to] = way === 'sent' ? [before, after] : [after, before];
  const taken = listTypes(to);
  if (taken.length === 0) return [];
  const given = listTypes(from);
  const left = given.filter(
    (type) => !taken.includes(type) && !(type === 'integer' && taken.includes('number')),
  );
  if (given.length > 0 && left.length === 0) return [];
  const words = given.length === 0 ? 'anything' : left.join(', ');
  return [{ name, what: way === 'sent' ? `does not take ${words} any more` : `may be ${words}` }];
}

/** A constant has a type, also where none is written. */
function listTypes(schema: JsonNode): readonly unknown[] {
  return 'const' in schema ? [typeof schema.const] : listAt(schema, 'type');
}

/** New values in answers break nothing, but losing the list of values does. */
function compareValues({ way, name, before, after }: SchemaPair): Break[] {
  const [old, now] = [listValues(before), listValues(after)];
  if (way === 'answered') {
    return old && !now ? [{ name, what: 'may be another value than those listed' }] : [];
  }
  if (!now) return [];
  if (!old) return [{ name, what: `takes only ${now.join(', ')}` }];
  return old
    .filter((value) => !now.includes(value))
    .map((value) => ({ name, what: `does not take ${value} any more` }));
}

function listValues(schema: JsonNode): readonly unknown[] | undefined {
  const { not, type } = schema;
  // What is true or false, and not one of them, is the other.
  const excluded = type === 'boolean' ? listAt(asNode(not), 'const') : [];
  const left = excluded.map((value) => !value);
  const values = [...listAt(schema, 'enum'), ...listAt(schema, 'const'), ...left];
  return values.length === 0 ? undefined : values;
}

function compareProperties(documents: Pair, pair: SchemaPair): Break[] {
  const { way, name, before, after } = pair;
  const [old, now] = [nodeAt(before, 'properties'), nodeAt(after, 'properties')];
  const [needed, neededNow] = [listAt(before, 'required'), listAt(after, 'required')];
  const isClosed = after.additionalProperties === false;
  const ofOld = Object.keys(old).flatMap((each): Break[] => {
    const inner = { ...pair, name: `${name}.${each}` };
    if (!(each in now)) {
      return way === 'answered' || isClosed ? [{ name: inner.name, what: 'is gone' }] : [];
    }
    const isLoose = way === 'answered' && needed.includes(each) && !neededNow.includes(each);
    const [oldSchema, newSchema] = [asNode(old[each]), asNode(now[each])];
    return [
      ...(isLoose ? [{ name: inner.name, what: 'is not always there' }] : []),
      ...compareSchemas(documents, { ...inner, before: oldSchema, after: newSchema }),
    ];
  });
  const newlyNeeded = neededNow.filter((each) => way === 'sent' && !needed.includes(each));
  const closed = way === 'sent' && isClosed && before.additionalProperties !== false;
  return [
    ...ofOld,
    ...newlyNeeded.map((each) => ({ name: `${name}.${each}`, what: 'must be sent' })),
    ...(closed && 'properties' in before ? [{ name, what: 'takes no other fields any more' }] : []),
  ];
}

/** Compares the schemas of all items of a list, or of all other fields of an object. */
function compareInner(documents: Pair, pair: SchemaPair): Break[] {
  return ['items', 'additionalProperties'].flatMap((keyword) => {
    const [before, after] = [pair.before[keyword], pair.after[keyword]];
    if (typeof before !== 'object' || typeof after !== 'object') return [];
    return compareSchemas(documents, {
      ...pair,
      name: `${pair.name}[]`,
      before: asNode(before),
      after: asNode(after),
    });
  });
}

/** Every form of the new schema must match a known form. */
function compareForms(documents: Pair, pair: SchemaPair): Break[] {
  const { way, name } = pair;
  const [old, now] = [listForms(pair.before), listForms(pair.after)];
  const fits = (before: JsonNode, after: JsonNode) =>
    compareSchemas(documents, { ...pair, before, after }).length === 0;
  const lost =
    way === 'sent'
      ? old.filter((one) => !now.some((other) => fits(one, other)))
      : now.filter((other) => !old.some((one) => fits(one, other)));
  const words = way === 'sent' ? 'is not taken any more' : 'is new or has changed';
  return lost.map((form) => ({ name, what: `the form ${shorten(form)} ${words}` }));
}

function hasForms(schema: JsonNode): boolean {
  return 'anyOf' in schema || 'oneOf' in schema;
}

/** A schema without alternatives is its own only form. */
function listForms(schema: JsonNode): readonly JsonNode[] {
  if (Array.isArray(schema.type)) return schema.type.map((type) => formOf(schema, type));
  const forms = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')].map(asNode);
  return forms.length > 0 ? forms.flatMap(listForms) : [schema];
}

/** Returns the schema with one of its types. Null has no other keywords, and no other type has null. */
function formOf({ enum: values, ...schema }: JsonNode, type: unknown): JsonNode {
  if (type === 'null') return { type };
  const others = Array.isArray(values) ? values.filter((value) => value !== null) : undefined;
  return { ...schema, type, ...(others && { enum: others }) };
}

function shorten(form: JsonNode): string {
  const text = JSON.stringify(form);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** A change that breaks older clients. */
export interface Break {
  /** The name that the changelog uses: `Job.title`, `listJobs ?limit`. */
  readonly name: string;
  readonly what: string;
}

/** The earlier and the later description of the same thing. */
export interface Pair {
  readonly before: JsonNode;
  readonly after: JsonNode;
}

/** Two schemas of the same thing. */
export interface SchemaPair extends Pair {
  /** The direction of the data: sent by clients, or answered by the service. */
  readonly way: 'sent' | 'answered';
  readonly name: string;
}

export type JsonNode = Readonly<Record<string, unknown>>;

/** Returns the node at a path, or an empty object if there is none. */
export function nodeAt(node: JsonNode, ...path: readonly string[]): JsonNode {
  return path.reduce<JsonNode>((at, name) => asNode(at[name]), node);
}

export function asNode(value: unknown): JsonNode {
  return isNode(value) ? value : {};
}

function isNode(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns a field as a list. A single value becomes a list of one, a missing field an empty one.
 */
export function listAt(node: JsonNode, name: string): readonly unknown[] {
  const value = node[name];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Follows a reference and returns its name: `#/components/schemas/Job` is `Job`. */
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

const lowest = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const highest = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const forms = ['pattern', 'format'];

/** Bounds of requests may be relaxed but not tightened; bounds of answers the other way round. */
function compareBounds({ way, name, before, after }: SchemaPair): Break[] {
  const [from, to] = way === 'sent' ? [before, after] : [after, before];
  const tighter = [
    ...lowest.filter((keyword) => isAbove(to[keyword], from[keyword])),
    ...highest.filter((keyword) => isAbove(from[keyword], to[keyword])),
    ...[...lowest, ...highest].filter((keyword) => keyword in to && !(keyword in from)),
    ...forms.filter((keyword) => keyword in to && to[keyword] !== from[keyword]),
  ];
  return tighter.map((keyword) => ({
    name,
    what: `\`${keyword}\` was ${show(before[keyword])} and is ${show(after[keyword])}`,
  }));
}

function isAbove(one: unknown, other: unknown): boolean {
  return typeof one === 'number' && typeof other === 'number' && one > other;
}

function show(value: unknown): string {
  return value === undefined ? 'not there' : String(value);
}
