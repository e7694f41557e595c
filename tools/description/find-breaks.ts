import {
  asNode,
  type Break,
  compareSchemas,
  followReference,
  type JsonNode,
  listAt,
  nodeAt,
  type Pair,
  type SchemaPair,
} from './compare-schemas.ts';

/** Finds everything in a later API description that breaks clients of an earlier one. */
export function findBreaks(before: JsonNode, after: JsonNode): Break[] {
  const documents = { before, after };
  const now = listOperations(after);
  const breaks = [...listOperations(before)].flatMap(([key, old]) => {
    const operation = now.get(key);
    return operation
      ? compareOperations(documents, { before: old, after: operation })
      : [{ name: String(old.operationId), what: `${key} is gone` }];
  });
  return [...new Map(breaks.map((each) => [`${each.name} ${each.what}`, each])).values()];
}

/** Keys operations by method and path. Names in a path and its trailing slash do not matter. */
function listOperations(document: JsonNode): ReadonlyMap<string, JsonNode> {
  return new Map(
    Object.entries(nodeAt(document, 'paths')).flatMap(([path, item]) =>
      Object.entries(asNode(item)).map(([method, operation]): [string, JsonNode] => [
        `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}').replace(/\/$/, '')}`,
        asNode(operation),
      ]),
    ),
  );
}

function compareOperations(documents: Pair, pair: Pair): Break[] {
  const { before, after } = pair;
  const name = String(before.operationId);
  const isPublic = ({ security }: JsonNode) => Array.isArray(security) && security.length === 0;
  return [
    ...(isPublic(before) && !isPublic(after) ? [{ name, what: 'needs a token' }] : []),
    ...compareParameters(documents, name, pair),
    ...compareBodies(documents, name, pair),
    ...compareAnswers(documents, name, pair),
  ];
}

/**
 * Compares parameters. Parts of a path are compared by position, because their names are not sent.
 */
function compareParameters(documents: Pair, operation: string, pair: Pair): Break[] {
  const [old, now] = [listParameters(pair.before), listParameters(pair.after)];
  const ofOld = [...old].flatMap(([key, parameter]): Break[] => {
    const name = `${operation} ${key}`;
    const other = now.get(key);
    if (!other) return [{ name, what: 'is gone' }];
    const isNeeded = other.required === true && parameter.required !== true;
    return [
      ...(isNeeded ? [{ name, what: 'must be sent' }] : []),
      ...compareSchemas(documents, {
        way: 'sent',
        name,
        before: schemaOf(parameter),
        after: schemaOf(other),
      }),
    ];
  });
  const added = [...now].filter(([key, { required }]) => required === true && !old.has(key));
  return [
    ...ofOld,
    ...added.map(([key]) => ({ name: `${operation} ${key}`, what: 'must be sent' })),
  ];
}

const marks: Readonly<Record<string, string>> = { query: '?', header: '' };

function listParameters(operation: JsonNode): ReadonlyMap<string, JsonNode> {
  const all = listAt(operation, 'parameters').map(asNode);
  const inPath = all.filter(({ in: place }) => place === 'path');
  return new Map([
    ...inPath.map((each, index): [string, JsonNode] => [`part ${index + 1} of the path`, each]),
    ...all
      .filter((each) => !inPath.includes(each))
      .map((each): [string, JsonNode] => [`${marks[String(each.in)]}${each.name}`, each]),
  ]);
}

/** Returns the schema of a parameter. That of JSON in a header is in `content` or `contentSchema`. */
function schemaOf(parameter: JsonNode): JsonNode {
  const [content] = Object.values(nodeAt(parameter, 'content')).map(asNode);
  const schema = nodeAt(content ?? parameter, 'schema');
  return 'contentSchema' in schema ? nodeAt(schema, 'contentSchema') : schema;
}

function compareBodies(documents: Pair, operation: string, pair: Pair): Break[] {
  const [before, after] = [nodeAt(pair.before, 'requestBody'), nodeAt(pair.after, 'requestBody')];
  const name = `${operation} body`;
  const isNeeded = after.required === true && before.required !== true;
  return [
    ...(isNeeded ? [{ name, what: 'must be sent' }] : []),
    ...compareContents(documents, { way: 'sent', name, before, after }),
  ];
}

/**
 * Compares successful answers by status. Problems may be added, so only their schema is compared.
 */
function compareAnswers(documents: Pair, operation: string, pair: Pair): Break[] {
  const now = nodeAt(pair.after, 'responses');
  const answers = Object.entries(nodeAt(pair.before, 'responses')).filter(
    ([status]) => status < '4',
  );
  return [
    ...answers.flatMap(([status, answer]): Break[] => {
      const name = `${operation} ${status}`;
      if (!(status in now)) return [{ name, what: 'is not answered any more' }];
      return compareContents(documents, {
        way: 'answered',
        name,
        before: followReference(documents.before, asNode(answer)).node,
        after: withoutOthers(followReference(documents.after, asNode(now[status])).node, now),
      });
    }),
    ...compareSchemas(documents, {
      way: 'answered',
      name: 'Problem',
      before: nodeAt(documents.before, 'components', 'schemas', 'Problem'),
      after: nodeAt(documents.after, 'components', 'schemas', 'Problem'),
    }),
  ];
}

/** Leaves out forms that are another successful answer. They are there for generators. */
function withoutOthers(answer: JsonNode, answers: JsonNode): JsonNode {
  const schemaIn = (each: JsonNode) => nodeAt(each, 'content', 'application/json', 'schema');
  const { anyOf: forms } = schemaIn(answer);
  if (!Array.isArray(forms)) return answer;
  const others = Object.values(answers).map((each) => JSON.stringify(schemaIn(asNode(each))));
  const own = forms.filter((form) => !others.includes(JSON.stringify(form)));
  return { ...answer, content: { 'application/json': { schema: { anyOf: own } } } };
}

function compareContents(documents: Pair, pair: SchemaPair): Break[] {
  const now = nodeAt(pair.after, 'content');
  return Object.entries(nodeAt(pair.before, 'content')).flatMap(([type, content]): Break[] => {
    if (!(type in now)) return [{ name: pair.name, what: `as ${type} is gone` }];
    const before = nodeAt(asNode(content), 'schema');
    const after = nodeAt(now, type, 'schema');
    // What is not JSON is text or bytes, also where no schema says so.
    const isSaid = 'schema' in asNode(content) || type === 'application/json';
    return !isSaid && after.type === 'string'
      ? []
      : compareSchemas(documents, { ...pair, before, after });
  });
}

/**
 * Lists breaks that the changelog does not announce. An announcement is a line under "Unreleased"
 * with **Breaking** and the name, such as `Job.title`.
 */
export function listUnannounced(breaks: readonly Break[], changelog: string): Break[] {
  const [, unreleased = ''] = changelog.split(/^## Unreleased$/m);
  const [current = ''] = unreleased.split(/^## /m);
  const lines = current.split('\n').filter((line) => line.includes('**Breaking**'));
  return breaks.filter(({ name }) => !lines.some((line) => line.includes(`\`${name}\``)));
}
