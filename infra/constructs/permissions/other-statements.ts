import { Stack } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { DeadLetterQueue } from '../triggers/dead-letter-queue.ts';

/** Actions that Lambda performs for functions in a VPC. */
const actions = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

/**
 * Allows Lambda to create network interfaces with the role of the function, but not the code of the
 * function itself. Only calls of the code carry `lambda:SourceFunctionArn`. The condition matches
 * all functions, because naming the own function would be a circular dependency.
 */
export function networkStatements(scope: Construct): PolicyStatement[] {
  const everyFunction = Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function:*',
  });
  return [
    new PolicyStatement({ actions, resources: ['*'] }),
    new PolicyStatement({
      effect: Effect.DENY,
      actions,
      resources: ['*'],
      conditions: { ArnLike: { 'lambda:SourceFunctionArn': everyFunction } },
    }),
  ];
}

/** Lets Lambda send failed events of the function to the dead-letter queue. */
export function deadLetterStatements(queue: DeadLetterQueue | undefined): PolicyStatement[] {
  if (!queue) return [];
  return [new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] })];
}

/** Allows sending events to the bus. */
export function eventStatements({ eventBusArn }: EventBus): PolicyStatement[] {
  return [new PolicyStatement({ actions: ['events:PutEvents'], resources: [eventBusArn] })];
}
