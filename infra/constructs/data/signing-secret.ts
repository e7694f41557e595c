import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

export interface SigningSecretProps {
  readonly description: string;
  readonly key: IKey;
  /** Why AWS does not rotate it. */
  readonly reason: string;
}

/** A random text with which the service signs what it hands out. */
export class SigningSecret extends Secret {
  constructor(scope: Construct, id: string, { description, key, reason }: SigningSecretProps) {
    super(scope, id, {
      description,
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      encryptionKey: key,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this).acknowledge({ id: 'AwsSolutions-SMG4', reason });
  }
}
