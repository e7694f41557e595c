import { describe, expect, it } from 'vitest';
import { tableDefinition } from '#lib/table/definition.ts';
import { allFunctions } from '../functions-of.ts';
import {
  centre,
  findAll,
  synthesize,
  type Templates,
  withAwsBatch,
  withIssuer,
  withNetwork,
} from '../synthesize.ts';
import { covers } from './covers.ts';
import { findDeployed } from './deployed.ts';
import { account, fillIn, region } from './fill-in.ts';
import { type AuthorizationRequest, areAllowed, isAllowed } from './is-allowed.ts';
import { askForKey, requestsOf } from './requests-of.ts';
import { roleStatements } from './role-statements.ts';

const variants: [string, Templates][] = [
  ['dev', synthesize(centre)],
  ['prod, own network', synthesize({ ...centre, stage: 'prod', ...withNetwork })],
  ['AWS Batch', synthesize({ ...withAwsBatch, ownKey: 'true' })],
  ['numbers given by the service', synthesize({ ...centre, ...withIssuer, userIds: 'assigned' })],
];

describe.each(variants)('of %s', (_, templates) => {
  const deployed = findDeployed(templates);
  const { tableArn, keyArn, inputs } = deployed;
  const arn = (service: string, resource: string) =>
    `arn:aws:${service}:${region}:${account}:${resource}`;
  const roles = new Map(allFunctions.map(({ name }) => [name, roleStatements(templates, name)]));

  /** Those whose roles allow it. */
  const whoMay = (request: AuthorizationRequest): string[] =>
    allFunctions
      .filter(({ name }) => isAllowed(roles.get(name) ?? [], request))
      .map(({ name }) => name);

  const ask = (action: string, resource: string, ...partitions: string[]) => ({
    action,
    resource,
    context: partitions.length > 0 ? { 'dynamodb:LeadingKeys': partitions } : {},
  });
  const places = [
    tableArn,
    ...[
      ...tableDefinition.localIndexes,
      ...tableDefinition.globalIndexes.map(({ name }) => name),
    ].map((index) => `${tableArn}/index/${index}`),
  ];

  const oneself = 'USER#306328';
  const lines = ['LEDGER#306328#hpc_one#proj_hpc_one_01', 'AUDIT#2026-11'];

  it.each([
    ['goes through the whole table', places.map((place) => ask('dynamodb:Scan', place))],
    [
      'asks in another language than that of keys',
      ['Select', 'Insert', 'Update', 'Delete'].map((verb) =>
        ask(`dynamodb:PartiQL${verb}`, tableArn),
      ),
    ],
    [
      'changes the table itself, its backups or who may use it',
      [
        'CreateBackup',
        'DeleteTable',
        'DescribeTable',
        'ExportTableToPointInTime',
        'PutResourcePolicy',
        'RestoreTableToPointInTime',
        'UpdateContinuousBackups',
        'UpdateTable',
        'UpdateTimeToLive',
      ].map((action) => ask(`dynamodb:${action}`, tableArn)),
    ],
    [
      'writes past the conditions of the service',
      lines.concat(oneself).map((key) => ask('dynamodb:BatchWriteItem', tableArn, key)),
    ],
    [
      'takes away or changes a line of a ledger, or an act',
      lines.flatMap((key) =>
        ['DeleteItem', 'UpdateItem'].flatMap((action) => [
          ask(`dynamodb:${action}`, tableArn, key),
          // Nor along with what it may change.
          ask(`dynamodb:${action}`, tableArn, oneself, key),
        ]),
      ),
    ],
    [
      'uses another table, or another account',
      ['GetItem', 'PutItem', 'Query', 'UpdateItem'].flatMap((action) => [
        ask(`dynamodb:${action}`, `${tableArn}-old`, oneself),
        ask(`dynamodb:${action}`, tableArn.replace(account, '210987654321'), oneself),
      ]),
    ],
    [
      'uses keys that the service does not know',
      ['GetItem', 'PutItem', 'Query', 'UpdateItem'].flatMap((action) =>
        ['OTHER#1', 'USER', 'user#306328', ''].map((key) =>
          ask(`dynamodb:${action}`, tableArn, key),
        ),
      ),
    ],
    [
      'uses another bucket, or a bucket itself',
      [
        ...findAll(templates.data, 'AWS::S3::Bucket')
          .map(([id]) => String(fillIn({ 'Fn::GetAtt': [id, 'Arn'] }, templates)))
          .filter((bucket) => ![deployed.inputs, deployed.results].includes(bucket.slice(13)))
          .concat('arn:aws:s3:::somebody-elses')
          .flatMap((bucket) =>
            ['GetObject', 'PutObject', 'DeleteObject'].map((action) =>
              ask(`s3:${action}`, `${bucket}/a`),
            ),
          ),
        ...['DeleteBucket', 'PutBucketPolicy', 'PutLifecycleConfiguration'].map((action) =>
          ask(`s3:${action}`, `arn:aws:s3:::${inputs}`),
        ),
        ask('s3:ListAllMyBuckets', '*'),
      ],
    ],
    [
      'takes away what is kept of a deleted result, or who may see it',
      ['DeleteObjectVersion', 'GetObjectVersion', 'PutObjectAcl', 'BypassGovernanceRetention'].map(
        (action) => ask(`s3:${action}`, `arn:aws:s3:::${deployed.results}/306328/a`),
      ),
    ],
    [
      'reads or changes a secret that is not of an HPC system',
      [
        ...findAll(templates.data, 'AWS::SecretsManager::Secret')
          .filter(([id]) => /^(Cursor|Pass)Secret/.test(id))
          .map(([Ref]) => ask('secretsmanager:GetSecretValue', String(fillIn({ Ref }, templates)))),
        ask('secretsmanager:ListSecrets', '*'),
        ...deployed.secretArns.map((secret) => ask('secretsmanager:PutSecretValue', secret)),
      ],
    ],
    [
      'uses the key by itself, for another service, or for what is not ours',
      [
        ...['Decrypt', 'Encrypt', 'GenerateDataKey', 'CreateGrant', 'ScheduleKeyDeletion'].map(
          (action) => ask(`kms:${action}`, keyArn ?? ''),
        ),
        ...askForKey('Decrypt', 'sqs', {}, deployed),
        ...askForKey('Decrypt', 'dynamodb', { 'aws:dynamodb:tableName': 'another' }, deployed),
        ...askForKey('Decrypt', 's3', { 'aws:s3:arn': 'arn:aws:s3:::somebody-elses' }, deployed),
        ...askForKey('Decrypt', 's3', {}, deployed),
        ...askForKey('Decrypt', 'secretsmanager', {}, { ...deployed, keyArn: arn('kms', 'key/b') }),
        ...askForKey(
          'CreateGrant',
          'dynamodb',
          { 'aws:dynamodb:tableName': deployed.table },
          deployed,
        ),
      ],
    ],
    [
      'sends to another bus, or changes who hears of events',
      [
        ask('events:PutEvents', arn('events', 'event-bus/default')),
        ask('events:PutRule', arn('events', 'rule/a')),
        ask('events:RemoveTargets', arn('events', 'rule/a')),
      ],
    ],
    [
      'submits to queues or by job definitions of others, or changes any of AWS Batch',
      [
        ask('batch:SubmitJob', arn('batch', 'job-queue/slipway-dev-jobs-of-others')),
        ask('batch:SubmitJob', arn('batch', 'job-definition/others')),
        ask('batch:SubmitJob', arn('batch', 'job-definition/slipway-dev-aws_batch-others:1')),
        ask('batch:RegisterJobDefinition', arn('batch', 'job-definition/slipway-dev-aws_batch')),
        ask('batch:UpdateJobQueue', arn('batch', 'job-queue/slipway-dev-jobs')),
        ask('batch:TagResource', arn('batch', 'job/a')),
      ],
    ],
    [
      'becomes somebody else, or acts on functions, logs, queues or settings',
      [
        ask('iam:PassRole', `arn:aws:iam::${account}:role/a`),
        ask('iam:PutRolePolicy', `arn:aws:iam::${account}:role/a`),
        ask('sts:AssumeRole', `arn:aws:iam::${account}:role/a`),
        ask('lambda:GetFunction', arn('lambda', 'function:a')),
        ask('lambda:InvokeFunction', arn('lambda', 'function:a')),
        ask('lambda:UpdateFunctionCode', arn('lambda', 'function:a')),
        ask('lambda:UpdateFunctionConfiguration', arn('lambda', 'function:a')),
        ask('logs:CreateLogGroup', arn('logs', 'log-group:a')),
        ask('logs:DeleteLogGroup', arn('logs', 'log-group:a:*')),
        ask('logs:FilterLogEvents', arn('logs', 'log-group:a:*')),
        ask('sqs:ReceiveMessage', arn('sqs', 'a')),
        ask('sqs:SendMessage', arn('sqs', 'a')),
        ask('ssm:GetParameter', arn('ssm', 'parameter/a')),
        ask('cognito-idp:AdminCreateUser', arn('cognito-idp', 'userpool/a')),
      ],
    ],
  ])('no function %s', (_what, requests) => {
    expect(requests.length).toBeGreaterThan(0);
    expect(
      requests.flatMap((request) => whoMay(request).map((name) => ({ name, request }))),
    ).toEqual([]);
  });

  it('functions that show nobody credentials cannot read them', () => {
    const silent = allFunctions.filter(({ readsSecrets }) => !readsSecrets);
    const allowed = deployed.secretArns.flatMap((secret) => [
      ...whoMay(ask('secretsmanager:GetSecretValue', secret)),
      ...askForKey('Decrypt', 'secretsmanager', { SecretARN: secret }, deployed).flatMap(whoMay),
    ]);
    expect(allowed.length > 0).toBe(deployed.secretArns.length > 0);
    expect(silent.filter(({ name }) => allowed.includes(name))).toEqual([]);
  });

  it.each(['DescribeJobQueues', 'DescribeJobs', 'ListJobs', 'SubmitJob', 'TerminateJob'])(
    'only functions that declare %s of AWS Batch may call it, and only with a system there',
    (action) => {
      const call = { to: 'aws-batch', action } as const;
      const may = allFunctions.filter(({ name }) =>
        areAllowed(roles.get(name) ?? [], requestsOf(call, deployed)),
      );
      const declare = allFunctions.filter((declared) => covers(declared, call));
      expect(declare.length).toBeGreaterThan(0);
      expect(may).toEqual(templates.compute ? declare : []);
    },
  );

  it('functions that do not publish events cannot send any', () => {
    const publishers = allFunctions.filter(({ publishes }) => publishes).map(({ name }) => name);
    expect(whoMay(ask('events:PutEvents', deployed.busArn))).toEqual(publishers);
  });
});
