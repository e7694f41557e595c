import * as v from 'valibot';
import { CredentialsRefusedError } from '../../errors.ts';

const SshCredentials = v.object({
  /** A private key of OpenSSH or in PEM. A passphrase beside it in the secret would protect nothing. */
  sshKey: v.pipe(v.string(), v.includes('PRIVATE KEY')),
});

export type SshCredentials = v.InferOutput<typeof SshCredentials>;

export function readSshCredentials(secret: unknown): SshCredentials {
  const result = v.safeParse(SshCredentials, secret);
  if (result.success) return result.output;
  throw new CredentialsRefusedError(
    'The credentials of a system behind ssh must have sshKey, a private key without a passphrase.',
  );
}
