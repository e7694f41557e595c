import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { type ClientOptions, openClient } from '#lib/outbound/open-client.ts';
import { type CredentialStore, openCredentials } from '../credentials.ts';

/** The credentials of each system, from the secret that the deployment names for it. */
export function openSecrets(
  secrets: Readonly<Record<string, string>>,
  options?: ClientOptions,
): (hpc: SystemName) => CredentialStore {
  let client: SecretsManagerClient | undefined;
  return (hpc) => {
    const secretId = secrets[hpc];
    if (secretId === undefined) throw new Error(`No secret is set for the credentials of ${hpc}.`);
    // Made for the first system that has one: simulated systems have none.
    client ??= openClient(SecretsManagerClient, options);
    return openCredentials(client, secretId);
  };
}
