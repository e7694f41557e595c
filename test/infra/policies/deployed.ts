import { findAll, type Templates } from '../synthesize.ts';
import { account, fillIn, region } from './fill-in.ts';

/** What the service is deployed with, by what the data stack tells the operator. */
export interface Deployed {
  readonly table: string;
  readonly tableArn: string;
  readonly inputs: string;
  readonly results: string;
  /** Undefined where everything has keys of AWS, of which IAM asks callers nothing. */
  readonly keyArn: string | undefined;
  readonly busArn: string;
  /** Where the credentials of the HPC systems are. */
  readonly secretArns: readonly string[];
  /** The queues and job definitions of AWS Batch; none without a system there. */
  readonly awsBatchArns: readonly string[];
}

export function findDeployed(templates: Templates): Deployed {
  const outputs = templates.data.Outputs ?? {};
  const told = (name: string) => {
    const output = outputs[name];
    if (!output) throw new Error(`The data stack tells nothing of ${name}.`);
    return String(fillIn(output.Value, templates));
  };
  const table = told('TableName');
  return {
    table,
    tableArn: `arn:aws:dynamodb:${region}:${account}:table/${table}`,
    inputs: told('InputsBucket'),
    results: told('ResultsBucket'),
    keyArn: outputs.KeyArn && told('KeyArn'),
    busArn: `arn:aws:events:${region}:${account}:event-bus/${told('EventBusName')}`,
    secretArns: Object.keys(outputs)
      .filter((name) => name.endsWith('Credentials'))
      .map(told),
    awsBatchArns: listAwsBatchArns(templates),
  };
}

/** A job definition by the revision that AWS chooses at SubmitJob. */
function listAwsBatchArns({ compute }: Templates): string[] {
  if (!compute) return [];
  const arn = (resource: string) => `arn:aws:batch:${region}:${account}:${resource}`;
  return [
    ...findAll(compute, 'AWS::Batch::JobQueue').map(([, { Properties }]) =>
      arn(`job-queue/${Properties.JobQueueName}`),
    ),
    ...findAll(compute, 'AWS::Batch::JobDefinition').map(([, { Properties }]) =>
      arn(`job-definition/${Properties.JobDefinitionName}:7`),
    ),
  ];
}
