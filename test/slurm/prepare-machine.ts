import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The directories with their owners, and the two keys. Returns the one that tokens are signed with. */
export async function layOut(directory: string, jobUser: string): Promise<Buffer> {
  await chmod(directory, 0o755);
  const owners = { 'munge-run': 'munge', munge: 'munge', state: 'slurm', work: jobUser };
  for (const name of ['log', 'spool', ...Object.keys(owners)]) {
    await mkdir(join(directory, name), { mode: name === 'munge' ? 0o700 : 0o755 });
  }
  const jwtKey = randomBytes(32);
  await writeFile(join(directory, 'jwt.key'), jwtKey, { mode: 0o400 });
  await writeFile(join(directory, 'munge', 'munge.key'), randomBytes(128), { mode: 0o400 });
  await writeFile(join(directory, 'log', 'slurmctld.log'), '');
  const files = { 'jwt.key': 'slurm', 'munge/munge.key': 'munge', 'log/slurmctld.log': 'slurm' };
  for (const [name, owner] of Object.entries({ ...owners, ...files })) {
    await run('chown', [`${owner}:`, join(directory, name)]);
  }
  return jwtKey;
}

/** Below the cluster's directory; the path of all of them, with `{account}` for the account. */
export async function makeDirectories(
  directory: string,
  accounts: readonly string[],
): Promise<string> {
  const above = join(directory, 'accounts');
  await mkdir(above, { mode: 0o755, recursive: true });
  for (const account of accounts) {
    await mkdir(join(above, account), { mode: 0o700 });
    await run('chown', [`${account}:`, join(above, account)]);
  }
  return join(above, '{account}');
}

/** Makes the folder of a node for temporary files, which every user may write to. */
export async function makeTemporary(directory: string, node: string): Promise<void> {
  const path = join(directory, 'tmp', node);
  await mkdir(path, { recursive: true });
  await chmod(path, 0o1777);
}

/** The daemons listen on the address of the hostname; where that is not loopback, they get another. */
export async function wrapInHostname(): Promise<{ hostname: string; wrapper: string[] }> {
  const found = await lookup(hostname(), 4).catch(() => undefined);
  if (found?.address === '127.0.0.1') return { hostname: hostname().split('.')[0]!, wrapper: [] };
  const rename = 'hostname localhost && exec "$@"';
  return { hostname: 'localhost', wrapper: ['unshare', '--uts', 'sh', '-c', rename, 'sh'] };
}
