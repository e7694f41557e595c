import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

/** It signs the cursors of lists. A new one only ends the pages that are being turned. */
export class CursorSecret extends Secret {
  constructor(scope: Construct, id: string, { key }: { key: IKey }) {
    super(scope, id, {
      description: 'Slipway: signs the cursors in lists',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      encryptionKey: key,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        "It guards no data: a forged cursor could only start its caller's own list elsewhere.",
    });
  }
}
