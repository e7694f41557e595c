import { Duration } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { keepData } from '#infra/settings/keep-data.ts';

/**
 * The key of everything that is stored: whoever may not use it can read nothing, whatever else
 * they may. It rotates by itself; data of older versions stays readable.
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
