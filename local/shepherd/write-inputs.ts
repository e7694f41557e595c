import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { FailedTry } from '#lib/files/staging/call-out.ts';
import type { Destination } from '#lib/files/staging/fetch-inputs.ts';
import type { UnixLogin } from '#lib/hpc/machine/find-login.ts';
import { partsOfFolder } from '#lib/hpc/machine/job-folder.ts';

/** The folder of a job, and the account that owns what is in it, if that is not the service's. */
export interface JobPlace {
  readonly folder: string;
  readonly account?: UnixLogin | undefined;
}

/** Writes the inputs of a job into its folder. */
export function openJobFolder(place: JobPlace): Destination {
  return {
    empty: () => write(place, `: >"$1"`).done(),
    append: () => write(place, `cat >>"$1"`),
    keep: (to) => write(place, `mkdir -p -- "$2" && mv -f -- "$1" "$3"`, [dirname(to), to]).done(),
  };
}

/**
 * Runs a line of shell in the folder of the job, as its account, with the rights of that account
 * alone. Its first argument is where a file grows until it is whole.
 */
function write({ folder, account }: JobPlace, line: string, words: readonly string[] = []) {
  const part = join(folder, partsOfFolder.temporary, 'fetched');
  const child = spawn('/bin/sh', ['-c', `umask 077; ${line}`, 'sh', part, ...words], {
    cwd: join(folder, partsOfFolder.work),
    stdio: ['pipe', 'ignore', 'ignore'],
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  const closed = once(child, 'close');
  // A full disk is told by the exit code, and what is written after that goes nowhere.
  child.stdin.on('error', () => undefined);
  return {
    stdin: child.stdin,
    async done() {
      child.stdin.end();
      const [code] = await closed;
      if (code !== 0) throw new FailedTry('it could not be put there', true);
    },
  };
}
