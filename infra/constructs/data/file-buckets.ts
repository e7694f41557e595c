import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type CorsRule,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { crossOriginStorage } from '#lib/http/cross-origin.ts';
import { keepData } from '../../settings/stack-values.ts';
import { PlainBucket } from './plain-bucket.ts';

export interface FileBucketsProps {
  /** By default, S3's own key encrypts them. */
  readonly key: IKey | undefined;
  readonly production: boolean;
  /** Origins whose pages upload and download files. */
  readonly corsOrigins: readonly string[];
}

const abortIncompleteMultipartUploadAfter = Duration.days(7);

/** Buckets for job inputs, job results and their access logs. */
export class FileBuckets extends Construct {
  readonly inputs: Bucket;
  readonly results: Bucket;

  constructor(scope: Construct, id: string, { key, production, corsOrigins }: FileBucketsProps) {
    super(scope, id);
    const { sent, fetched } = crossOriginStorage;
    const hasPages = corsOrigins.length > 0;
    const closed: BucketProps = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: keepData(production),
      // S3 delivers access logs for hours after the last request, so an emptied bucket may fill
      // again. The CDK's deletion blocks writes before it empties the bucket.
      ...(!production && { autoDeleteObjects: true }),
    };
    // S3 delivers access logs only to buckets with S3-managed encryption.
    const accessLogs = new PlainBucket(this, 'AccessLogs', {
      ...closed,
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [{ expiration: Duration.days(90), abortIncompleteMultipartUploadAfter }],
    });
    const encrypted: BucketProps = {
      ...closed,
      ...(key
        ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
        : { encryption: BucketEncryption.S3_MANAGED }),
      serverAccessLogsBucket: accessLogs,
    };
    // Inputs expire, because clients have the original and no job waits for three months.
    this.inputs = new Bucket(this, 'Inputs', {
      ...encrypted,
      serverAccessLogsPrefix: 'inputs/',
      cors: hasPages ? [allow(sent, corsOrigins)] : [],
      // A deleted input can be brought back for a week, also after a mistake of the service.
      versioned: true,
      lifecycleRules: [
        {
          expiration: Duration.days(90),
          noncurrentVersionExpiration: Duration.days(7),
          abortIncompleteMultipartUploadAfter,
        },
      ],
    });
    // Results exist only here. They are kept until the job is deleted, and a month longer.
    this.results = new Bucket(this, 'Results', {
      ...encrypted,
      serverAccessLogsPrefix: 'results/',
      cors: hasPages ? [allow(fetched, fetched.origins)] : [],
      versioned: true,
      lifecycleRules: [
        {
          noncurrentVersionExpiration: Duration.days(30),
          expiredObjectDeleteMarker: true,
          abortIncompleteMultipartUploadAfter,
        },
        // Temporary copies for downloads. Results have the owner's number as prefix, so this rule
        // never matches them.
        {
          prefix: 'relay/',
          expiration: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(1),
        },
      ],
    });
  }
}

type Use = typeof crossOriginStorage.sent | typeof crossOriginStorage.fetched;

function allow({ methods, headers }: Use, origins: readonly string[]): CorsRule {
  return {
    allowedOrigins: [...origins],
    allowedMethods: methods.map((method) => HttpMethods[method]),
    allowedHeaders: [...headers],
    exposedHeaders: [...crossOriginStorage.exposed],
    maxAge: crossOriginStorage.maxAgeSeconds,
  };
}
