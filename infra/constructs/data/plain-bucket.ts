import { Bucket } from 'aws-cdk-lib/aws-s3';

/** The CDK's Bucket says `boolean | undefined` where the interface it implements says `boolean`. */
export class PlainBucket extends Bucket {
  override get isWebsite(): boolean {
    return false;
  }
}
