import * as v from 'valibot';
import { CredentialsRefusedError } from '../../errors.ts';

const SshCredentials = v.object({
  /** A private key of OpenSSH or in PEM. */
  sshKey: v.pipe(v.string(), v.includes('PRIVATE KEY')),
  passphrase: v.optional(v.string()),
});

export type SshCredentials = v.InferOutput<typeof SshCredentials>;

export function readSshCredentials(secret: unknown): SshCredentials {
  const result = v.safeParse(SshCredentials, secret);
  if (result.success) return result.output;
  throw new CredentialsRefusedError(
    'The credentials of a system behind ssh must have sshKey, a private key, and passphrase if it has one.',
  );
}
