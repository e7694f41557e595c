import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  Billing,
  ProjectionType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { tableDefinition } from '../../lib/table/definition.ts';

/** The single table, in the shape that lib/table/definition.ts gives it. */
export class SlipwayTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, { production }: { production: boolean }) {
    super(scope, id);
    const { partitionKey, sortKey, timeToLive, localIndexes, globalIndexes } = tableDefinition;
    this.table = new TableV2(this, 'Table', {
      partitionKey: textAttribute(partitionKey),
      sortKey: textAttribute(sortKey),
      timeToLiveAttribute: timeToLive,
      billing: Billing.onDemand(),
      localSecondaryIndexes: localIndexes.map((index) => ({
        indexName: index,
        sortKey: textAttribute(index),
        projectionType: ProjectionType.ALL,
      })),
      globalSecondaryIndexes: globalIndexes.map((index) => ({
        indexName: index.name,
        partitionKey: textAttribute(index.partitionKey),
        sortKey: textAttribute(index.sortKey),
        projectionType: ProjectionType[index.projection],
      })),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: production,
      removalPolicy: production ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}

function textAttribute(name: string): Attribute {
  return { name, type: AttributeType.STRING };
}
