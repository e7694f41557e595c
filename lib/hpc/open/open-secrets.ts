import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { type ClientOptions, openClient } from '#lib/outbound/open-client.ts';
import { type CredentialStore, openCredentials } from '../credentials.ts';

export type OpenCredentials = (hpc: SystemName) => CredentialStore;

const nowhere: OpenCredentials = (hpc) => {
  throw new Error(`No secret is set for the credentials of ${hpc}.`);
};

let withoutSecret = nowhere;

/** For a process that has its credentials elsewhere: of systems for which no secret is named. */
export function keepCredentialsInProcess(open: OpenCredentials = nowhere): void {
  withoutSecret = open;
}

/** The credentials of each system, from the secret that the deployment names for it. */
export function openSecrets(
  secrets: Readonly<Record<string, string>>,
  options?: ClientOptions,
): OpenCredentials {
  let client: SecretsManagerClient | undefined;
  return (hpc) => {
    const secretId = secrets[hpc];
    if (secretId === undefined) return withoutSecret(hpc);
    // Made for the first system that has one: simulated systems have none.
    client ??= openClient(SecretsManagerClient, options);
    return openCredentials(client, secretId);
  };
}
