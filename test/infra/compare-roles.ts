import { isDeepStrictEqual } from 'node:util';
import type { FileAction } from '#lib/files/file-use.ts';
import { partitionPatterns } from '#lib/table/keys.ts';
import type { Grant } from '#lib/table/table-use.ts';
import { type Declared, places } from './functions-of.ts';
import { render } from './render.ts';
import { findRoleDocuments } from './role-documents.ts';
import { findAll, findByPath, joinServing, type Templates } from './synthesize.ts';

export interface Statement {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: unknown;
}

const localIndexes = ['jobs_by_id', 'jobs_by_system', 'jobs_by_project'];

/** Everything that a role is allowed, wherever in the template it says so. */
export function allowedOf(templates: Templates, name: string): Statement[] {
  const { documents, foreign } = findRoleDocuments(templates, name);
  return [
    ...documents.flatMap((document) => read(document, templates)),
    // By its name, which is declared nowhere.
    ...foreign.map((policy) => statement([`managed policy ${policy}`], [])),
  ];
}

/** What a function must be allowed: its log, its traces, and what it declares. */
export function expectedOf(templates: Templates, declared: Declared): Statement[] {
  const { name, tableUses, files, readsStream } = declared;
  const [logId] = findByPath(joinServing(templates), `${name}/Log/Resource`);
  return [
    statement(['logs:CreateLogStream', 'logs:PutLogEvents'], [`<${logId}.Arn>`]),
    ...tableUses.map((use) => tableStatement(templates, use)),
    ...(readsStream ? streamStatements(templates) : []),
    ...(tableUses.length > 0 || readsStream ? [keyStatement(templates)] : []),
    ...fileStatements(templates, 'Inputs', files.inputs),
    ...fileStatements(templates, 'Results', files.results),
    ...(declared.publishes ? [busStatement(templates)] : []),
    ...(declared.readsSecrets ? secretStatements(templates) : []),
    ...awsBatchStatements(templates, declared),
    ...(declared.hasDeadLetters ? [deadLetterStatement(templates, name)] : []),
  ];
}

/** One line per statement too many or too few; none where the role is what is declared. */
export function compareRole(templates: Templates, declared: Declared): string[] {
  const allowed = allowedOf(templates, declared.name);
  const expected = expectedOf(templates, declared);
  return [
    ...without(allowed, expected).map((each) => `may, undeclared: ${JSON.stringify(each)}`),
    ...without(expected, allowed).map((each) => `may not: ${JSON.stringify(each)}`),
  ];
}

export function without(some: readonly Statement[], others: readonly Statement[]): Statement[] {
  return some.filter((one) => !others.some((other) => isDeepStrictEqual(one, other)));
}

export function tableStatement(templates: Templates, use: Grant): Statement {
  return statement(
    use.actions.map((action) => `dynamodb:${action}`),
    resourcesOf(templates, use),
    {
      'ForAllValues:StringLike': {
        'dynamodb:LeadingKeys': use.partitions.map((kind) => partitionPatterns[kind]),
      },
    },
  );
}

function streamStatements(templates: Templates): Statement[] {
  return [
    statement(
      ['dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:DescribeStream'],
      [`<${tableId(templates)}.StreamArn>`],
    ),
    statement(['dynamodb:ListStreams'], ['*']),
  ];
}

/** Each right on its own bucket: what is there, whether it is there, and the key to it. */
function fileStatements(
  templates: Templates,
  bucket: 'Inputs' | 'Results',
  actions: readonly FileAction[] = [],
): Statement[] {
  const arn = `<${findByPath(templates.data, `Files/${bucket}/Resource`)[0]}.Arn>`;
  const [keyId] = findByPath(templates.data, 'Key/Resource');
  const keyActions = [
    ...(actions.includes('GetObject') || actions.includes('PutObject') ? ['kms:Decrypt'] : []),
    ...(actions.includes('PutObject') ? ['kms:GenerateDataKey'] : []),
  ];
  const onKey = {
    StringEquals: {
      'kms:ViaService': 's3.<AWS::Region>.<AWS::URLSuffix>',
      'kms:EncryptionContext:aws:s3:arn': arn,
    },
  };
  const objectActions = actions.map((action) => `s3:${action}`);
  return [
    ...(actions.length > 0 ? [statement(objectActions, [`${arn}/*`])] : []),
    ...(actions.includes('GetObject') ? [statement(['s3:ListBucket'], [arn])] : []),
    ...(keyActions.length > 0 ? [statement(keyActions, [`<${keyId}.Arn>`], onKey)] : []),
  ];
}

