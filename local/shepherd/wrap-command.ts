import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { UnixLogin } from '#lib/hpc/machine/find-login.ts';
import { inSandbox } from '#lib/hpc/machine/processes/sandbox.ts';
import { type FolderOrder, partsOfFolder } from '#lib/hpc/machine/record/job-folder.ts';
import { listProcesses } from '#lib/hpc/machine/record/process-mark.ts';
import { systemPath } from './system-path.ts';

/**
 * Returns the command as it is started: into its control groups, under its resource limits, as its
 * account, in its sandbox. Each step replaces itself by the next, so the process stays the same.
 */
export function wrapCommand(
  folder: string,
  order: FolderOrder,
  groups: readonly string[],
  account: UnixLogin | undefined,
): string[] {
  const { argv, sandbox } = order;
  const inner = sandbox === undefined ? argv : byFullPath(inSandbox(folder, { ...order, sandbox }));
  const own = account === undefined ? inner : asAccount(account, inner, order);
  return enterGroups(groups, limitResources(order, account, own));
}

/** Finds the program of the order before anything starts. Returns undefined if there is none. */
export function findProgram(
  folder: string,
  { argv, environment }: FolderOrder,
): string | undefined {
  return findInPath(argv[0] ?? '', environment.PATH ?? '', join(folder, partsOfFolder.work));
}

const enteringScript = `
  while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done
  shift
  # If the whole machine runs out of memory, the kernel takes the job and not the service.
  echo 500 2>&- > /proc/self/oom_score_adj
  exec "$@"`;

function enterGroups(groups: readonly string[], command: readonly string[]): string[] {
  const members = groups.map((group) => join(group, 'cgroup.procs'));
  return ['/bin/sh', '-c', enteringScript, 'sh', ...members, '--', ...command];
}

/**
 * A file grows no larger than all files may. Without control groups, the data of a single process is
 * bounded (not its address space, of which runtimes such as Node reserve far more than they use), so
 * that no process takes all memory between two looks of the shepherd; and its user starts no more
 * processes than the job may add.
 */
function limitResources(
  { limits }: FolderOrder,
  account: UnixLogin | undefined,
  command: readonly string[],
): string[] {
  const program = findInPath('prlimit', systemPath);
  if (program === undefined) return limitByShell(limits.outputBytes, command);
  const always = [
    '--core=0',
    `--fsize=${atMost('file size', limits.outputBytes)}`,
    `--nofile=${atMost('open files', mostOpenFiles)}`,
  ];
  if ((limits.level ?? 'watched') !== 'watched') return [program, ...always, '--', ...command];
  const processes = countThreads(account?.uid ?? process.getuid?.()) + limits.processes;
  const data = `--data=${atMost('data size', limits.memoryBytes + unusedDataBytes)}`;
  return [program, ...always, data, `--nproc=${atMost('processes', processes)}`, '--', ...command];
}

/** More than any program needs at once, and few enough that a job cannot take all of the machine. */
const mostOpenFiles = 65_536;

/** Node sets aside about 600 MB as data before it runs anything, and uses a tenth of it. */
const unusedDataBytes = 1024 ** 3;

const blockBytes = 512;

function limitByShell(fileBytes: number, command: readonly string[]): string[] {
  const script = `ulimit -c 0; ulimit -f ${Math.ceil(fileBytes / blockBytes)}; exec "$@"`;
  return ['/bin/sh', '-c', script, 'sh', ...command];
}

/** Nobody but root may raise a limit that somebody has set. */
function atMost(name: string, wanted: number): number {
  const text = readFileSync('/proc/self/limits', 'utf8');
  const hard = new RegExp(`^Max ${name}\\s+\\S+\\s+(\\d+)`, 'm').exec(text)?.[1];
  return Math.min(Math.floor(wanted), Number(hard ?? Number.POSITIVE_INFINITY));
}

/** The kernel counts threads where it says processes. */
function countThreads(uid: number | undefined): number {
  return listProcesses()
    .map(({ pid }) => `/proc/${pid}`)
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.uid === uid)
    .reduce((sum, path) => sum + countEntries(join(path, 'task')), 0);
}

function countEntries(path: string): number {
  try {
    return readdirSync(path).length;
  } catch {
    return 0;
  }
}

/**
 * The folder of a project has a group that jobs get besides those of their account, and what they
 * write is for the group too.
 */
export function asAccount(
  { uid, gid }: UnixLogin,
  command: readonly string[],
  { login, kept }: Pick<FolderOrder, 'login' | 'kept'>,
): string[] {
  const shares = login !== undefined && kept?.group !== undefined;
  const groups = shares ? `--groups=${[...listGroups(login), kept.group]}` : '--init-groups';
  const drop = [groups, '--inh-caps=-all', '--'];
  const own = shares ? ['/bin/sh', '-c', 'umask 007; exec "$@"', 'sh', ...command] : command;
  return [...byFullPath(['setpriv', `--reuid=${uid}`, `--regid=${gid}`, ...drop]), ...own];
}

function listGroups(login: string): string[] {
  const [program = '', ...parameters] = byFullPath(['id', '-G', '--', login]);
  return execFileSync(program, parameters, { encoding: 'utf8' }).trim().split(' ');
}

/** The job's own PATH may name folders that others can write. */
function byFullPath([name = '', ...parameters]: readonly string[]): string[] {
  const program = findInPath(name, systemPath);
  if (program === undefined) throw new Error(`${name} is not installed on this machine.`);
  return [program, ...parameters];
}

function findInPath(name: string, path: string, from = '/'): string | undefined {
  const folders = name.includes('/') ? [''] : path.split(delimiter);
  return folders.map((folder) => resolve(from, folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
