import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { tableDefinition } from '../../lib/table/definition.ts';
import { partitionPatterns } from '../../lib/table/keys.ts';
import type { TableUse } from '../../lib/table/table-use.ts';

/** Exactly the actions that a route declares, on exactly the partitions it names. */
export function grantTableUse(table: TableV2, grantee: IGrantable, use: TableUse): Grant {
  const indexes = tableDefinition.localIndexes.map((index) => `${table.tableArn}/index/${index}`);
  return Grant.addToPrincipal({
    grantee,
    actions: use.actions.map((action) => `dynamodb:${action}`),
    resourceArns: use.actions.includes('Query') ? [table.tableArn, ...indexes] : [table.tableArn],
    conditions: {
      'ForAllValues:StringLike': {
        'dynamodb:LeadingKeys': use.partitions.map((kind) => partitionPatterns[kind]),
      },
    },
  });
}
