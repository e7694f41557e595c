import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type FolderOrder, partsOfFolder } from './job-folder.ts';

type Sandbox = NonNullable<FolderOrder['sandbox']>;

/**
 * Puts a command into bubblewrap: it reads the system, writes only its working directory and its
 * temporary one (which is /tmp, too), and sees neither other processes nor the hidden folders.
 */
export function inSandbox(
  folder: string,
  { network, hidden }: Sandbox,
  command: readonly string[],
): string[] {
  const work = join(folder, partsOfFolder.work);
  const temporary = join(folder, partsOfFolder.temporary);
  // Sockets in /run belong to services that act for their caller, such as Docker or D-Bus.
  const emptied = ['/run', ...hidden.filter(isFolder), folder];
  return [
    'bwrap',
    ...[
      '--die-with-parent',
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--cap-drop',
      'ALL',
    ],
    ...(network ? [] : ['--unshare-net']),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', temporary, '/tmp'],
    ...emptied.flatMap((path) => ['--tmpfs', path]),
    ...hidden.filter(isFile).flatMap((path) => ['--ro-bind', '/dev/null', path]),
    // Name servers may be listed there.
    ...(network ? ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'] : []),
    ...[work, temporary].flatMap((path) => ['--bind', path, path]),
    ...emptied.flatMap((path) => ['--remount-ro', path]),
    ...['--chdir', work, '--', ...command],
  ];
}

/** Returns why there is no sandbox on this machine, or undefined if there is one. */
export async function explainMissingSandbox(): Promise<string | undefined> {
  const trial = [
    '--unshare-pid',
    '--unshare-net',
    '--ro-bind',
    '/',
    '/',
    '--',
    '/bin/sh',
    '-c',
    ':',
  ];
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  try {
    await promisify(execFile)('bwrap', trial, { env, timeout: 5_000 });
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'ENOENT') return 'bubblewrap is not installed';
    return `bubblewrap does not work: ${error.message.split('\n').at(1) || error.message}`;
  }
}

const isFolder = (path: string) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
