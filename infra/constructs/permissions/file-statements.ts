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
  readonly key: IKey | undefined;
}

/** Allows exactly the declared actions on each bucket, and use of the key through S3. */
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
  key: IKey | undefined,
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
    // Without ListBucket, S3 answers 403 instead of 404 for missing objects. A missing upload would
    // look like a missing permission.
    ...(reads
      ? [new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] })]
      : []),
    ...(key && (reads || writes) ? [keyStatement(bucket, key, writes)] : []),
  ];
}

/**
 * Allows S3 to use the key for the caller, or for the signer of a presigned URL. Writing also needs
 * Decrypt, for the bucket key that is encrypted with ours. Bucket keys belong to the bucket, so the
 * encryption context is the ARN of the bucket, not of the object.
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

/** Acknowledges findings of cdk-nag, which identifies a bucket by the name of its stack export. */
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
