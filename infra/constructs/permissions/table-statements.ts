import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { tableDefinition } from '#lib/table/definition.ts';
import { type PartitionKind, partitionPatterns } from '#lib/table/keys.ts';
import type { Grant } from '#lib/table/table-use.ts';
import { serviceHost } from '../../settings/stack-values.ts';
import type { ServedTable } from '../data/slipway-table.ts';
import type { Declaration } from '../functions/declarations.ts';

export interface EncryptedTable {
  readonly table: ServedTable;
  readonly key: IKey;
}

/**
 * Exactly the actions that are declared, on exactly the partitions that are named, and the key
 * that the table and its stream are encrypted with. One statement per use: a transaction may put
 * into several kinds of partitions at once, and must find all of them in one statement.
 */
export function tableStatements(
  { table, key }: EncryptedTable,
  { tableUses, readsStream }: Pick<Declaration, 'tableUses' | 'readsStream'>,
): PolicyStatement[] {
  if (tableUses.length === 0 && !readsStream) return [];
  return [
    ...tableUses.map(
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
    ...(readsStream ? streamStatements(table) : []),
    // DynamoDB decrypts the table's own key in the caller's name, for writes as well as for reads.
    new PolicyStatement({
      actions: ['kms:Decrypt'],
      resources: [key.keyArn],
      conditions: {
        StringEquals: {
          'kms:ViaService': serviceHost(table, 'dynamodb'),
          'kms:EncryptionContext:aws:dynamodb:tableName': table.tableName,
        },
      },
    }),
  ];
}

/** Lets Lambda read the stream on the function's behalf. */
function streamStatements({ streamArn }: ServedTable): PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [streamArn],
    }),
    // It knows no resources: it gives names of streams, and nothing of what is in them.
    new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }),
  ];
}

/** Partitions of a global index are there and nowhere else; all others are in the table. */
function listResources(tableArn: string, { actions, partitions }: Grant): string[] {
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
