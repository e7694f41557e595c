import fc from 'fast-check';

export interface RandomRequest {
  readonly operation:
    | 'PutItem'
    | 'UpdateItem'
    | 'DeleteItem'
    | 'GetItem'
    | 'BatchGetItem'
    | 'Query'
    | 'TransactWriteItems';
  readonly input: Readonly<Record<string, unknown>>;
}

type Value = Record<string, unknown>;

/** Numbers at the edges of what is stored, and texts whose order in UTF-8 is not that of JavaScript. */
const numbers = fc.constantFrom(
  ...[
    '0',
    '-0',
    '1',
    '-1',
    '2',
    '10',
    '1.5',
    '1.50',
    '-1.25',
    '1e2',
    '0.001',
    '1E-130',
    '9.99e125',
  ],
  ...['12345678901234567890123456789012345678', '0.1234567890123456789', '-9999999999999999999'],
  '123456789012345678901234567890123456789',
  '1e126',
);
const texts = fc.constantFrom(
  '',
  'a',
  'ab',
  'b',
  'é',
  '\u{ffff}',
  '\u{1f600}',
  'A',
  'a b',
  '\u0000',
);
const bytes = fc.constantFrom('', 'AA==', '/w==', 'AAE=');

const leaf: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: numbers.map((N) => ({ N })) },
  { weight: 4, arbitrary: texts.map((S) => ({ S })) },
  { weight: 1, arbitrary: bytes.map((B) => ({ B })) },
  { weight: 1, arbitrary: fc.boolean().map((BOOL) => ({ BOOL })) },
  { weight: 1, arbitrary: fc.constant({ NULL: true }) },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(fc.constantFrom('x', 'y', 'z', ''), { maxLength: 3 })
      .map((SS) => ({ SS })),
  },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(fc.constantFrom('1', '2', '3.5'), { maxLength: 3 })
      .map((NS) => ({ NS })),
  },
);
const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 6, arbitrary: leaf },
  { weight: 1, arbitrary: fc.array(leaf, { maxLength: 3 }).map((L) => ({ L })) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom('k', 'j'), leaf, { maxKeys: 2 }).map((M) => ({ M })),
  },
);

const key = fc.record({
  PK: fc.constantFrom('P1', 'P2').map((S) => ({ S })),
  SK: fc.constantFrom('a', 'ab', 'b', 'é', '\u{ffff}', '\u{1f600}').map((S) => ({ S })),
});
/** One of its own for each: the order of entries with one index key is nobody's promise. */
const idOf: Readonly<Record<string, string>> = {
  a: '1',
  ab: '-2',
  b: '3.5',
  é: '1e1',
  '\u{ffff}': '-0.5',
};
const attribute = fc.constantFrom('n', 'm', 't', 'doc');
const item = fc
  .tuple(
    key,
    fc.dictionary(attribute, value, { maxKeys: 4 }),
    fc.record(
      {
        stage: fc.constantFrom('S1', 'S2').map((S) => ({ S })),
        projectName: fc.constantFrom('X', 'Y').map((S) => ({ S })),
        title: texts.map((S) => ({ S })),
      },
      { requiredKeys: [] },
    ),
    fc.boolean(),
    // Both or none: DynamoDB Local counts a write of an index for half of its key.
    fc.option(fc.constantFrom('1', '2', '-3'), { nil: undefined }),
  )
  .map(([keys, others, indexed, hasId, due]) => ({
    ...others,
    ...indexed,
    ...(hasId && { id: { N: idOf[keys.SK.S] ?? '0' } }),
    ...(due !== undefined && { dueShard: { S: 'D' }, due: { N: due } }),
    ...keys,
  }));

const path = fc.constantFrom('n', 'm', 't', 'doc', 'doc.k', 'doc[0]', 'n[1]', 'm.j', '#n', 'gone');
const comparator = fc.constantFrom('=', '<>', '<', '<=', '>', '>=');

