import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { keepData } from '../../settings/stack-values.ts';

/** The secret that signs the cursors of lists. Replacing it only interrupts paging. */
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

/**
 * Encrypts all stored data. Without permission for this key, other permissions allow no reading.
 * The key rotates automatically, and older data stays readable.
 */
export class DataKey extends Key {
  constructor(scope: Construct, id: string, { production }: { production: boolean }) {
    super(scope, id, {
      description: 'Slipway: table, files and secrets',
      enableKeyRotation: true,
      pendingWindow: Duration.days(production ? 30 : 7),
      removalPolicy: keepData(production),
    });
  }
}

/**
 * Signs the passes of jobs. Replacing it locks all jobs that were handed over before out of their
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
