import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { openProvided } from '#lib/outbound/in-process.ts';
import { type ClientOptions, openClient } from '#lib/outbound/open-client.ts';

const Credentials = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((value) => !Array.isArray(value)),
  v.record(v.string(), v.string()),
);

export type Credentials = v.InferOutput<typeof Credentials>;

export interface CredentialStore {
  /** Read once per container. */
  read(): Promise<Credentials>;
  /** Called when the system refuses the credentials, as the secret may have been rotated. */
  forget(): void;
}

/** Opens the credentials of one system. They are only in Secrets Manager, never in a variable. */
export function openCredentials(client: SecretsManagerClient, secretId: string): CredentialStore {
  let kept: Promise<Credentials> | undefined;
  async function fetchSecret(): Promise<Credentials> {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    const result = v.safeParse(Credentials, SecretString);
    // The parser's own message would show the secret.
    if (!result.success)
      throw new Error(`The secret ${secretId} must be a JSON object whose values are text.`);
    return result.output;
  }
  return {
    read() {
      kept ??= fetchSecret().catch((error: unknown) => {
        kept = undefined;
        throw error;
      });
      return kept;
    },
    forget() {
      kept = undefined;
    },
  };
}

export type OpenCredentials = (hpc: SystemName) => CredentialStore;

const withoutSecret = openProvided<OpenCredentials>((hpc) => {
  throw new Error(`No secret is set for the credentials of ${hpc}.`);
});

/** Says where a process has the credentials of systems without a secret. */
export const keepCredentialsInProcess = withoutSecret.provide;

/** Opens the credentials of each system from the secret that the deployment names for it. */
export function openSecrets(
  secrets: Readonly<Record<string, string>>,
  options?: ClientOptions,
): OpenCredentials {
  let client: SecretsManagerClient | undefined;
  return (hpc) => {
    const secretId = secrets[hpc];
    if (secretId === undefined) return withoutSecret.inUse()(hpc);
    // Opened on first use, because simulated systems have no secret.
    client ??= openClient(SecretsManagerClient, options);
    return openCredentials(client, secretId);
  };
}