interface Expression {
  readonly text: string;
  readonly values: Readonly<Record<string, Value>>;
}

const simpleCondition: fc.Arbitrary<Expression> = fc.oneof(
  fc
    .tuple(path, comparator, value)
    .map(([p, c, v]) => ({ text: `${p} ${c} :v`, values: { ':v': v } })),
  fc.tuple(path, comparator, path).map(([p, c, q]) => ({ text: `${p} ${c} ${q}`, values: {} })),
  fc.tuple(fc.constantFrom('attribute_exists', 'attribute_not_exists'), path).map(([f, p]) => ({
    text: `${f}(${p})`,
    values: {},
  })),
  fc.tuple(fc.constantFrom('begins_with', 'contains'), path, leaf).map(([f, p, v]) => ({
    text: `${f}(${p}, :v)`,
    values: { ':v': v },
  })),
  fc.tuple(path, fc.constantFrom('S', 'N', 'L', 'M', 'SS', 'NULL')).map(([p, S]) => ({
    text: `attribute_type(${p}, :v)`,
    values: { ':v': { S } },
  })),
  fc.tuple(path, leaf, leaf).map(([p, v, w]) => ({
    text: `${p} BETWEEN :v AND :w`,
    values: { ':v': v, ':w': w },
  })),
  fc.tuple(path, value, value).map(([p, v, w]) => ({
    text: `${p} IN (:v, :w)`,
    values: { ':v': v, ':w': w },
  })),
  fc.tuple(path, comparator, fc.constantFrom('0', '1', '2')).map(([p, c, N]) => ({
    text: `size(${p}) ${c} :v`,
    values: { ':v': { N } },
  })),
);
const condition: fc.Arbitrary<Expression> = fc.oneof(
  { weight: 4, arbitrary: simpleCondition },
  {
    weight: 1,
    arbitrary: fc
      .tuple(simpleCondition, fc.constantFrom('AND', 'OR'), path)
      .map(([c, join, p]) => ({
        ...c,
        text: `NOT (${c.text}) ${join} attribute_exists(${p})`,
      })),
  },
);

const update: fc.Arbitrary<Expression> = fc.oneof(
  fc.tuple(path, value).map(([p, v]) => ({ text: `SET ${p} = :u`, values: { ':u': v } })),
  fc.tuple(path, path, fc.constantFrom('+', '-'), numbers).map(([p, q, sign, N]) => ({
    text: `SET ${p} = ${q} ${sign} :u`,
    values: { ':u': { N } },
  })),
  fc.tuple(path, path, value).map(([p, q, v]) => ({
    text: `SET ${p} = if_not_exists(${q}, :u)`,
    values: { ':u': v },
  })),
  fc.tuple(path, path, fc.array(leaf, { maxLength: 2 })).map(([p, q, L]) => ({
    text: `SET ${p} = list_append(${q}, :u)`,
    values: { ':u': { L } },
  })),
  fc.tuple(path, value).map(([p, v]) => ({ text: `ADD ${p} :u`, values: { ':u': v } })),
  fc.tuple(path, value).map(([p, v]) => ({ text: `DELETE ${p} :u`, values: { ':u': v } })),
  fc.tuple(path, path).map(([p, q]) => ({ text: `REMOVE ${p}, ${q}`, values: {} })),
  fc
    .tuple(path, path, leaf)
    .map(([p, q, v]) => ({ text: `SET ${p} = :u REMOVE ${q}`, values: { ':u': v } })),
);

function placeholders(...expressions: (Expression | undefined)[]) {
  const values = Object.assign({}, ...expressions.map((each) => each?.values));
  const isNamed = expressions.some((each) => each?.text.includes('#n'));
  return {
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    ...(isNamed && { ExpressionAttributeNames: { '#n': 'n' } }),
  };
}

const total = { ReturnConsumedCapacity: 'TOTAL' };
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
type Make = (TableName: string) => RandomRequest;

