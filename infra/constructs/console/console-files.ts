import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack, Validations } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import type { ConsoleConfig } from '#console/serving/console-config.ts';
import { consoleFolder } from '#console/serving/console-folder.ts';
import { cachingOf, limitConnections } from '#console/serving/console-headers.ts';
import { ContextError } from '#infra/settings/context-error.ts';

export interface ConsoleFilesProps {
  readonly bucket: IBucket;
  readonly config: ConsoleConfig;
  /** The only origins that the page may connect to, besides its own. */
  readonly connectTo: readonly string[];
}

/**
 * Uploads the console. Old files with a hash in their name stay, so that open pages keep working.
 * The bucket is emptied by its own removal.
 */
export class ConsoleFiles extends Construct {
  constructor(scope: Construct, id: string, { bucket, config, connectTo }: ConsoleFilesProps) {
    super(scope, id);
    const page = join(consoleFolder, 'index.html');
    if (!existsSync(page)) {
      throw new ContextError('The console is not built. Run: npm run console:build');
    }
    const assets = new BucketDeployment(this, 'Assets', {
      destinationBucket: bucket,
      destinationKeyPrefix: 'console/assets',
      sources: [Source.asset(join(consoleFolder, 'assets'))],
      cacheControl: [CacheControl.fromString(cachingOf.hashed)],
      prune: false,
    });
    const others = new BucketDeployment(this, 'Page', {
      destinationBucket: bucket,
      destinationKeyPrefix: 'console',
      sources: [
        Source.asset(consoleFolder, { exclude: ['assets', 'index.html'] }),
        Source.data('index.html', limitConnections(readFileSync(page, 'utf8'), connectTo)),
        Source.jsonData('config.json', config),
      ],
      cacheControl: [CacheControl.fromString(cachingOf.others)],
      prune: false,
    });
    others.node.addDependency(assets);
    acknowledgeDeployer(Stack.of(this), bucket);
  }
}

/** Acknowledges findings about the CDK's function that copies files. All deployments share it. */
function acknowledgeDeployer(stack: Stack, bucket: IBucket): void {
  const [deployer] = stack.node.children.filter(({ node }) =>
    node.id.startsWith('Custom::CDKBucketDeployment'),
  );
  if (!deployer) throw new Error('The CDK deploys to a bucket in another way than before.');
  const { 'Fn::ImportValue': bucketArn } = stack.resolve(
    Stack.of(bucket).exportValue(bucket.bucketArn),
  );
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
    `AwsSolutions-IAM5[Resource::${bucketArn}/*]`,
  ];
  for (const id of findings) {
    Validations.of(deployer).acknowledge({
      id,
      reason: 'It is the CDK’s, runs during a deployment alone, and copies the console’s files.',
    });
  }
}
