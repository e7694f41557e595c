import { Stack, type StackProps } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { DeployConfig } from '../config.ts';
import { SlipwayTable } from '../constructs/slipway-table.ts';

/** What must outlive every deployment. */
export class DataStack extends Stack {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, props: StackProps & { config: DeployConfig }) {
    super(scope, id, props);
    this.table = new SlipwayTable(this, 'Data', props.config).table;
  }
}
