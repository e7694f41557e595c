import { Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { tableDefinition } from '../../lib/table/definition.ts';
import { type PartitionKind, partitionPatterns } from '../../lib/table/keys.ts';
import type { TableUse } from '../../lib/table/table-use.ts';

export interface EncryptedTable {
  readonly table: Table;
  readonly key: IKey;
}

/**
 * Exactly the actions that are declared, on exactly the partitions that are named, and the key
 * that the table is encrypted with. One statement per use: a transaction may put into several
 * kinds of partitions at once, and must find all of them in one statement.
 */
export function tableStatements(
  { table, key }: EncryptedTable,
  uses: readonly TableUse[],
): PolicyStatement[] {
  if (uses.length === 0) return [];
  return [
    ...uses.map(
      (use) =>
        new PolicyStatement({
          actions: use.actions.map((action) => `dynamodb:${action}`),
          resources: listResources(table.tableArn, use),
          conditions: {
            'ForAllValues:StringLike': {
              'dynamodb:LeadingKeys': use.partitions.map((kind) => partitionPatterns[kind]),
            },
          },
        }),
    ),
    // DynamoDB decrypts the table's own key in the caller's name, for writes as well as for reads.
    new PolicyStatement({
      actions: ['kms:Decrypt'],
      resources: [key.keyArn],
      conditions: {
        StringEquals: {
          'kms:ViaService': `dynamodb.${Stack.of(table).region}.amazonaws.com`,
          'kms:EncryptionContext:aws:dynamodb:tableName': table.tableName,
        },
      },
    }),
  ];
}

/** Partitions of a global index are there and nowhere else; all others are in the table. */
function listResources(tableArn: string, { actions, partitions }: TableUse): string[] {
  const global = partitions.filter(isGlobalIndex);
  const inTable = global.length < partitions.length;
  const local = inTable && actions.includes('Query') ? tableDefinition.localIndexes : [];
  return [
    ...(inTable ? [tableArn] : []),
    ...[...local, ...global].map((index) => `${tableArn}/index/${index}`),
  ];
}

function isGlobalIndex(kind: PartitionKind): boolean {
  return tableDefinition.globalIndexes.some(({ name }) => name === kind);
}
