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
  readonly key: IKey;
  readonly production: boolean;
  /** Origins whose pages send and fetch files. */
  readonly corsOrigins: readonly string[];
}

const abortIncompleteMultipartUploadAfter = Duration.days(7);

/** The zips that jobs begin with, the files that they leave, and who asked for either. */
export class FileBuckets extends Construct {
  readonly inputs: Bucket;
  readonly results: Bucket;

  constructor(scope: Construct, id: string, { key, production, corsOrigins }: FileBucketsProps) {
    super(scope, id);
    const closed: BucketProps = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: keepData(production),
      // S3 goes on delivering logs for hours after the last request, into a bucket that was emptied.
      // The CDK's way refuses every write before it empties a bucket, and removes it right after.
      ...(!production && { autoDeleteObjects: true }),
    };
    // S3 delivers its logs only to a bucket with its own encryption.
    const accessLogs = new PlainBucket(this, 'AccessLogs', {
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
      cors: allowSending(corsOrigins),
      lifecycleRules: [{ expiration: Duration.days(90), abortIncompleteMultipartUploadAfter }],
    });
    // A result exists only here: kept until its job is deleted, and a month longer.
    this.results = new Bucket(this, 'Results', {
      ...encrypted,
      serverAccessLogsPrefix: 'results/',
      cors: allowFetching(corsOrigins),
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

function allowSending(origins: readonly string[]): CorsRule[] {
  const { sent, exposed, maxAgeSeconds: maxAge } = crossOriginStorage;
  if (origins.length === 0) return [];
  return [
    {
      allowedOrigins: [...origins],
      allowedMethods: sent.methods.map((method) => HttpMethods[method]),
      allowedHeaders: [...sent.headers],
      exposedHeaders: [...exposed],
      maxAge,
    },
  ];
}

function allowFetching(origins: readonly string[]): CorsRule[] {
  const { fetched, exposed, maxAgeSeconds: maxAge } = crossOriginStorage;
  if (origins.length === 0) return [];
  return [
    {
      allowedOrigins: [...fetched.origins],
      allowedMethods: fetched.methods.map((method) => HttpMethods[method]),
      allowedHeaders: [...fetched.headers],
      exposedHeaders: [...exposed],
      maxAge,
    },
  ];
}
