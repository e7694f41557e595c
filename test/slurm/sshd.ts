import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../engines/find-free-port.ts';
import { openDoor } from './closed-network.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { installPackages } from './packages.ts';

const run = promisify(execFile);

export interface Sshd {
  readonly port: number;
  /** As the catalog pins it. */
  readonly hostKeys: readonly [string];
  /** The private key that lets every user in, and the file that accepts it. */
  readonly key: string;
  readonly accepts: string;
  /** The private key of the authority whose certificates let their accounts in. */
  readonly authority: string;
  /** Ends the listener and every connection, as a login node that goes down. */
  stop(): Promise<void>;
  start(): Promise<void>;
  readLog(): Promise<string>;
  close(): Promise<void>;
}

export interface SshdOptions {
  /** Set for every session, as a site's sshd or PAM would. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The keys that it accepts, if not its own: those of another sshd. */
  readonly accepts?: string;
  /** What leads into the network that it is in, if that is a closed one. */
  readonly entrance?: readonly string[];
  /** Further lines of sshd_config. */
  readonly lines?: readonly string[];
}

/** A real sshd on loopback, with keys of its own. Needs root, so that several users can log in. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const { environment = {}, entrance = [], lines = [] } = options;
  await installPackages('openssh-server', 'openssh-client');
  await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  const directory = await mkdtemp(join(tmpdir(), 'slipway-sshd-'));
  const file = (name: string) => join(directory, name);
  for (const name of ['host', 'user', 'authority']) {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
  }
  const accepts = options.accepts ?? file('user.pub');
  const port = await findFreePort();
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${accepts}`,
    `TrustedUserCAKeys ${file('authority.pub')}`,
    'StrictModes no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    'PidFile none',
    'LogLevel VERBOSE',
    'Subsystem sftp internal-sftp',
    ...(variables.length > 0 ? [`SetEnv ${variables.join(' ')}`] : []),
    ...lines,
  ];
  await writeFile(file('sshd_config'), `${config.join('\n')}\n`);
  await run('chmod', ['755', directory]);
  const settings = ['-e', '-f', file('sshd_config')];
  const logFile = file('sshd.log');
  const sshd = '/usr/sbin/sshd';
  const start = () =>
    entrance.length > 0
      ? openDoor(port, [...entrance, sshd, '-i', ...settings], logFile)
      : startDaemon({
          name: 'sshd',
          command: [sshd, '-D', ...settings],
          logFile,
          isReady: () => answers(port),
        });
  let daemon: Pick<Daemon, 'stop'> | undefined = await start();
  const [type = '', key = ''] = (await readFile(file('host.pub'), 'utf8')).split(' ');
  async function stop() {
    const children = await listChildren(file('sshd_config'));
    await daemon?.stop();
    daemon = undefined;
    for (const child of children) tryToEnd(child);
  }
  return {
    port,
    hostKeys: [`${type} ${key.trim()}`],
    key: await readFile(file('user'), 'utf8'),
    accepts,
    authority: await readFile(file('authority'), 'utf8'),
    stop,
    async start() {
      daemon = await start();
    },
    readLog: () => readFile(file('sshd.log'), 'utf8'),
    async close() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };

  /** The processes of its connections, which outlive the listener. */
  async function listChildren(configFile: string): Promise<number[]> {
    const { stdout } = await run('ps', ['-eo', 'pid,ppid,args']);
    const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/));
    const listeners = rows.filter((row) => row.join(' ').includes(configFile)).map(([pid]) => pid);
    return rows.filter(([, parent]) => listeners.includes(parent)).map(([pid]) => Number(pid));
  }
}

function tryToEnd(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('data', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
  });
}

/** Unix users with a shell, as people have them on a login node. Returns what removes them. */
export async function makeUsers(...names: readonly string[]): Promise<() => Promise<void>> {
  const remove = async () => {
    // By force, because a process of a session or of a job may not have ended yet.
    for (const name of names) await run('userdel', ['--force', name]).catch(() => undefined);
    // Left behind if others are in it.
    for (const name of names) await run('groupdel', [name]).catch(() => undefined);
  };
  await remove();
  for (const name of names) {
    await run('useradd', ['--system', '--user-group', '--shell', '/bin/bash', '-p', '*', name]);
  }
  return remove;
}

/** Lets a user run Slurm's commands as some accounts, by the lines that docs/slurm.md gives. */
export async function allowBySudo(
  user: string,
  accounts: readonly string[],
): Promise<() => Promise<void>> {
  const file = '/etc/sudoers.d/slipway-test';
  const slurm = ['sbatch', 'scancel', 'squeue', 'sacct'].map((name) => `/usr/bin/${name}`);
  const commands = ['/bin/sh', ...slurm];
  const lines = [
    // The cluster of the tests has its configuration elsewhere.
    `Defaults:${user} env_keep += "SLURM_CONF"`,
    `Defaults:${user} !requiretty, command_timeout=120`,
    `${user} ALL=(${accounts.join(',')}) NOPASSWD: ${commands.join(', ')}`,
  ];
  await installPackages('sudo');
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o440 });
  return () => rm(file, { force: true });
}
