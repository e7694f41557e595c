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
  readonly key: IKey;
  readonly production: boolean;
}

/**
 * The single table, in the shape that lib/table/definition.ts gives it. `TableV2` cannot have a key
 * of ours in a stack that is written for any region, and cdk-nag does not look at it.
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
      // The outbox: what a transaction wrote is sent on from here.
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: key,
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

/** The table that the service uses: the data stack's, or a restored one. */
export interface ServedTable extends Omit<ITable, 'tableStreamArn'> {
  readonly streamArn: string;
}

/**
 * A table that was restored to a point in time (docs/restore.md). It belongs to no stack: what a
 * stack makes cannot begin with what another table held. Its stream names all of it.
 */
export function useRestoredTable(scope: Construct, id: string, streamArn: string): ServedTable {
  const tableArn = streamArn.slice(0, streamArn.indexOf('/stream/'));
  const table = Table.fromTableAttributes(scope, id, { tableArn, tableStreamArn: streamArn });
  return Object.assign(table, { streamArn });
}
