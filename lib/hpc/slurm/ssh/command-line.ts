import { isDeepStrictEqual } from 'node:util';
import type { CredentialStore } from '../../credentials.ts';
import { CredentialsRefusedError } from '../../errors.ts';
import type { SshReach } from './login-node.ts';
import type { RemoteCommand } from './remote-command.ts';
import { type RemoteEnd, readRemotely, runRemotely } from './run-remotely.ts';
import { readSshCredentials, type SshCredentials } from './ssh-credentials.ts';

export interface SshWayOptions {
  readonly reach: SshReach;
  /** `sshKey`, and `caKey` for certificates. */
  readonly credentials: CredentialStore;
}

/** The commands of a login node, with the credentials of the moment. */
export interface CommandLine {
  run(command: RemoteCommand): Promise<RemoteEnd>;
  /** For output of any length. The caller must read it to its end or return it. */
  read(
    command: RemoteCommand,
    judge: (end: RemoteEnd) => Error,
  ): Promise<AsyncGenerator<Buffer, void>>;
}

export function openCommandLine({ reach, credentials }: SshWayOptions): CommandLine {
  /** Tries once more if the credentials were rotated. A refused key has run nothing. */
  async function show<Result>(call: (shown: SshCredentials) => Promise<Result>): Promise<Result> {
    const shown = readSshCredentials(await credentials.read());
    try {
      return await call(shown);
    } catch (error) {
      if (!(error instanceof CredentialsRefusedError)) throw error;
      credentials.forget();
      const fresh = readSshCredentials(await credentials.read());
      if (isDeepStrictEqual(fresh, shown)) throw error;
      return call(fresh);
    }
  }
  return {
    run: (command) => show((shown) => runRemotely(reach, shown, command)),
    read: (command, judge) => show((shown) => readRemotely(reach, shown, command, judge)),
  };
}
