import { RemovalPolicy, SecretValue, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

export interface HpcSecretsProps {
  /** The names of the HPC systems in the catalog. */
  readonly systems: readonly string[];
  readonly key: IKey;
  readonly production: boolean;
}

/**
 * The credentials of each HPC system. They begin as an empty object, which says nothing, and are
 * filled by hand (docs/deploy.md): a later deployment does not touch them, because this start
 * value never changes.
 */
export class HpcSecrets extends Construct {
  readonly bySystem: ReadonlyMap<string, Secret>;

  constructor(scope: Construct, id: string, { systems, key, production }: HpcSecretsProps) {
    super(scope, id);
    this.bySystem = new Map(
      systems.map((system) => {
        const secret = new Secret(this, system, {
          description: `Slipway: credentials of the HPC system ${system}`,
          secretStringValue: SecretValue.unsafePlainText('{}'),
          encryptionKey: key,
          removalPolicy: production ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
        });
        Validations.of(secret).acknowledge({
          id: 'AwsSolutions-SMG4',
          reason: 'The HPC site issues and replaces these credentials; AWS cannot rotate them.',
        });
        return [system, secret];
      }),
    );
  }
}
