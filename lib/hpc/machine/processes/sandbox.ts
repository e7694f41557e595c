import { execFile } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { datasetsFor } from '#lib/catalog/datasets.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { ProjectName } from '#lib/catalog/identifiers.ts';
import { createJobFolder, type FolderOrder, partsOfFolder } from '../record/job-folder.ts';

/** Lists what jobs read besides the system: what the catalog names, and the data sets of a project. */
export function listReadable(system: HpcSystem, project?: ProjectName): string[] {
  const { connector, datasets = [] } = system;
  const named = ('readable' in connector && connector.readable) || [];
  const data = project === undefined ? datasets : datasetsFor(system, project);
  return [...named, ...data.map(({ path }) => path)];
}

type SandboxedOrder = Pick<FolderOrder, 'argv' | 'limits' | 'kept'> &
  Required<Pick<FolderOrder, 'sandbox'>>;

/** Programs and libraries, wherever a distribution keeps them. */
const systemFolders = [
  '/usr',
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['/nix/store', '/gnu/store', '/run/current-system'],
];

/**
 * What programs read in /etc: names, the linker, time and languages, certificates, and the settings
 * of languages and libraries. Everything else there may be a secret, such as the environment files
 * of services. A job of root would read even what has the mode 600.
 */
const settingsInEtc = [
  /^(passwd|group|nsswitch\.conf|hosts|host\.conf|hostname|resolv\.conf|gai\.conf)$/,
  /^(networks|protocols|services|rpc|shells|os-release|debian_version)$/,
  /^(ld\.so\.(cache|conf|conf\.d)|alternatives|localtime|timezone|locale\.(alias|conf))$/,
  /^(ca-certificates|crypto-policies|pki|fonts|magic|magic\.mime|mime\.types|terminfo|inputrc)$/,
  /^(bash\.bashrc|xattr\.conf|OpenCL|glvnd|vulkan|openmpi|hwloc|R|julia|perl)$/,
  /^(java|python|ImageMagick|texmf|openmpi)[A-Za-z0-9.-]*$/,
];
/** Keys are beside the certificates. */
const certificates = ['/etc/ssl/certs', '/etc/ssl/openssl.cnf'];

/** Root owns these and needs no capability to write them: one is enough to take the machine over. */
const kernelSettings = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/mtrr'];

/**
 * Puts the command of an order into bubblewrap. The job sees the programs of the system, what the
 * catalog adds, and its own folders. Everything else does not exist for it, however a path leads
 * there. It writes its working directory and its temporary one, which is /tmp too, and a bounded
 * /dev/shm, and sees no process but its own.
 */
export function inSandbox(
  folder: string,
  { argv, limits, sandbox, kept }: SandboxedOrder,
): string[] {
  const { network = false, readable = [] } = sandbox ?? {};
  const work = join(folder, partsOfFolder.work);
  const temporary = join(folder, partsOfFolder.temporary);
  const settings = readdirSync('/etc').filter((name) =>
    settingsInEtc.some((form) => form.test(name)),
  );
  const optional = [
    ...settings.map((name) => join('/etc', name)),
    ...certificates,
    // Programs choose their number of threads by the processors that are listed there.
    '/sys/devices/system',
  ];
  const sharedMemory = String(Math.floor(limits.memoryBytes / 2));
  return [
    ...['bwrap', '--die-with-parent', '--unshare-user-try', '--unshare-pid', '--unshare-ipc'],
    ...['--unshare-uts', '--unshare-cgroup-try', '--cap-drop', 'ALL'],
    ...(network ? [] : ['--unshare-net']),
    ...systemFolders.flatMap(showSystemFolder),
    ...['--dir', '/etc', ...optional.flatMap((path) => ['--ro-bind-try', path, path])],
    ...['--proc', '/proc', ...kernelSettings.flatMap((path) => ['--ro-bind-try', path, path])],
    ...['--dev', '/dev', '--size', sharedMemory, '--perms', '1777', '--tmpfs', '/dev/shm'],
    ...['--remount-ro', '/dev', '--bind', temporary, '/tmp'],
    ...[...readable, process.execPath].flatMap((path) => ['--ro-bind', path, path]),
    ...[work, temporary, ...(kept ? [kept.path] : [])].flatMap((path) => ['--bind', path, path]),
    ...['--remount-ro', '/', '--chdir', work, '--', ...argv],
  ];
}

function showSystemFolder(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return ['--symlink', readlinkSync(path), path];
  return found ? ['--ro-bind', path, path] : [];
}

/**
 * Throws if a job in a sandbox could see one of these folders: one that it may read holds the folder,
 * or is inside of it. Links are followed on both sides.
 */
export function refuseShown(kept: readonly string[], readable: readonly string[]): void {
  for (const shown of [...systemFolders, ...readable].flatMap(findRealPath)) {
    const overlapping = kept
      .flatMap(findRealPath)
      .find((path) => isInside(path, shown) || isInside(shown, path));
    if (overlapping === undefined) continue;
    throw new Error(
      `Jobs in a sandbox read ${shown}, so they would read ${overlapping} of the service. Move one of the two (DATA_DIR, or "readable", "mounts" or "keep" in the catalog).`,
    );
  }
}

function findRealPath(path: string): string[] {
  return lstatSync(path, { throwIfNoEntry: false }) ? [realpathSync(path)] : [];
}

const isInside = (inner: string, outer: string) => !relative(outer, inner).startsWith('..');

/** Leaves out folders of PATH that do not exist in a sandbox. */
export function pathInSandbox(path: string, readable: readonly string[]): string {
  const shown = [...systemFolders, ...readable, join(process.execPath, '..')];
  const isShown = (folder: string) => shown.some((each) => isInside(folder, each));
  return path.split(':').filter(isShown).join(':');
}

/** Returns why there is no such sandbox on this machine, or undefined if there is one. */
export async function explainMissingSandbox(
  readable: readonly string[] = [],
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-sandbox-'));
  const limits = { seconds: 5, memoryBytes: 1_000_000, processes: 10, outputBytes: 1_000_000 };
  const order = { argv: ['/bin/sh', '-c', ':'], limits, sandbox: { network: false, readable } };
  try {
    createJobFolder(folder);
    const [program = '', ...parameters] = inSandbox(folder, order);
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
    await promisify(execFile)(program, parameters, { env, timeout: 5_000 });
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'ENOENT') return 'bubblewrap is not installed';
    return `bubblewrap does not work: ${error.message.split('\n').at(1) || error.message}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
