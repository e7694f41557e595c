import { Stack } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { DeadLetterQueue } from '../triggers/dead-letter-queue.ts';

/** Actions that Lambda takes on behalf of a function in a network. */
const actions = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

/**
 * Lambda makes the network interfaces with the role of the function. The function itself must not:
 * what its code asks for carries the function's name, and what Lambda asks for does not. All names
 * of the account are meant, because a role that named its own function would wait for it.
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

/** Lets Lambda put messages aside on behalf of a failed function. */
export function deadLetterStatements(queue: DeadLetterQueue | undefined): PolicyStatement[] {
  if (!queue) return [];
  return [new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] })];
}

/** Allows sending events to the bus. */
export function eventStatements({ eventBusArn }: EventBus): PolicyStatement[] {
  return [new PolicyStatement({ actions: ['events:PutEvents'], resources: [eventBusArn] })];
}
