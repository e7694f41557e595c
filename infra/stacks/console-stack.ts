import { CfnOutput, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ConsoleDistribution } from '../constructs/console/console-distribution.ts';
import { PlainBucket } from '../constructs/data/plain-bucket.ts';
import type { ConsoleSettings } from '../settings/config.ts';

export interface ConsoleStackProps extends StackProps {
  readonly settings: ConsoleSettings;
}

/**
 * The address of the console, and an empty bucket behind it. This stack knows nothing of the others,
 * because they need the address: the user directory sends people back to it, and the API and the
 * storage allow its pages. The pages follow in a stack of their own.
 */
export class ConsoleStack extends Stack {
  readonly bucket: PlainBucket;
  readonly origin: string;

  constructor(scope: Construct, id: string, { settings, ...stack }: ConsoleStackProps) {
    super(scope, id, stack);
    const { domain } = settings;
    this.bucket = makeBucket(new Construct(this, 'Files'));
    const { domainName } = new ConsoleDistribution(this, 'Pages', { bucket: this.bucket, domain });
    this.origin = `https://${domain?.name ?? domainName}`;
    // Exported even if nobody imports it. Otherwise a deployment that gives the console a domain
    // name would have to remove the export while other stacks still use it.
    this.exportValue(domainName);
    new CfnOutput(this, 'ConsoleUrl', { value: `${this.origin}/console/` });
    new CfnOutput(this, 'ConsoleTarget', { value: domainName });
  }
}

/** Makes the bucket for the pages. Only the distribution can read it. */
function makeBucket(scope: Construct): PlainBucket {
  const bucket = new PlainBucket(scope, 'Bucket', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    // All files can be built again.
    removalPolicy: RemovalPolicy.DESTROY,
    autoDeleteObjects: true,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'It holds what everybody may load; who calls the API is in the access log of the API.',
  });
  return bucket;
}
