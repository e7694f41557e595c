import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { AwsBatchAction } from '#functions/schedules.ts';
import type { AwsBatchSystem } from '../../settings/aws-batch.ts';
import { acknowledgeStar } from './acknowledge-star.ts';

/** Actions that AWS cannot limit to a resource. They only read. */
const unlimited: readonly AwsBatchAction[] = ['DescribeJobQueues', 'DescribeJobs', 'ListJobs'];

/**
 * Allows the declared calls of AWS Batch. A job is submitted to a queue of the catalog, with a job
 * definition of the catalog. AWS chooses the ids of jobs, so TerminateJob cannot name them.
 */
export function awsBatchStatements(
  scope: Construct,
  systems: readonly AwsBatchSystem[],
  actions: readonly AwsBatchAction[],
): PolicyStatement[] {
  if (systems.length === 0) return [];
  const queues = systems
    .flatMap(({ queue, classQueues }) => [queue, ...classQueues])
    .map((queue) => toArn(scope, 'job-queue', queue));
  const definitions = listDefinitions(systems).flatMap((each) => listRevisions(scope, each));
  const anyJob = toArn(scope, 'job', '*');
  const allow = (action: AwsBatchAction, resources: string[]) =>
    actions.includes(action)
      ? [new PolicyStatement({ actions: [`batch:${action}`], resources })]
      : [];
  const reading = actions.filter((action) => unlimited.includes(action));
  return [
    ...allow('SubmitJob', [...new Set([...queues, ...definitions, anyJob])]),
    ...allow('TerminateJob', [anyJob]),
    ...(reading.length > 0
      ? [
          new PolicyStatement({
            actions: reading.map((action) => `batch:${action}`),
            resources: ['*'],
          }),
        ]
      : []),
  ];
}

/** Acknowledges findings of cdk-nag about the stars in these statements. */
export function acknowledgeAwsBatch(scope: Construct, systems: readonly AwsBatchSystem[]): void {
  const starred = [
    toArn(scope, 'job', '*'),
    ...listDefinitions(systems).flatMap((each) => listRevisions(scope, each)),
  ].filter((arn) => arn.endsWith('*'));
  const reason = 'AWS chooses the ids of jobs, and numbers the revisions of a job definition.';
  for (const arn of new Set(starred)) acknowledgeStar(scope, arn, reason);
}

function listDefinitions(systems: readonly AwsBatchSystem[]): string[] {
  return systems.flatMap(({ definition, imageDefinitions }) => [definition, ...imageDefinitions]);
}

/** Lists a job definition without its revision, and all of its revisions. */
function listRevisions(scope: Construct, definition: string): string[] {
  const arn = toArn(scope, 'job-definition', definition);
  return /:\d+$/.test(definition) ? [arn] : [arn, `${arn}:*`];
}

function toArn(scope: Construct, resource: string, nameOrArn: string): string {
  if (nameOrArn.startsWith('arn:')) return nameOrArn;
  return Stack.of(scope).formatArn({ service: 'batch', resource, resourceName: nameOrArn });
}
