import { describe, expect, it } from 'vitest';
import { tableDefinition } from '#lib/table/definition.ts';
import { centre, findAll, findByPath, production, synthesize } from './synthesize.ts';

const dev = synthesize(centre);
const prod = synthesize(production);
const [keyId] = findByPath(dev.data, 'Key/Resource');
const [tableId, table] = findByPath(dev.data, 'Table/Resource');

describe('the table', () => {
  it('is the only one, and keeps its logical id: another id is another, empty table', () => {
    const ids = findAll(dev.data, 'AWS::DynamoDB::Table').map(([id]) => id);
    expect(ids).toEqual(['TableCD117FA1']);
    expect(findByPath(prod.data, 'Table/Resource')[0]).toBe('TableCD117FA1');
  });

  it('has the shape of lib/table/definition.ts', () => {
    const { partitionKey, sortKey, localIndexes, globalIndexes } = tableDefinition;
    expect(table.Properties).toMatchObject({
      KeySchema: [
        { AttributeName: partitionKey, KeyType: 'HASH' },
        { AttributeName: sortKey, KeyType: 'RANGE' },
      ],
      LocalSecondaryIndexes: localIndexes.map((index) => ({
        IndexName: index,
        KeySchema: [
          { AttributeName: partitionKey, KeyType: 'HASH' },
          { AttributeName: index, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      })),
      GlobalSecondaryIndexes: globalIndexes.map((index) => ({
        IndexName: index.name,
        KeySchema: [
          { AttributeName: index.partitionKey, KeyType: 'HASH' },
          { AttributeName: index.sortKey, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: index.projection },
      })),
    });
    expect(table.Properties.LocalSecondaryIndexes).toHaveLength(3);
  });

  it('declares its keys as text, and nothing else', () => {
    const names = [
      tableDefinition.partitionKey,
      tableDefinition.sortKey,
      ...tableDefinition.localIndexes,
      ...tableDefinition.globalIndexes.flatMap((index) => [index.partitionKey, index.sortKey]),
    ];
    const attributes = table.Properties.AttributeDefinitions as { AttributeName: string }[];
    const byName = attributes.toSorted((a, b) => a.AttributeName.localeCompare(b.AttributeName));
    expect(byName).toEqual(
      [...new Set(names)]
        .toSorted((a, b) => a.localeCompare(b))
        .map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    );
  });

  it.each([
    ['dev', dev],
    ['prod', prod],
  ])('is on demand, recoverable, encrypted, and streams, in %s', (_, { data }) => {
    expect(findByPath(data, 'Table/Resource')[1].Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: {
        SSEEnabled: true,
        SSEType: 'KMS',
        KMSMasterKeyId: { 'Fn::GetAtt': [keyId, 'Arn'] },
      },
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
    });
  });

  it('cannot be deleted in production', () => {
    const [, kept] = findByPath(prod.data, 'Table/Resource');
    expect(kept.Properties.DeletionProtectionEnabled).toBe(true);
    expect(kept).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  });

  it('goes with its stack elsewhere', () => {
    expect(table.Properties.DeletionProtectionEnabled).toBe(false);
    expect(table).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
  });

  it('is read out in the outputs', () => {
    expect(dev.data.Outputs?.TableName?.Value).toEqual({ Ref: tableId });
  });
});
