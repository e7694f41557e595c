import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { serviceHost } from '#infra/settings/service-host.ts';

/** To read the credentials of the HPC systems, and the key they are encrypted with. */
export function secretStatements(secrets: readonly Secret[], key: IKey): PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ['secretsmanager:GetSecretValue'],
      resources: secrets.map(({ secretArn }) => secretArn),
    }),
    new PolicyStatement({
      actions: ['kms:Decrypt'],
      resources: [key.keyArn],
      conditions: {
        StringEquals: {
          'kms:ViaService': serviceHost(key, 'secretsmanager'),
        },
      },
    }),
  ];
}
