import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { keepData } from '#infra/settings/keep-data.ts';

export interface FileBucketsProps {
  readonly key: IKey;
  readonly production: boolean;
}

const abortIncompleteMultipartUploadAfter = Duration.days(7);

/** The zips that jobs begin with, the files that they leave, and who asked for either. */
export class FileBuckets extends Construct {
  readonly inputs: Bucket;
  readonly results: Bucket;

  constructor(scope: Construct, id: string, { key, production }: FileBucketsProps) {
    super(scope, id);
    const closed: BucketProps = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: keepData(production),
    };
    // S3 delivers its logs only to a bucket with its own encryption.
    const accessLogs = new AccessLogBucket(this, 'AccessLogs', {
      ...closed,
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [{ expiration: Duration.days(90), abortIncompleteMultipartUploadAfter }],
    });
    const encrypted: BucketProps = {
      ...closed,
      encryption: BucketEncryption.KMS,
      encryptionKey: key,
      bucketKeyEnabled: true,
      serverAccessLogsBucket: accessLogs,
    };
    // An input is the client's own copy of something, and no job waits for three months.
    this.inputs = new Bucket(this, 'Inputs', {
      ...encrypted,
      serverAccessLogsPrefix: 'inputs/',
      lifecycleRules: [{ expiration: Duration.days(90), abortIncompleteMultipartUploadAfter }],
    });
    // A result exists only here: kept until its job is deleted, and a month longer.
    this.results = new Bucket(this, 'Results', {
      ...encrypted,
      serverAccessLogsPrefix: 'results/',
      versioned: true,
      lifecycleRules: [
        {
          noncurrentVersionExpiration: Duration.days(30),
          expiredObjectDeleteMarker: true,
          abortIncompleteMultipartUploadAfter,
        },
        // Copies for one download each, of what stays where it is. Results stand under their
        // owner's digits, so none of them is ever meant by this.
        {
          prefix: 'relay/',
          expiration: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(1),
        },
      ],
    });
  }
}

/** The CDK's Bucket says `boolean | undefined` where the interface it implements says `boolean`. */
class AccessLogBucket extends Bucket {
  override get isWebsite(): boolean {
    return false;
  }
}
