import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePorts } from '../engines/find-free-port.ts';
import {
  askDatabase,
  databaseSocket,
  layOutDatabase,
  prepareDatabase,
  writeAccountingConfig,
} from './accounting.ts';
import { startNetwork } from './closed-network.ts';
import { cgroupConfig, gpuConfig, writeClusterConfig } from './cluster-config.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { mungeCommand, restCommand } from './daemon-commands.ts';
import { installPackages } from './packages.ts';
import { pollUntil } from './poll-until.ts';
import { layOut, makeDirectories, makeTemporary, wrapInHostname } from './prepare-machine.ts';

const run = promisify(execFile);

export interface Cluster {
  readonly url: string;
  /** The jobs run as this user of the machine: one that every Debian has, so that none is made. */
  readonly user: string;
  readonly token: string;
  readonly partition: string;
  readonly workDirectory: string;
  /** The file by which Slurm's commands find it. */
  readonly configFile: string;
  /** What a command begins with that reaches the daemons, if their network is closed. */
  readonly entrance: readonly string[];
  /** What tokens are signed with, in base64. */
  readonly key: string;
  /** A token as `scontrol token` makes it. */
  signToken(user: string): string;
  /** Directories for accounts, one for each of them, which nobody else can enter: `{account}` in it. */
  makeDirectories(...accounts: string[]): Promise<string>;
  /** One of Slurm's own commands, as root: what it prints. */
  ask(...command: string[]): Promise<string>;
  stopController(): Promise<void>;
  startController(): Promise<void>;
  killRest(): Promise<void>;
  startRest(): Promise<void>;
  /** Ends the jobs, then exactly the processes that were started, then removes the directory. */
  close(): Promise<void>;
}

export interface ClusterOptions {
  /** Whether users see their own jobs alone. */
  readonly hidesJobs?: boolean;
  /** Whether slurmdbd keeps the accounting, with a database of its own. */
  readonly hasAccounting?: boolean;
  /**
   * The accounts that the user of the jobs may charge. With them, Slurm enforces memory and the
   * limits of its qualities of service. Needs accounting.
   */
  readonly accounts?: readonly string[];
  /** Whether only the number of jobs is limited, so that jobs need not ask for memory. */
  readonly limitsJobs?: boolean;
  /** One, unless it is said. */
  readonly nodes?: number;
  /** Whether its daemons and jobs have a network of their own, from which nothing leads out. */
  readonly isClosed?: boolean;
  /** The user of the jobs, if not one that every Debian has. */
  readonly user?: string;
}

const accountingPackages = ['slurmdbd', 'slurm-wlm-mysql-plugin', 'mariadb-server'];

const usualUser = 'games';
const partition = 'hpc_one';

/** A real Slurm with slurmrestd, on loopback. Needs root: jobs run as another user. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  if (process.getuid?.() !== 0) throw new Error('A cluster for tests can be started by root only.');
  await installPackages(...(options.hasAccounting ? accountingPackages : []));
  const directory = await mkdtemp(join(tmpdir(), 'slipway-slurm-'));
  const running: Daemon[] = [];
  const place: Place = { directory, entrance: [] };
  const removeAtExit = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  const close = async () => {
    try {
      if (running.length > 1) await endJobs(place);
    } finally {
      for (const daemon of running.reverse()) await daemon.stop();
      await rm(directory, { recursive: true, force: true });
      // slurmd leaves it behind, and it is not there without limits.
      await rmdir('/sys/fs/cgroup/memory/slurm_node1').catch(() => undefined);
      process.off('exit', removeAtExit);
    }
  };
  try {
    if (options.isClosed) {
      const network = await startNetwork(directory);
      running.push(network);
      place.entrance = network.entrance;
    }
    return { ...(await startDaemons(place, running, options)), entrance: place.entrance, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Place {
  readonly directory: string;
  /** What every command begins with. */
  entrance: readonly string[];
}