function busStatement({ data }: Templates): Statement {
  return statement(['events:PutEvents'], [`<${findByPath(data, 'Events/Resource')[0]}.Arn>`]);
}

function deadLetterStatement({ service }: Templates, name: string): Statement {
  const [queueId] = findByPath(service, `${name}-dead-letters/Resource`);
  return statement(['sqs:SendMessage'], [`<${queueId}.Arn>`]);
}

function keyStatement(templates: Templates): Statement {
  const [keyId] = findByPath(templates.data, 'Key/Resource');
  return statement(['kms:Decrypt'], [`<${keyId}.Arn>`], {
    StringEquals: {
      'kms:ViaService': 'dynamodb.<AWS::Region>.<AWS::URLSuffix>',
      'kms:EncryptionContext:aws:dynamodb:tableName': `<${tableId(templates)}>`,
    },
  });
}

function secretStatements(templates: Templates): Statement[] {
  const [keyId] = findByPath(templates.data, 'Key/Resource');
  const secrets = findAll(templates.data, 'AWS::SecretsManager::Secret')
    .filter(([, { Metadata }]) => String(Metadata?.['aws:cdk:path']).includes('/Credentials/'))
    .map(([id]) => `<${id}>`);
  if (secrets.length === 0) return [statement([forbid('secretsmanager:GetSecretValue')], ['*'])];
  return [
    statement(['secretsmanager:GetSecretValue'], secrets),
    statement(['kms:Decrypt'], [`<${keyId}.Arn>`], {
      StringEquals: { 'kms:ViaService': 'secretsmanager.<AWS::Region>.<AWS::URLSuffix>' },
    }),
  ];
}

/** Where AWS can limit an action to resources, those are named that this deployment has. */
function awsBatchStatements({ compute }: Templates, { awsBatch }: Declared): Statement[] {
  if (!compute || awsBatch.length === 0) return [];
  const arn = (resource: string) =>
    `arn:<AWS::Partition>:batch:<AWS::Region>:<AWS::AccountId>:${resource}`;
  const named = (type: string, property: string, resource: string) =>
    findAll(compute, type).map(([, { Properties }]) => arn(`${resource}/${Properties[property]}`));
  const definitions = named('AWS::Batch::JobDefinition', 'JobDefinitionName', 'job-definition');
  const job = arn('job/*');
  const places = [
    ...named('AWS::Batch::JobQueue', 'JobQueueName', 'job-queue'),
    ...definitions.flatMap((definition) => [definition, `${definition}:*`]),
    job,
  ];
  const reading = ['DescribeJobQueues', 'DescribeJobs', 'ListJobs'] as const;
  return [
    ...(awsBatch.includes('SubmitJob') ? [statement(['batch:SubmitJob'], places)] : []),
    ...(awsBatch.includes('TerminateJob') ? [statement(['batch:TerminateJob'], [job])] : []),
    statement(
      reading.filter((action) => awsBatch.includes(action)).map((action) => `batch:${action}`),
      ['*'],
    ),
  ];
}

function resourcesOf(templates: Templates, { actions, partitions }: Grant): string[] {
  const arn = `<${tableId(templates)}.Arn>`;
  const found = partitions.flatMap((kind) => {
    const place = places[kind];
    if (place !== 'table') return [`${arn}/index/${place.index}`];
    const indexes = actions.includes('Query') ? localIndexes : [];
    return [arn, ...indexes.map((index) => `${arn}/index/${index}`)];
  });
  return [...new Set(found)];
}

function tableId({ data }: Templates): string {
  return findByPath(data, 'Table/Resource')[0];
}

function read(document: unknown, templates: Templates): Statement[] {
  const { Statement: statements } = render(document, templates) as {
    Statement: { Effect: string; Action: unknown; Resource: unknown; Condition?: unknown }[];
  };
  return statements.map(({ Effect, Action, Resource, Condition, ...rest }) => {
    if (Effect === 'Deny')
      return statement(toList(Action).map(forbid), toList(Resource), Condition);
    const unusual = Effect !== 'Allow' || Object.keys(rest).some((key) => key !== 'Sid');
    if (unusual) throw new Error(`An unusual statement: ${JSON.stringify(statements)}`);
    return statement(toList(Action), toList(Resource), Condition);
  });
}

function statement(
  actions: readonly string[],
  resources: readonly string[],
  conditions: unknown = {},
): Statement {
  return { actions: actions.toSorted(), resources: resources.toSorted(), conditions };
}

function forbid(action: string): string {
  return `never ${action}`;
}

function toList(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}
