import * as v from 'valibot';
import { CredentialsRefusedError } from '../../errors.ts';

/** A private key of OpenSSH or in PEM. A passphrase beside it in the secret would protect nothing. */
const PrivateKey = v.pipe(v.string(), v.includes('PRIVATE KEY'));

const SshCredentials = v.object({
  sshKey: PrivateKey,
  /** The authority that the login node trusts, where the service acts for accounts by certificates. */
  caKey: v.optional(PrivateKey),
});

export type SshCredentials = v.InferOutput<typeof SshCredentials>;

export function readSshCredentials(secret: unknown): SshCredentials {
  const result = v.safeParse(SshCredentials, secret);
  if (result.success) return result.output;
  throw new CredentialsRefusedError(
    'The credentials of a system behind ssh must have sshKey, a private key without a passphrase, ' +
      'and may have caKey, another one.',
  );
}
