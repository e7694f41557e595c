import type { ItemUse, ServiceCall } from '#test/recording/service-call.ts';
import type { Deployed } from './deployed.ts';
import { account, region } from './fill-in.ts';
import type { AuthorizationRequest } from './is-allowed.ts';

/**
 * Which keys DynamoDB names to IAM for one action of a transaction: those of that action, or those
 * of the whole transaction. AWS does not document it (docs/decisions/0047).
 */
export type KeysReading = 'per action' | 'whole transaction';

/** All that IAM is asked when the service makes a call: each must be allowed. */
export function requestsOf(
  call: ServiceCall,
  deployed: Deployed,
  reading: KeysReading = 'per action',
): AuthorizationRequest[] {
  switch (call.to) {
    case 'table':
      return [
        ...readUses(call.uses, reading).map((use) => askForItems(use, deployed)),
        ...askForTableKey(deployed),
      ];
    case 'inputs':
    case 'results':
      return askForObject(call.method, deployed[call.to], deployed);
    case 'aws-batch':
      return askForJob(call.action, deployed);
    case 'bus':
      return [{ action: 'events:PutEvents', resource: deployed.busArn, context: {} }];
    case 'secrets':
      return deployed.secretArns.flatMap((resource) => [
        { action: 'secretsmanager:GetSecretValue', resource, context: {} },
        ...askForKey('Decrypt', 'secretsmanager', { SecretARN: resource }, deployed),
      ]);
  }
}

/** SubmitJob is judged on the queue, the job definition and the new job. */
function askForJob(name: string, { awsBatchArns }: Deployed): AuthorizationRequest[] {
  const action = `batch:${name}`;
  const job = `arn:aws:batch:${region}:${account}:job/4c7599ae-0a82-49aa-ba5a-4727fcce14a8`;
  const asked: Readonly<Record<string, readonly string[]>> = {
    SubmitJob: [...awsBatchArns, job],
    TerminateJob: [job],
  };
  return (asked[name] ?? ['*']).map((resource) => ({ action, resource, context: {} }));
}

function readUses(uses: readonly ItemUse[], reading: KeysReading): readonly ItemUse[] {
  if (reading === 'per action') return uses;
  const partitions = [...new Set(uses.flatMap((use) => use.partitions))];
  return uses.map((use) => ({ ...use, partitions }));
}

function askForItems(
  { action, index, partitions }: ItemUse,
  { tableArn }: Deployed,
): AuthorizationRequest {
  return {
    action: `dynamodb:${action}`,
    resource: index === undefined ? tableArn : `${tableArn}/index/${index}`,
    context: partitions.length > 0 ? { 'dynamodb:LeadingKeys': partitions } : {},
  };
}

/** DynamoDB decrypts the table's own key in the caller's name, for writes as well as for reads. */
export function askForTableKey(deployed: Deployed): AuthorizationRequest[] {
  const said = {
    'aws:dynamodb:tableName': deployed.table,
    'aws:dynamodb:subscriberId': account,
  };
  return askForKey('Decrypt', 'dynamodb', said, deployed);
}

/**
 * The bucket's own key, which S3 keeps for a while, is encrypted with ours: of which object it is
 * about, KMS is not told. Whoever may not list a bucket is answered 403 for what is not there, where
 * the service counts on 404.
 */
function askForObject(method: string, bucket: string, deployed: Deployed): AuthorizationRequest[] {
  const bucketArn = `arn:aws:s3:::${bucket}`;
  const ask = (action: string, resource = `${bucketArn}/306328/job.zip`) => ({
    action: `s3:${action}`,
    resource,
    context: {},
  });
  const key = (action: string) => askForKey(action, 's3', { 'aws:s3:arn': bucketArn }, deployed);
  switch (method) {
    case 'GET':
    case 'HEAD':
      return [ask('GetObject'), ask('ListBucket', bucketArn), ...key('Decrypt')];
    case 'POST':
    case 'PUT':
      return [ask('PutObject'), ...key('GenerateDataKey'), ...key('Decrypt')];
    case 'DELETE':
      return [ask('DeleteObject')];
    default:
      throw new Error(`What does S3 ask for ${method}?`);
  }
}

/** Our key, used by a service of AWS in the caller's name, with what that service says of it. */
export function askForKey(
  action: string,
  via: string,
  said: Readonly<Record<string, string>>,
  { keyArn }: Deployed,
): AuthorizationRequest[] {
  if (keyArn === undefined) return [];
  const encryption = Object.entries(said).map(([name, value]): [string, string[]] => [
    `kms:EncryptionContext:${name}`,
    [value],
  ]);
  const context = {
    'kms:ViaService': [`${via}.${region}.amazonaws.com`],
    ...Object.fromEntries(encryption),
  };
  return [{ action: `kms:${action}`, resource: keyArn, context }];
}
