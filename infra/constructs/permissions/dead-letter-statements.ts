import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { DeadLetterQueue } from '../triggers/dead-letter-queue.ts';

/** Lambda puts aside in the name of the function that failed. */
export function deadLetterStatements(queue: DeadLetterQueue | undefined): PolicyStatement[] {
  if (!queue) return [];
  return [new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] })];
}
