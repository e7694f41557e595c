import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CfnElement, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  type Bucket,
  BucketEncryption,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import type { ConsoleConfig } from '#console/serving/console-config.ts';
import { consoleFolder } from '#console/serving/console-folder.ts';
import { cachingOf } from '#console/serving/console-headers.ts';
import { ContextError } from '#infra/settings/config.ts';
import { PlainBucket } from '../data/plain-bucket.ts';

/** The bucket with the console's files. Only the distribution can read it. */
export class ConsoleFiles extends Construct {
  readonly bucket: PlainBucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new PlainBucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      // All files can be built again.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'It holds what everybody may load; who calls the API is in the access log of the API.',
    });
  }

  /**
   * Uploads the console. Old files with a hash in their name stay, so that open pages keep working.
   */
  deploy(config: ConsoleConfig): void {
    if (!existsSync(join(consoleFolder, 'index.html'))) {
      throw new ContextError('The console is not built. Run: npm run console:build');
    }
    const assets = new BucketDeployment(this, 'Assets', {
      destinationBucket: this.bucket,
      destinationKeyPrefix: 'console/assets',
      sources: [Source.asset(join(consoleFolder, 'assets'))],
      cacheControl: [CacheControl.fromString(cachingOf.hashed)],
      prune: false,
      retainOnDelete: false,
    });
    const page = new BucketDeployment(this, 'Page', {
      destinationBucket: this.bucket,
      destinationKeyPrefix: 'console',
      sources: [
        Source.asset(consoleFolder, { exclude: ['assets'] }),
        Source.jsonData('config.json', config),
      ],
      cacheControl: [CacheControl.fromString(cachingOf.others)],
      prune: false,
      retainOnDelete: false,
    });
    page.node.addDependency(assets);
    acknowledgeDeployer(Stack.of(this), this.bucket);
  }
}

/** Acknowledges findings about the CDK's function that copies files. All deployments share it. */
function acknowledgeDeployer(stack: Stack, bucket: Bucket): void {
  const [deployer] = stack.node.children.filter(({ node }) =>
    node.id.startsWith('Custom::CDKBucketDeployment'),
  );
  const resource = bucket.node.defaultChild;
  if (!deployer || !CfnElement.isCfnElement(resource)) {
    throw new Error('The CDK deploys to a bucket in another way than before.');
  }
  const staging = 'arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>';
  const findings = [
    'Serverless-LambdaDLQ',
    'Serverless-LambdaLatestVersion',
    'Serverless-LambdaTracing',
    'AwsSolutions-L1',
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
    ...['GetBucket', 'GetObject', 'List', 'Abort', 'DeleteObject'].map(
      (action) => `AwsSolutions-IAM5[Action::s3:${action}*]`,
    ),
    `AwsSolutions-IAM5[Resource::${staging}/*]`,
    `AwsSolutions-IAM5[Resource::<${stack.getLogicalId(resource)}.Arn>/*]`,
  ];
  for (const id of findings) {
    Validations.of(deployer).acknowledge({
      id,
      reason: 'It is the CDK’s, runs during a deployment alone, and copies the console’s files.',
    });
  }
}
