import { CfnElement, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { keepData, serviceHost } from '../../settings/stack-values.ts';

export interface HpcSecretsProps {
  /** The names of the HPC systems that need credentials. */
  readonly systems: readonly string[];
  readonly key: IKey | undefined;
  readonly production: boolean;
}

/**
 * The credentials of each HPC system. Each secret starts as an empty object, and operators fill it
 * in (docs/settings.md). Later deployments keep the value, because the initial value never changes.
 *
 * Other stacks must not refer to a single secret, or CloudFormation would refuse to remove its
 * system. They refer to `addresses` and `reading`, which exist independently of single systems.
 */
export class HpcSecrets extends Construct {
  readonly bySystem: ReadonlyMap<string, Secret>;
  /** JSON object that maps each system to the ARN of its secret. */
  readonly addresses: StringParameter;
  /** The longest possible value of `addresses`, because AWS chooses the names of secrets. */
  readonly longestAddresses: string;
  /** Allows reading the credentials of all systems. */
  readonly reading: ManagedPolicy;

  constructor(scope: Construct, id: string, { systems, key, production }: HpcSecretsProps) {
    super(scope, id);
    this.bySystem = new Map(
      systems.map((system) => {
        const secret = new Secret(this, system, {
          description: `Slipway: credentials of the HPC system ${system}`,
          secretStringValue: SecretValue.unsafePlainText('{}'),
          ...(key && { encryptionKey: key }),
          removalPolicy: keepData(production),
        });
        Validations.of(secret).acknowledge({
          id: 'AwsSolutions-SMG4',
          reason: 'The HPC site issues and replaces these credentials; AWS cannot rotate them.',
        });
        return [system, secret];
      }),
    );
    const arns = [...this.bySystem].map(([system, { secretArn }]) => [system, secretArn]);
    this.addresses = new StringParameter(this, 'Addresses', {
      description: 'Slipway: where the credentials of the HPC systems are',
      stringValue: Stack.of(this).toJsonString(Object.fromEntries(arns)),
    });
    this.longestAddresses = JSON.stringify(
      Object.fromEntries(
        [...this.bySystem].map(([system, secret]) => [system, longestArn(secret)]),
      ),
    );
    this.reading = new ManagedPolicy(this, 'Reading', {
      description: 'Slipway: to read the credentials of the HPC systems',
      statements: secretStatements([...this.bySystem.values()], key),
    });
  }
}

/** CloudFormation appends 12 random characters to the logical id, and Secrets Manager 6 more. */
function longestArn(secret: Secret): string {
  const resource = secret.node.defaultChild;
  if (!CfnElement.isCfnElement(resource))
    throw new Error('The secret is not an element of a stack.');
  const id = Stack.of(secret).getLogicalId(resource);
  return `arn:aws-us-gov:secretsmanager:ap-southeast-1:123456789012:secret:${id}-${'*'.repeat(12)}-${'*'.repeat(6)}`;
}

/** Allows reading the credentials of the HPC systems, and using the key that encrypts them. */
function secretStatements(secrets: readonly Secret[], key: IKey | undefined): PolicyStatement[] {
  const actions = ['secretsmanager:GetSecretValue'];
  // The policy stays, because the functions refer to it, and it cannot be empty.
  if (secrets.length === 0) {
    return [new PolicyStatement({ effect: Effect.DENY, actions, resources: ['*'] })];
  }
  const reading = new PolicyStatement({
    actions,
    resources: secrets.map(({ secretArn }) => secretArn),
  });
  if (!key) return [reading];
  return [
    reading,
    new PolicyStatement({
      actions: ['kms:Decrypt'],
      resources: [key.keyArn],
      conditions: {
        StringEquals: { 'kms:ViaService': serviceHost(key, 'secretsmanager') },
      },
    }),
  ];
}
