import { existsSync, type Stats } from 'node:fs';
import {
  chmod,
  constants,
  copyFile,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rm,
  symlink,
  utimes,
} from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Copies files with their owners, modes and times. Skips those that are already there, and those
 * that vanish meanwhile. Symbolic links stay links. `from` must be without links itself.
 */
export async function copyTree(from: string, to: string): Promise<void> {
  const found = await lstat(from).catch(skipPassing);
  if (!found || !(await copyContent(found, from, to))) return;
  if (process.getuid?.() === 0) await lchown(to, found.uid, found.gid);
  if (found.isSymbolicLink()) return;
  await chmod(to, found.mode & 0o7777);
  await utimes(to, found.atimeMs / 1000, found.mtimeMs / 1000);
}

/** Returns false if there was nothing to copy, such as for a socket or a pipe of a job. */
async function copyContent(found: Stats, from: string, to: string): Promise<boolean> {
  if (found.isDirectory()) {
    await mkdir(to, { recursive: true, mode: 0o700 });
    const names = (await readdir(from).catch(skipPassing)) ?? [];
    for (const name of names) await copyTree(join(from, name), join(to, name));
    return true;
  }
  if (found.isSymbolicLink()) {
    const target = await readlink(from).catch(skipPassing);
    if (target === undefined) return false;
    await rm(to, { force: true });
    await symlink(target, to);
    return true;
  }
  if (!found.isFile()) return false;
  const known = await lstat(to).catch(skipPassing);
  if (known && known.size === found.size && isSameTime(known.mtimeMs, found.mtimeMs)) return false;
  return copyOpened(from, to);
}

/**
 * Copies a file that really is where its path says. A job may put a link into the path of a file
 * while it is copied, and root would follow it to what the job itself cannot read.
 */
async function copyOpened(from: string, to: string): Promise<boolean> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, COPYFILE_FICLONE } = constants;
  const file = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(skipPassing);
  if (!file) return false;
  try {
    const opened = `/proc/self/fd/${file.fd}`;
    if (!existsSync(opened)) await copyFile(from, to, COPYFILE_FICLONE);
    else if ((await readlink(opened)) !== from) return false;
    else await copyFile(opened, to, COPYFILE_FICLONE);
    return true;
  } finally {
    await file.close();
  }
}

/** Setting a time keeps only microseconds of it. */
function isSameTime(one: number, other: number): boolean {
  return Math.abs(one - other) < 1;
}

/** For a file that is gone, or that has become something else. */
const passing = ['ENOENT', 'ELOOP', 'ENOTDIR', 'EINVAL', 'EISDIR', 'ENXIO'];

function skipPassing(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (passing.includes(String(code))) return undefined;
  throw error;
}
