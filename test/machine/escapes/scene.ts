import { randomInt, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { removeFolder } from '#lib/hpc/machine/files/remove-folder.ts';
import { findLogin } from '#lib/hpc/machine/find-login.ts';
import { observeJob } from '#lib/hpc/machine/observe-job.ts';
import { detectLimits } from '#lib/hpc/machine/processes/control-group.ts';
import { explainMissingSandbox } from '#lib/hpc/machine/processes/sandbox.ts';
import {
  createJobFolder,
  type FolderOrder,
  writeOrder,
} from '#lib/hpc/machine/record/job-folder.ts';
import { startShepherd } from '#local/shepherd/start-shepherd.ts';

/** How jobs are kept apart, as the columns of the table. */
export const levels = ['plain', 'watched', 'sandboxed', 'mapped'] as const;
export type Level = (typeof levels)[number];

const { level: best } = await detectLimits();
const isRoot = process.getuid?.() === 0;

/** Why a level cannot be tried here, or undefined. */
export const missing: Readonly<Record<Level, string | undefined>> = {
  plain: best === 'watched' ? 'This machine offers no control groups.' : undefined,
  watched: undefined,
  sandboxed: await explainMissingSandbox(),
  mapped: isRoot ? undefined : 'Only root can start jobs as others.',
};

const megabyte = 1024 * 1024;
/** Accounts that every Unix has. The first one has something to hide. */
const accounts = ['daemon', 'nobody'] as const;

export interface SceneJob {
  readonly id: string;
  readonly folder: string;
  readonly order: FolderOrder;
}

interface Wishes {
  readonly isVictim?: boolean;
  readonly limits?: Partial<FolderOrder['limits']>;
}

/**
 * One machine with a service, which has a table, keys, a backup and settings, and with the job of
 * somebody who has secrets. What is worth stealing contains the word SECRET.
 */
export class Scene {
  readonly level: Level;
  /** Of everything that the scene makes. Not in /tmp, which is another folder in a sandbox. */
  readonly place = mkdtempSync('/var/tmp/slipway-escapes-');
  /** Names what an attempt makes outside of its folders, in places of the whole machine. */
  readonly name = `slipway-escape-${randomUUID()}`;
  readonly key = randomInt(1, 2 ** 30);
  readonly data = join(this.place, 'data');
  readonly jobs = join(this.data, 'jobs');
  port = 0;
  readonly #servers: Server[] = [];

  constructor(level: Level) {
    this.level = level;
  }

  async open(): Promise<void> {
    chmodSync(this.place, 0o711);
    mkdirSync(this.jobs, { recursive: true });
    for (const folder of [this.data, this.jobs]) chmodSync(folder, 0o711);
    for (const folder of ['backup', 'home', 'spare']) {
      mkdirSync(join(this.place, folder), { mode: 0o700 });
    }
    symlinkSync(this.data, join(this.place, 'link'));
    const secrets = ['data/table.sqlite', 'issuer-key.pem', 'backup/table.sqlite', 'slipway.env'];
    for (const file of [...secrets, 'home/id_ed25519', 'spare/claim']) {
      writeFileSync(join(this.place, file), 'SECRET', { mode: 0o600 });
    }
    const addresses = [join(this.place, 'socket'), `\0${this.name}`];
    for (const path of addresses) await this.#listen({ path });
    this.port = await this.#listen({ host: '127.0.0.1', port: 0 });
  }

  async #listen(address: { path: string } | { host: string; port: number }): Promise<number> {
    const server = createServer((socket) => socket.end('SECRET'));
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(address, resolve));
    const bound = server.address();
    return typeof bound === 'object' ? (bound?.port ?? 0) : 0;
  }

  /** Starts a job of this level, of the victim or of somebody else. */
  async start(command: string, { isVictim = false, limits }: Wishes = {}): Promise<SceneJob> {
    const id = randomUUID();
    const folder = join(this.jobs, id);
    createJobFolder(folder);
    const login = this.level === 'mapped' ? accounts[isVictim ? 0 : 1] : undefined;
    if (login !== undefined) giveTo(login, folder);
    const path = `/usr/local/bin:/usr/bin:/bin:${join(process.execPath, '..')}`;
    const order: FolderOrder = {
      version: 1,
      jobId: id,
      argv: ['/bin/sh', '-c', command],
      environment: {
        PATH: path,
        HOME: join(folder, 'tmp/home'),
        TMPDIR: join(folder, 'tmp'),
        SLIPWAY_JOB_ID: id,
      },
      mark: randomUUID(),
      login,
      sequence: 1,
      cores: 1,
      limits: {
        seconds: 120,
        memoryBytes: 1024 * megabyte,
        processes: 300,
        outputBytes: 100 * megabyte,
        graceSeconds: 1,
        level: this.level === 'plain' || this.level === 'sandboxed' ? best : 'watched',
        ...limits,
      },
      ...(this.level === 'sandboxed' && { sandbox: { network: false, readable: [] } }),
    };
    writeOrder(folder, order);
    await startShepherd(folder);
    return { id, folder, order };
  }

  async close(): Promise<void> {
    for (const server of this.#servers) server.close();
    for (const folder of ['/tmp', '/dev/shm', '/var/tmp']) {
      rmSync(join(folder, this.name), { force: true });
    }
    await removeFolder(this.place);
  }
}

function giveTo(login: string, folder: string): void {
  const { uid, gid } = findLogin(login) ?? { uid: 0, gid: 0 };
  chmodSync(folder, 0o711);
  for (const part of ['work', 'tmp', 'tmp/home']) chownSync(join(folder, part), uid, gid);
}

/** Asks until there is an answer, for at most a minute. */
export async function waitFor<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`Not within a minute: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const waitForEnd = ({ id, folder }: SceneJob) =>
  waitFor(`${id} has ended`, async () => {
    const observed = await observeJob(folder, id);
    return observed.state === 'ended' ? observed.exit : undefined;
  });

export const waitForRunning = ({ id, folder }: SceneJob) =>
  waitFor(`${id} runs`, async () => {
    const observed = await observeJob(folder, id);
    if (observed.state === 'ended') throw new Error(`It ended: ${JSON.stringify(observed.exit)}`);
    return observed.state === 'running' ? observed.started : undefined;
  });

/** Waits until the shepherd has looked at the job so often, which it does every second. */
export async function waitForLooks(job: SceneJob, seconds: number): Promise<void> {
  await waitFor(`${seconds} s of the job have passed`, async () => {
    const observed = await observeJob(job.folder, job.id);
    if (observed.state === 'ended') return true;
    const ran = observed.state === 'running' ? observed.heartbeat?.seconds : undefined;
    return (ran ?? 0) >= seconds || undefined;
  });
}

export const waitForFile = ({ folder }: SceneJob, name: string) =>
  waitFor(`${name} is written`, async () => existsSync(join(folder, 'work', name)) || undefined);

export const readPrinted = ({ folder }: SceneJob) => readFileSync(join(folder, 'stdout'), 'utf8');

/** Lists the processes that were started with these words. */
export function listByCommand(words: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readIfThere(`/proc/${pid}/cmdline`).split('\0').join(' ').includes(words))
    .map(Number);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
