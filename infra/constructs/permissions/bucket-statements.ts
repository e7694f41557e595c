import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { AllowedBucket } from '#lib/catalog/bucket-addresses.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { FileUse } from '#lib/files/file-use.ts';
import { acknowledgeStar } from './acknowledge-star.ts';

const reason = 'Users name the keys, within the part of the bucket that the catalog allows.';

/**
 * Allows the declared calls on exactly the parts of buckets that the catalog names. Nobody may list
 * them, so S3 answers 403 for a key that does not exist.
 */
export function bucketStatements(
  scope: Construct,
  { systems }: Catalog,
  { buckets: actions = [] }: FileUse,
): PolicyStatement[] {
  return actions.flatMap((action) => {
    const used = systems.flatMap(({ inputs, outputs }) => {
      const rules = action === 'GetObject' ? inputs : outputs;
      return rules?.buckets ?? [];
    });
    const resources = [...new Set(used.map((bucket) => toArn(scope, bucket)))];
    if (resources.length === 0) return [];
    for (const arn of resources) acknowledgeStar(scope, arn, reason);
    return [new PolicyStatement({ actions: [`s3:${action}`], resources })];
  });
}

function toArn(scope: Construct, { name, prefix = '' }: AllowedBucket): string {
  return `arn:${Stack.of(scope).partition}:s3:::${name}/${prefix}*`;
}
