import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** To send events to the one bus. */
export function eventStatements({ eventBusArn }: EventBus): PolicyStatement[] {
  return [new PolicyStatement({ actions: ['events:PutEvents'], resources: [eventBusArn] })];
}
