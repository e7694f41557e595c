import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { HpcSecrets } from '../data/hpc-secrets.ts';

export interface EncryptedSecrets {
  readonly hpcSecrets: HpcSecrets;
  readonly key: IKey;
}

/** To read the credentials of the HPC systems, and the key they are encrypted with. */
export function secretStatements({ hpcSecrets, key }: EncryptedSecrets): PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ['secretsmanager:GetSecretValue'],
      resources: [...hpcSecrets.bySystem.values()].map(({ secretArn }) => secretArn),
    }),
    new PolicyStatement({
      actions: ['kms:Decrypt'],
      resources: [key.keyArn],
      conditions: {
        StringEquals: {
          'kms:ViaService': `secretsmanager.${Stack.of(hpcSecrets).region}.amazonaws.com`,
        },
      },
    }),
  ];
}
