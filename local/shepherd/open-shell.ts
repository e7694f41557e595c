import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { FailedTry } from '#lib/files/staging/call-out.ts';
import type { UnixLogin } from '#lib/hpc/machine/find-login.ts';
import { partsOfFolder } from '#lib/hpc/machine/record/job-folder.ts';

/** The folder of a job, and the account that owns what is in it, if that is not the service's. */
export interface JobPlace {
  readonly folder: string;
  readonly account?: UnixLogin | undefined;
}

/**
 * Runs a line of shell in the folder of a job, as its account, with the rights of that account alone:
 * a link that the job made leads no further than the job itself could go. Its output must be read.
 */
export function openShell(
  { folder, account }: JobPlace,
  line: string,
  words: readonly string[],
  failure: string,
) {
  const child = spawn('/bin/sh', ['-c', `umask 077; ${line}`, 'sh', ...words], {
    cwd: join(folder, partsOfFolder.work),
    stdio: ['pipe', 'pipe', 'ignore'],
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  const closed = once(child, 'close');
  // What ends early, such as on a full disk, says so by its code. What is written after that is lost.
  child.stdin.on('error', () => undefined);
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    async done() {
      const [code] = await closed;
      if (code !== 0) throw new FailedTry(failure, true);
    },
  };
}
