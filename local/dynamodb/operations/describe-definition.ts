import { type IndexDefinition, keysOf, type TableDefinition } from '../store/table-definition.ts';

/** Describes the table as DescribeTable does. */
export function describeDefinition(table: TableDefinition): Readonly<Record<string, unknown>> {
  const local = table.indexes.filter(({ kind }) => kind === 'local');
  const global = table.indexes.filter(({ kind }) => kind === 'global');
  return {
    TableName: table.name,
    TableStatus: 'ACTIVE',
    TableArn: `arn:aws:dynamodb:local:000000000000:table/${table.name}`,
    CreationDateTime: table.createdAt / 1000,
    AttributeDefinitions: listAttributes(table),
    KeySchema: describeKeys(table),
    BillingModeSummary: { BillingMode: table.billingMode },
    ...(local.length > 0 && { LocalSecondaryIndexes: local.map(describeIndex) }),
    ...(global.length > 0 && {
      GlobalSecondaryIndexes: global.map((index) => ({
        ...describeIndex(index),
        IndexStatus: 'ACTIVE',
      })),
    }),
  };
}

function listAttributes(table: TableDefinition): object[] {
  const attributes = [table, ...table.indexes].flatMap(keysOf);
  const types = new Map(attributes.map(({ name, type }) => [name, type]));
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

function describeKeys({ hash, range }: Pick<TableDefinition, 'hash' | 'range'>): object[] {
  return [
    { AttributeName: hash.name, KeyType: 'HASH' },
    ...(range ? [{ AttributeName: range.name, KeyType: 'RANGE' }] : []),
  ];
}

function describeIndex(index: IndexDefinition): object {
  return {
    IndexName: index.name,
    KeySchema: describeKeys(index),
    Projection: {
      ProjectionType: index.projection,
      ...(index.included.length > 0 && { NonKeyAttributes: index.included }),
    },
  };
}
