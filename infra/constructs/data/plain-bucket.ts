import { Bucket } from 'aws-cdk-lib/aws-s3';

/**
 * Works around the CDK: its Bucket declares `isWebsite` as `boolean | undefined`, but IBucket
 * requires `boolean`.
 */
export class PlainBucket extends Bucket {
  override get isWebsite(): boolean {
    return false;
  }
}
