import {
  type Attribute,
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { tableDefinition } from '#lib/table/definition.ts';
import { keepData } from '../../settings/stack-values.ts';

export interface SlipwayTableProps {
  /** By default, DynamoDB's own key encrypts it. */
  readonly key: IKey | undefined;
  readonly production: boolean;
}

/**
 * The single table, as defined in lib/table/definition.ts. Does not use `TableV2`, which does not
 * allow a customer key in a region-agnostic stack and is not checked by cdk-nag.
 */
export class SlipwayTable extends Table {
  readonly streamArn: string;

  constructor(scope: Construct, id: string, { key, production }: SlipwayTableProps) {
    const { partitionKey, sortKey, timeToLive, localIndexes, globalIndexes } = tableDefinition;
    super(scope, id, {
      partitionKey: textAttribute(partitionKey),
      sortKey: textAttribute(sortKey),
      timeToLiveAttribute: timeToLive,
      billingMode: BillingMode.PAY_PER_REQUEST,
      // Serves as an outbox: events are published from committed changes.
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      ...(key
        ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }
        : { encryption: TableEncryption.DEFAULT }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: production,
      removalPolicy: keepData(production),
    });
    if (this.tableStreamArn === undefined) throw new Error('The table has no stream.');
    this.streamArn = this.tableStreamArn;
    for (const index of localIndexes) {
      this.addLocalSecondaryIndex({
        indexName: index,
        sortKey: textAttribute(index),
        projectionType: ProjectionType.ALL,
      });
    }
    for (const index of globalIndexes) {
      this.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: textAttribute(index.partitionKey),
        sortKey: textAttribute(index.sortKey),
        projectionType: ProjectionType[index.projection],
      });
    }
  }
}

function textAttribute(name: string): Attribute {
  return { name, type: AttributeType.STRING };
}

/** The table in use: the data stack's, or a restored one. */
export interface ServedTable extends Omit<ITable, 'tableStreamArn'> {
  readonly streamArn: string;
}

/**
 * Uses a table that was restored to a point in time (docs/restore.md). It is not part of a stack,
 * because CloudFormation cannot create a table from the data of another. The ARN of its stream
 * contains the ARN of the table.
 */
export function useRestoredTable(scope: Construct, id: string, streamArn: string): ServedTable {
  const tableArn = streamArn.slice(0, streamArn.indexOf('/stream/'));
  const table = Table.fromTableAttributes(scope, id, { tableArn, tableStreamArn: streamArn });
  return Object.assign(table, { streamArn });
}
