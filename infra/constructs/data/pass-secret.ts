import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

/**
 * It signs the passes of jobs. A new one shuts every job that was handed over before out from its
 * files (docs/deploy.md).
 */
export class PassSecret extends Secret {
  constructor(scope: Construct, id: string, { key }: { key: IKey }) {
    super(scope, id, {
      description: 'Slipway: signs what lets jobs at their files',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      encryptionKey: key,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Jobs wait for weeks with what it signed: only an operator can choose the moment.',
    });
  }
}
