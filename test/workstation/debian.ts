import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { projectRoot } from '../fixtures/edition.ts';

const release = 'bookworm';
const mirror = 'http://deb.debian.org/debian';
/** What a Debian has that somebody installed, and that the smallest one lacks. */
const usual = 'systemd,systemd-sysv,dbus,ca-certificates,curl,adduser';

/** Returns why no Debian can be started here, or undefined. */
export function explainNoDebian(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can start one';
  const missing = ['debootstrap', 'unshare', 'nsenter'].filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  );
  return missing.length > 0 ? `${missing.join(' and ')} is missing` : undefined;
}

interface Ran {
  readonly status: number | null;
  readonly text: string;
}

/** A Debian that is not running yet. */
export interface DebianRoot {
  readonly path: string;
  write(file: string, text: string, mode?: number): void;
  copy(from: string, to: string): void;
  /** Runs a command while the network of this machine is there. */
  install(command: string): void;
}

/** Installs a Debian of its own, with a Node, until the test ends. */
export function installDebian(): DebianRoot {
  const path = mkdtempSync(join(tmpdir(), 'slipway-debian-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const cache = join(projectRoot, 'node_modules/.cache/debian');
  mkdirSync(cache, { recursive: true });
  const options = ['--variant=minbase', `--cache-dir=${cache}`, `--include=${usual}`];
  execFileSync('debootstrap', [...options, release, path, mirror], { stdio: 'ignore' });
  // A temporary folder is its owner's alone, and no account but root's could live in such a root.
  chmodSync(path, 0o755);
  const place = (file: string) => {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    return join(path, file);
  };
  const root: DebianRoot = {
    path,
    write: (file, text, mode = 0o644) => writeFileSync(place(file), text, { mode }),
    copy: (from, to) => copyFileSync(from, place(to)),
    install: (command) => {
      execFileSync('chroot', [path, 'sh', '-c', command], {
        stdio: 'ignore',
        env: { PATH: paths, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
      });
    },
  };
  root.copy(process.execPath, 'usr/local/bin/node');
  // Packages must not start their services while they are installed.
  root.write('usr/sbin/policy-rc.d', '#!/bin/sh\nexit 101\n', 0o755);
  // A first boot enables it, and it would wait two minutes for a network other than loopback.
  root.install('systemctl mask systemd-networkd-wait-online.service');
  return root;
}

const deadlineMs = 300_000;

const paths = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Prepares the namespaces and becomes the first process in them. Of the machine's devices only the
 * harmless ones are there, and of its control groups only one.
 */
const boot = `
set -e
root=$1
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then kind=cgroup2 options=rw place=
else kind=cgroup options=none,name=systemd place=/systemd; fi
group=/sys/fs/cgroup$place/$(basename $root)
mkdir $group
echo $$ > $group/cgroup.procs
exec unshare --pid --mount --uts --ipc --net --cgroup --fork --kill-child --propagation private sh -ec '
  root=$1 kind=$2 options=$3 place=$4
  mount --bind $root $root
  mount -t proc proc $root/proc
  mount -t sysfs -o ro sysfs $root/sys
  mount -t tmpfs tmpfs $root/run
  mount -t tmpfs -o mode=1777 tmpfs $root/tmp
  [ $kind = cgroup2 ] || mount -t tmpfs tmpfs $root/sys/fs/cgroup
  mkdir -p $root/sys/fs/cgroup$place
  mount -t $kind -o $options cgroup $root/sys/fs/cgroup$place
  mount -t tmpfs -o mode=755 tmpfs $root/dev
  for device in null zero full random urandom; do
    touch $root/dev/$device
    mount --bind /dev/$device $root/dev/$device
  done
  mkdir $root/dev/shm $root/dev/pts
  ln -s /proc/self/fd $root/dev/fd
  ln -s /proc/self/fd/0 $root/dev/stdin
  ln -s /proc/self/fd/1 $root/dev/stdout
  ln -s /proc/self/fd/2 $root/dev/stderr
  mount -t tmpfs -o mode=1777 tmpfs $root/dev/shm
  hostname slipway
  exec env -i container=other PATH=${paths} chroot $root /sbin/init
' boot $root $kind $options $place
`;

export interface Debian {
  /** Runs lines as root in a shell that ends at the first failure. */
  run(lines: string): Ran;
  /** Starts a command that goes on until the test ends. */
  start(lines: string): ChildProcess;
  /** The first process, whose namespaces others may enter. */
  readonly pid: number;
}

/** Boots it with systemd and a network of its own, where only it is. */
export async function bootDebian({ path }: DebianRoot): Promise<Debian> {
  rmSync(join(path, 'usr/sbin/policy-rc.d'));
  const outer = spawn('sh', ['-c', boot, 'boot', path], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [outer.stdout, outer.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  }
  onTestFinished(async () => {
    outer.kill('SIGKILL');
    // Its processes end a little later.
    await expect.poll(() => removeGroups(path), { timeout: deadlineMs }).toBe(true);
  });
  const findInit = () => {
    if (outer.exitCode !== null) throw new Error(`It ended: ${printed}`);
    const children = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8');
    // The preparation has children of its own, which end.
    return children.split(' ').find((each) => nameProcess(each) === 'systemd');
  };
  await expect.poll(findInit, { timeout: deadlineMs }).toBeDefined();
  const pid = Number(findInit());
  const enter = (lines: string) => [
    ...['--target', String(pid), '--all', '--root', '--wd', '--', 'env', '-i'],
    ...[`PATH=${paths}`, 'HOME=/root', 'LC_ALL=C', 'TERM=dumb', 'DEBIAN_FRONTEND=noninteractive'],
    ...['NODE_USE_SYSTEM_CA=1', 'bash', '-ec', `cd /root; ${lines}`],
  ];
  const run = (lines: string): Ran => {
    const { status, stdout, stderr } = spawnSync('nsenter', enter(lines), { encoding: 'utf8' });
    return { status, text: `${stdout}${stderr}` };
  };
  const isUp = () => run('systemctl is-system-running').text;
  await expect.poll(isUp, { timeout: deadlineMs }).toMatch(/running|degraded/);
  const start = (lines: string): ChildProcess => {
    const child = spawn('nsenter', enter(lines), { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  return { run, start, pid };
}

function nameProcess(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Returns whether no control group of it is left. */
function removeGroups(path: string): boolean {
  const places = [`/sys/fs/cgroup/systemd/${basename(path)}`, `/sys/fs/cgroup/${basename(path)}`];
  const left = places.filter((each) => existsSync(each));
  for (const place of left) {
    spawnSync('find', [place, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
  }
  return left.length === 0;
}