const put: fc.Arbitrary<Make> = fc
  .tuple(item, maybe(condition), fc.constantFrom('NONE', 'ALL_OLD'))
  .map(([Item, given, ReturnValues]) => (TableName: string) => ({
    operation: 'PutItem',
    input: {
      TableName,
      Item,
      ReturnValues,
      ...(given && { ConditionExpression: given.text }),
      ...placeholders(given),
      ...total,
    },
  }));

const change: fc.Arbitrary<Make> = fc
  .tuple(
    key,
    update,
    maybe(condition),
    fc.constantFrom('NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'),
  )
  .map(([Key, changed, given, ReturnValues]) => (TableName: string) => ({
    operation: 'UpdateItem',
    input: {
      TableName,
      Key,
      ReturnValues,
      UpdateExpression: changed.text,
      ...(given && { ConditionExpression: given.text }),
      ...placeholders(changed, given),
      ...total,
    },
  }));

const remove: fc.Arbitrary<Make> = fc
  .tuple(key, maybe(condition))
  .map(([Key, given]) => (TableName: string) => ({
    operation: 'DeleteItem',
    input: {
      TableName,
      Key,
      ReturnValues: 'ALL_OLD',
      ...(given && { ConditionExpression: given.text }),
      ...placeholders(given),
      ...total,
    },
  }));

const projection = fc.uniqueArray(fc.constantFrom('n', 'doc.k', 'doc[0]', 'SK', 'title', 't'), {
  minLength: 1,
  maxLength: 3,
});

const get: fc.Arbitrary<Make> = fc
  .tuple(key, maybe(projection), fc.boolean())
  .map(([Key, paths, ConsistentRead]) => (TableName: string) => ({
    operation: 'GetItem',
    input: {
      TableName,
      Key,
      ConsistentRead,
      ...(paths && { ProjectionExpression: paths.join(', ') }),
      ...total,
    },
  }));

const ranges = fc.constantFrom(
  { text: '', values: {} },
  { text: ' AND begins_with(SK, :r)', values: { ':r': { S: 'a' } } },
  { text: ' AND SK > :r', values: { ':r': { S: 'ab' } } },
  { text: ' AND SK <= :r', values: { ':r': { S: '\u{ffff}' } } },
  { text: ' AND SK BETWEEN :r AND :q', values: { ':r': { S: 'a' }, ':q': { S: 'é' } } },
  { text: ' AND :r = SK', values: { ':r': { S: 'b' } } },
  { text: ' AND begins_with(SK, :r)', values: { ':r': { S: '' } } },
);
const indexRanges = fc.constantFrom(
  { text: '', values: {} },
  { text: ' AND id > :r', values: { ':r': { N: '1' } } },
  { text: ' AND id BETWEEN :r AND :q', values: { ':r': { N: '-2' }, ':q': { N: '3.5' } } },
);

const query: fc.Arbitrary<Make> = fc
  .tuple(
    fc.oneof(
      fc.tuple(ranges, fc.constant<string | undefined>(undefined)),
      fc.tuple(indexRanges, fc.constant<string | undefined>('ById')),
    ),
    fc.constantFrom('P1', 'P2'),
    maybe(fc.integer({ min: 1, max: 4 })),
    fc.boolean(),
    maybe(condition),
    maybe(projection),
    fc.boolean(),
  )
  .map(([[range, IndexName], S, Limit, ScanIndexForward, filter, paths, ConsistentRead]) => {
    return (TableName: string) => ({
      operation: 'Query' as const,
      input: {
        TableName,
        IndexName,
        Limit,
        ScanIndexForward,
        ConsistentRead,
        KeyConditionExpression: `PK = :p${range.text}`,
        ...(filter && { FilterExpression: filter.text }),
        ...(paths && { ProjectionExpression: paths.join(', ') }),
        ...placeholders({ text: '', values: { ':p': { S }, ...range.values } }, filter),
        ...total,
      },
    });
  });

