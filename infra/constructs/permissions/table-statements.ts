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
  readonly key: IKey | undefined;
}

/**
 * Allows exactly the declared actions on the declared partitions, and use of the table's key. Each
 * use has one statement, because a transaction may write to several kinds of partitions and one
 * statement must allow all of them.
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
    ...(key ? [keyStatement(table, key)] : []),
  ];
}

/** DynamoDB decrypts the table key on behalf of the caller, for reads and writes. */
function keyStatement(table: ServedTable, key: IKey): PolicyStatement {
  return new PolicyStatement({
    actions: ['kms:Decrypt'],
    resources: [key.keyArn],
    conditions: {
      StringEquals: {
        'kms:ViaService': serviceHost(table, 'dynamodb'),
        'kms:EncryptionContext:aws:dynamodb:tableName': table.tableName,
      },
    },
  });
}

/** Lets Lambda read the stream on the function's behalf. */
function streamStatements({ streamArn }: ServedTable): PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [streamArn],
    }),
    // ListStreams cannot be limited to a resource. It returns only names of streams.
    new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }),
  ];
}

/** Lists the table and its indexes. Partitions of a global index exist only there. */
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