async function startDaemons(
  place: Place,
  running: Daemon[],
  options: ClusterOptions,
): Promise<Omit<Cluster, 'close' | 'entrance'>> {
  const { directory, entrance } = place;
  const { hidesJobs = false, hasAccounting = false, accounts = [] } = options;
  const { limitsJobs = false, nodes = 1, user: jobUser = usualUser } = options;
  const jwtKey = await layOut(directory, jobUser);
  const [controllerPort = 0, restPort = 0, dbdPort = 0, ...nodePorts] = await findFreePorts(
    3 + nodes,
  );
  const { hostname, wrapper } = await wrapInHostname();
  const accountingPort = hasAccounting ? dbdPort : undefined;
  const ports = { controllerPort, nodePorts, accountingPort };
  const enforces = accounts.length > 0 && !limitsJobs;
  const config = { directory, hostname, ...ports, partition, hidesJobs, enforces, limitsJobs };
  await writeFile(join(directory, 'slurm.conf'), writeClusterConfig(config));
  await writeFile(join(directory, 'cgroup.conf'), cgroupConfig);
  if (enforces) await writeFile(join(directory, 'gres.conf'), gpuConfig);

  async function start(name: string, command: string[], isReady: () => Promise<boolean>) {
    const logFile = join(directory, 'log', `${name}.out`);
    const environment = {
      ...useConfig(directory),
      ...(hasAccounting && { MYSQL_UNIX_PORT: databaseSocket(directory) }),
    };
    const whole = [...entrance, ...wrapper, ...command];
    const order = { name, command: whole, logFile, environment, isReady };
    const daemon = await startDaemon(order);
    running.push(daemon);
    return daemon;
  }
  const says = (word: string, ...command: string[]) =>
    ask(place, ...command).then(
      (answer) => answer.includes(word),
      () => false,
    );

  const socket = join(directory, 'munge-run', 'munge.socket');
  await start('munged', mungeCommand(directory, socket), async () => existsSync(socket));
  if (hasAccounting) {
    await start('mariadbd', await layOutDatabase(directory), () =>
      askDatabase(directory, 'select 1').then(
        () => true,
        () => false,
      ),
    );
    await askDatabase(directory, prepareDatabase);
    await writeAccountingConfig({ directory, hostname, port: dbdPort });
    await start('slurmdbd', ['slurmdbd', '-D'], () =>
      ask(place, 'sacctmgr', '-n', 'show', 'cluster').then(
        () => true,
        () => false,
      ),
    );
    await ask(place, 'sacctmgr', '-i', 'add', 'cluster', 'slipway');
    for (const account of accounts) {
      await ask(place, 'sacctmgr', '-i', 'add', 'account', account);
      await ask(place, 'sacctmgr', '-i', 'add', 'user', jobUser, `account=${account}`);
    }
  }
  const startController = () =>
    start('slurmctld', ['slurmctld', '-D'], () => says('is UP', 'scontrol', 'ping'));
  let controller = await startController();
  for (const at of nodePorts.keys()) {
    const name = `node${at + 1}`;
    await makeTemporary(directory, name);
    await start(`slurmd-${name}`, ['slurmd', '-D', '-N', name], () =>
      says('idle', 'sinfo', '-h', '-n', name, '-o', '%T'),
    );
  }

  const url = `http://127.0.0.1:${restPort}`;
  const token = signToken(jwtKey, jobUser);
  const headers = { 'x-slurm-user-name': jobUser, 'x-slurm-user-token': token };
  const answers = () =>
    fetch(`${url}/slurm/v0.0.38/ping`, { headers }).then(
      ({ ok }) => ok,
      () => false,
    );
  const startRest = () => start('slurmrestd', restCommand(restPort, hasAccounting), answers);
  // Nobody outside of its network could reach it.
  let rest = options.isClosed ? undefined : await startRest();
  return {
    url,
    user: jobUser,
    token,
    partition,
    workDirectory: join(directory, 'work'),
    configFile: useConfig(directory).SLURM_CONF,
    key: jwtKey.toString('base64'),
    signToken: (user) => signToken(jwtKey, user),
    makeDirectories: (...accounts) => makeDirectories(directory, accounts),
    ask: (...command) => ask(place, ...command),
    // Not killed: the state of the last seconds would be lost, and with it jobs that run.
    stopController: () => controller.stop(),
    async startController() {
      controller = await startController();
    },
    async killRest() {
      await rest?.stop('SIGKILL');
    },
    async startRest() {
      rest = await startRest();
    },
  };
}

function useConfig(directory: string) {
  return { SLURM_CONF: join(directory, 'slurm.conf') };
}

async function ask({ directory, entrance }: Place, ...command: string[]): Promise<string> {
  const [program = '', ...rest] = [...entrance, ...command];
  const env = { ...process.env, ...useConfig(directory) };
  return (await run(program, rest, { env, timeout: 10_000 })).stdout.trim();
}

/** Through Slurm, so that no process of a job outlives the daemons. */
async function endJobs(place: Place): Promise<void> {
  const list = () => ask(place, 'squeue', '-h', '-o', '%A');
  const ids = await list();
  if (ids === '') return;
  await ask(place, 'scancel', ...ids.split(/\s+/));
  await pollUntil('all jobs have ended', 30, async () => (await list()) === '' || undefined);
}

/** As `scontrol token` does it. */
function signToken(key: Buffer, user: string): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = encode({ exp: now + 3600, iat: now, sun: user });
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
