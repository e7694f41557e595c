import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { awsBatchSource } from '#lib/events/aws-batch-event.ts';
import type { ServiceFunction } from '../functions/service-function.ts';

export interface JobReportsProps {
  /** Names or ARNs of the queues on AWS Batch that the catalog uses. */
  readonly queues: readonly string[];
  readonly target: ServiceFunction;
}

/**
 * Tells a function when a job on AWS Batch begins to run or ends. Tasks of arrays are left to the
 * sweep, which checks a hundred of them by one call. An old report is worthless, so it is dropped
 * after some minutes, without a place for what is dropped.
 */
export class JobReports extends Construct {
  constructor(scope: Construct, id: string, { queues, target }: JobReportsProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const rule = new Rule(this, 'Rule', {
      eventPattern: {
        source: [awsBatchSource],
        detailType: ['Batch Job State Change'],
        detail: {
          jobQueue: [...new Set(queues)].map((queue) => toArn(stack, queue)),
          status: ['RUNNING', 'SUCCEEDED', 'FAILED'],
          arrayProperties: { index: [{ exists: false }] },
        },
      },
      targets: [
        new LambdaFunction(target.lambda, {
          maxEventAge: Duration.minutes(5),
          retryAttempts: 3,
        }),
      ],
    });
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'The clock looks at each job anyway; a report only makes that sooner.',
    });
  }
}

function toArn(stack: Stack, queue: string): string {
  if (queue.startsWith('arn:')) return queue;
  return stack.formatArn({ service: 'batch', resource: 'job-queue', resourceName: queue });
}