/** An index that lacks attributes: local with keys alone, or global with one attribute more. */
const sparse = fc.constantFrom(
  { IndexName: 'ByStage', text: 'PK = :p', values: { ':p': { S: 'P1' } } },
  { IndexName: 'ByStage', text: 'PK = :p AND stage = :r', values: stageValues('S1') },
  { IndexName: 'ByStage', text: 'PK = :p AND begins_with(stage, :r)', values: stageValues('S') },
  { IndexName: 'ByStage', text: 'PK = :p AND begins_with(stage, :r)', values: stageValues('') },
  { IndexName: 'ByProject', text: 'projectName = :p', values: { ':p': { S: 'X' } } },
  { IndexName: 'ByDue', text: 'dueShard = :p AND due > :r', values: dueValues('-1') },
);

function stageValues(S: string): Readonly<Record<string, Value>> {
  return { ':p': { S: 'P1' }, ':r': { S } };
}

function dueValues(N: string): Readonly<Record<string, Value>> {
  return { ':p': { S: 'D' }, ':r': { N } };
}

const filterOfIndex: fc.Arbitrary<Expression> = fc.oneof(
  condition,
  fc.constant({ text: 'attribute_exists(title)', values: {} }),
  fc.constant({ text: 'title > :v OR attribute_exists(gone)', values: { ':v': { S: 'a' } } }),
);

/** Without a limit, because the order of entries with one index key is nobody's promise. */
const queryIndex: fc.Arbitrary<Make> = fc
  .tuple(sparse, maybe(filterOfIndex), maybe(projection), fc.constantFrom(undefined, 'COUNT'))
  .map(([{ IndexName, text, values }, filter, paths, select]) => (TableName: string) => ({
    operation: 'Query' as const,
    input: {
      TableName,
      IndexName,
      KeyConditionExpression: text,
      ...(filter && { FilterExpression: filter.text }),
      ...(paths && !select && { ProjectionExpression: paths.join(', ') }),
      ...(select && { Select: select }),
      ...placeholders({ text: '', values }, filter),
    },
  }));

const batchGet: fc.Arbitrary<Make> = fc
  .uniqueArray(key, { minLength: 1, maxLength: 4, selector: ({ PK, SK }) => `${PK.S} ${SK.S}` })
  .map((Keys) => (TableName: string) => ({
    operation: 'BatchGetItem',
    // Without its cost: DynamoDB Local charges nothing for what is not there, and the service does.
    input: { RequestItems: { [TableName]: { Keys } } },
  }));

const transaction: fc.Arbitrary<Make> = fc
  .tuple(
    fc.uniqueArray(key, {
      minLength: 3,
      maxLength: 3,
      selector: ({ PK, SK }) => `${PK.S} ${SK.S}`,
    }),
    item,
    maybe(condition),
    update,
    condition,
  )
  .map(([[putKey, Key, checkedKey], added, given, changed, checked]) => (TableName: string) => ({
    operation: 'TransactWriteItems',
    input: {
      TransactItems: [
        {
          Put: {
            TableName,
            Item: { ...added, ...putKey },
            ...(given && { ConditionExpression: given.text }),
            ...placeholders(given),
          },
        },
        { Update: { TableName, Key, UpdateExpression: changed.text, ...placeholders(changed) } },
        {
          ConditionCheck: {
            TableName,
            Key: checkedKey,
            ConditionExpression: checked.text,
            ...placeholders(checked),
          },
        },
      ],
    },
  }));

/** Histories of requests on few items, so that they meet. */
export const randomRequests = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: put },
    { weight: 6, arbitrary: change },
    { weight: 2, arbitrary: remove },
    { weight: 3, arbitrary: get },
    { weight: 4, arbitrary: query },
    { weight: 3, arbitrary: queryIndex },
    { weight: 1, arbitrary: batchGet },
    { weight: 1, arbitrary: transaction },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
);
