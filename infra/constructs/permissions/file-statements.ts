import { Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import * as v from 'valibot';
import type { FileAction, FileUse } from '#lib/files/file-use.ts';
import { serviceHost } from '../../settings/stack-values.ts';
import type { FileBuckets } from '../data/file-buckets.ts';

export interface EncryptedFiles {
  readonly files: FileBuckets;
  readonly key: IKey;
}

/** Exactly the actions that are declared, on each bucket by itself, and the key through S3. */
export function fileStatements(
  { files, key }: EncryptedFiles,
  { inputs = [], results = [] }: FileUse,
): PolicyStatement[] {
  return [
    ...bucketStatements(files.inputs, key, inputs),
    ...bucketStatements(files.results, key, results),
  ];
}

function bucketStatements(
  bucket: Bucket,
  key: IKey,
  actions: readonly FileAction[],
): PolicyStatement[] {
  if (actions.length === 0) return [];
  const reads = actions.includes('GetObject');
  const writes = actions.includes('PutObject');
  return [
    new PolicyStatement({
      actions: actions.map((action) => `s3:${action}`),
      resources: [bucket.arnForObjects('*')],
    }),
    // Whoever may not list a bucket is told 403 for an object that is not there, and could not tell
    // an upload that has not arrived from a right that is missing.
    ...(reads
      ? [new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] })]
      : []),
    ...(reads || writes ? [keyStatement(bucket, key, writes)] : []),
  ];
}

/**
 * S3 uses the key in the caller's name, and in the name of whoever signed the address that a caller
 * holds. It decrypts for writing too: the key of the bucket, which is encrypted with ours. That key
 * belongs to a bucket and not to an object, and so does what S3 says of it to KMS.
 */
function keyStatement(bucket: Bucket, key: IKey, writes: boolean): PolicyStatement {
  return new PolicyStatement({
    actions: ['kms:Decrypt', ...(writes ? ['kms:GenerateDataKey'] : [])],
    resources: [key.keyArn],
    conditions: {
      StringEquals: {
        'kms:ViaService': serviceHost(bucket, 's3'),
        'kms:EncryptionContext:aws:s3:arn': bucket.bucketArn,
      },
    },
  });
}

const Import = v.object({ 'Fn::ImportValue': v.string() });

/** cdk-nag calls a finding by its resource, and that by the name under which one stack exports it. */
export function acknowledgeFiles(
  scope: Construct,
  { files }: EncryptedFiles,
  { inputs = [], results = [] }: FileUse,
): void {
  const used = [
    ...(inputs.length > 0 ? [files.inputs] : []),
    ...(results.length > 0 ? [files.results] : []),
  ];
  for (const bucket of used) {
    const stack = Stack.of(bucket);
    const exported = v.parse(Import, stack.resolve(stack.exportValue(bucket.bucketArn)));
    Validations.of(scope).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${exported['Fn::ImportValue']}/*]`,
      reason: 'Objects are named by owner and job, which no role can know beforehand.',
    });
  }
}
