import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { chmod, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type ConnectorSettings,
  type HpcSystem,
  maxResultsBytes,
  stageOfFailure,
} from '#lib/catalog/hpc-system.ts';
import { folderVariable } from '#lib/catalog/project-folders.ts';
import type { Connector, JobOrder, JobTag, Measured, Observation, OpenKind } from '../connector.ts';
import { JobRefusedError, SystemBusyError, SystemUnavailableError } from '../errors.ts';
import { chooseImage } from '../script/choose-image.ts';
import { explainCommand } from '../script/explain-exit.ts';
import { findJobFile, openJobFile } from './files/job-files.ts';
import { removeFolder } from './files/remove-folder.ts';
import { unpackInput } from './files/unpack-input.ts';
import { findLogin, type UnixLogin } from './find-login.ts';
import { cancelInFolder, openQueue } from './job-queue.ts';
import { observeJob } from './observe-job.ts';
import { runInImage } from './processes/in-image.ts';
import { listReadable, pathInSandbox } from './processes/sandbox.ts';
import { openKeptFolders, prepareKept } from './project-folder.ts';
import {
  createJobFolder,
  type FolderExit,
  type FolderOrder,
  folderVersion,
  partsOfFolder,
  writeOrder,
} from './record/job-folder.ts';
import { readOrder } from './record/read-folder.ts';
import { type MachineFacts, runsInSandbox, type ThisMachine, thisMachine } from './this-machine.ts';
import { writeToolCommand } from './tools.ts';

type MachineSettings = Extract<ConnectorSettings, { readonly kind: 'machine' }>;

export const open: OpenKind<'machine'> = (settings, { system }) =>
  createMachine(settings, system, thisMachine);

/** Jobs that are not among the next to start are checked less often. */
const nextInLine = 50;
const patientSeconds = 5;

const defaultProcesses = 4096;

/** Below this a job could not even write its output. */
const leastDiskBytes = 100_000_000;

/**
 * Runs jobs on the machine of this process. Each job is a folder and a process that outlives this
 * one (local/shepherd). Everything is read from the folders, so a restart loses nothing.
 */
export function createMachine(
  settings: MachineSettings,
  system: HpcSystem,
  findMachine: () => ThisMachine,
): Connector {
  const hpc = system.name;
  const folderOf = ({ jobId }: JobTag) => openQueue(findMachine()).folderOf(hpc, jobId);

  async function observe(jobId: string): Promise<Observation> {
    const machine = findMachine();
    const queue = openQueue(machine);
    const folder = queue.folderOf(hpc, jobId);
    const order = readOrder(folder);
    if (!order) return { state: 'unknown' };
    const observed = await observeJob(folder, jobId);
    const { first, running } = system.stages;
    switch (observed.state) {
      case 'waiting': {
        const reason = `waiting for ${order.cores} of ${coresOf(machine, hpc)} cores`;
        const isNext = (queue.placeOf(hpc, jobId) ?? 0) < nextInLine;
        const steadyUntil = new Date(Date.now() + patientSeconds * 1000);
        return { state: 'living', stage: first, reason, ...(!isNext && { steadyUntil }) };
      }
      case 'starting':
      case 'running':
        return { state: 'living', stage: running };
      case 'ended':
        return describeEnd(system, observed.exit, order);
    }
  }

  return {
    pollFloorSeconds: 0.5,
    batchSize: 100,
    async submit(order) {
      const machine = findMachine();
      const queue = openQueue(machine);
      const folder = queue.folderOf(hpc, order.jobId);
      if (!readOrder(folder)) {
        await requireRoom(machine);
        const written = writeFolderOrder(settings, system, order, machine, folder);
        await prepareOnce(folder, async () => {
          await prepareFolder(folder, order, written);
          await queue.add(hpc, order.jobId, (sequence) =>
            writeOrder(folder, { ...written, sequence }),
          );
        });
      }
      return order.jobId;
    },
    findByTag: async (tag) => (readOrder(folderOf(tag)) ? tag.jobId : undefined),
    async lookUp(jobs) {
      await openQueue(findMachine()).advance();
      const found = await Promise.all(
        jobs.map(async ({ jobId }) => [jobId, await observe(jobId)] as const),
      );
      return new Map(found);
    },
    async cancel(job) {
      cancelInFolder(folderOf(job));
      await openQueue(findMachine()).advance();
    },
    listFiles: async (job) => findMachine().listFiles(job.owner, folderOf(job)),
    listPage: async (job, wish) =>
      findMachine().listPage(job.owner, { folder: folderOf(job) }, wish),
    findFile: async (job, fileId) => findJobFile({ folder: folderOf(job) }, fileId),
    openFile: async (job, fileId) => openJobFile({ folder: folderOf(job) }, fileId),
    ...(system.keep && { folders: openKeptFolders(system, findMachine) }),
    checkHealth: async () => requireRoom(findMachine()),
  };
}

/** By their folders. Unpacking a large input may take longer than the lease of its hand-over. */
const preparing = new Map<string, Promise<void>>();

async function prepareOnce(folder: string, prepare: () => Promise<void>): Promise<void> {
  const begun = preparing.get(folder) ?? prepare().finally(() => preparing.delete(folder));
  preparing.set(folder, begun);
  await begun;
}

/** Counts the cores that the jobs of a system may use together. */
function coresOf({ cores, systemCores }: ThisMachine, hpc: string): number {
  return Math.min(cores, systemCores.get(hpc) ?? cores);
}

/** Returns the folders of programs that the jobs of a system can use. */
export function pathOf(machine: MachineFacts, system: HpcSystem): string {
  if (!runsInSandbox(system, machine)) return machine.path;
  const { connector } = system;
  return pathInSandbox(machine.path, ('readable' in connector && connector.readable) || []);
}

/**
 * Returns the memory that a job asked for, on all its nodes, as far as the system has it. A job that
 * did not ask gets the share of the system's memory that it has of its cores.
 */
function memoryOf(
  settings: MachineSettings,
  machine: ThisMachine,
  { nodes, memoryMegabytes: asked }: JobOrder,
  share: number,
) {
  const { memoryMegabytes } = settings;
  const given = memoryMegabytes === undefined ? machine.memoryBytes : memoryMegabytes * 1_000_000;
  const whole = Math.min(given, machine.memoryBytes);
  return asked === undefined
    ? Math.floor(whole * share)
    : Math.min(whole, asked * nodes * 1_000_000);
}

/** Writes what the shepherd needs to know. A job that asks for more cores gets all of them. */
function writeFolderOrder(
  settings: MachineSettings,
  system: HpcSystem,
  order: JobOrder,
  machine: ThisMachine,
  folder: string,
): Omit<FolderOrder, 'sequence'> {
  const { jobId, login, program, extras, nodes, coresPerNode, hours } = order;
  const { tools, network = false, maxProcesses = defaultProcesses } = settings;
  const readable = listReadable(system, order.project);
  const path = pathOf(machine, system);
  const all = coresOf(machine, system.name);
  const cores = Math.min(nodes * coresPerNode, all);
  const command = tools ? writeToolCommand(tools, program, extras, path) : program;
  const isSandboxed = runsInSandbox(system, machine);
  const kept = prepareKept(machine, system, order.project);
  const written = {
    version: folderVersion,
    jobId,
    argv: ['/bin/sh', '-c', command],
    environment: {
      ...order.environment,
      PATH: path,
      HOME: join(folder, partsOfFolder.home),
      TMPDIR: join(folder, partsOfFolder.temporary),
      LANG: 'C.UTF-8',
      SLIPWAY_JOB_ID: jobId,
      SLIPWAY_CORES: String(cores),
      SLIPWAY_NODES: String(nodes),
      SLIPWAY_HOURS: String(hours),
      OMP_NUM_THREADS: String(cores),
      ...(kept && { [folderVariable]: kept.path }),
    },
    mark: randomUUID(),
    fetching: order.fetching,
    sending: order.sending,
    login,
    kept,
    cores,
    limits: {
      seconds: Math.ceil(hours * 3600),
      memoryBytes: memoryOf(settings, machine, order, cores / all),
      processes: maxProcesses,
      outputBytes: maxResultsBytes(system),
      level: machine.limits.level,
    },
  } as const;
  const image = chooseImage(system, order, kept?.path);
  if (!image) return { ...written, ...(isSandboxed && { sandbox: { network, readable } }) };
  const place = { command, network: network || !isSandboxed, path: machine.path };
  return { ...written, ...runInImage(image, { ...written, ...place }) };
}

/**
 * Makes the folder of a job with its input in it. What an earlier try left behind is replaced; its
 * order was not written, so it has not started. A refused job leaves nothing.
 */
async function prepareFolder(
  folder: string,
  { input, login }: JobOrder,
  { limits }: Pick<FolderOrder, 'limits'>,
): Promise<void> {
  const account = login === undefined ? undefined : requireLogin(login);
  const work = join(folder, partsOfFolder.work);
  await rm(work, { recursive: true, force: true });
  createJobFolder(folder);
  try {
    const aside = join(folder, 'input.zip');
    if (input) await unpackInput(input, { folder: work, aside, maxBytes: limits.outputBytes });
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
  if (account) await giveTo(account, folder);
}

const run = promisify(execFile);

/** Throws for an account that cannot have jobs here. */
function requireLogin(login: string): UnixLogin {
  const account = findLogin(login);
  if (account) return account;
  throw new JobRefusedError(`There is no account '${login}' on this machine that may run jobs.`);
}

/**
 * Gives the working directory to the account of the job. The folder around it stays with the
 * service, so that a job can neither change its own end nor see who else has one.
 */
async function giveTo({ uid, gid }: UnixLogin, folder: string): Promise<void> {
  await chmod(folder, 0o711);
  const own = [partsOfFolder.work, partsOfFolder.temporary].map((part) => join(folder, part));
  await run('chown', ['-hR', `${uid}:${gid}`, '--', ...own]);
}

/** Throws if jobs could not write here. */
async function requireRoom({ directory }: ThisMachine): Promise<void> {
  try {
    if (!existsSync(directory)) mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const said = 'The folder of jobs cannot be written.';
    throw new SystemUnavailableError(`${said} Check ${directory}.`, { said, cause: error });
  }
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= leastDiskBytes) return;
  const said = 'The disk of this machine is full.';
  throw new SystemBusyError(said, 60, { said });
}

function describeEnd(system: HpcSystem, exit: FolderExit, order: FolderOrder): Observation {
  const { stages } = system;
  const failed = exit.cause !== 'ended' || exit.code !== 0;
  const { reason: said = '' } = exit;
  const reason = failed ? explainEnd(exit, order) : undefined;
  return {
    state: 'ended',
    stage: failed ? stageOfFailure(stages) : (stages.succeeded[0] ?? stages.running),
    failed,
    usedSeconds: exit.seconds,
    ...(exit.startedAt !== null && { startedAt: new Date(exit.startedAt) }),
    endedAt: new Date(exit.endedAt),
    // A job can end its own shepherd, so that loss is charged.
    ...(exit.machineStopped && { isLost: true }),
    ...(exit.cause === 'unfetched' && { lacksImage: said }),
    ...(exit.cpuSeconds !== undefined && { measured: listMeasured(exit, order) }),
    ...(reason !== undefined && { reason }),
  };
}

function listMeasured({ cpuSeconds, memoryBytes }: FolderExit, order: FolderOrder): Measured {
  const { cores, limits } = order;
  return { cpuSeconds, cores, memoryBytes, memoryLimitBytes: limits.memoryBytes };
}

function explainEnd(exit: FolderExit, { limits }: FolderOrder): string {
  const { cause, code, signal, reason } = exit;
  if (reason !== undefined) return reason;
  if (cause === 'ended' && code !== null) return explainCommand(code);
  switch (cause) {
    case 'ended':
      return `The command was ended by ${signal}.`;
    case 'time':
      return `It was stopped after the ${limits.seconds} second${limits.seconds === 1 ? '' : 's'} that it was granted.`;
    case 'memory':
      return `It was stopped because it used more memory than its ${limits.memoryBytes} bytes.`;
    case 'output':
      return `It was stopped because its files have more than ${limits.outputBytes} bytes.`;
    case 'cancelled':
      return 'It was cancelled.';
    case 'unfetched':
      return 'The image could not be fetched.';
    case 'missing':
      return 'It could not be started.';
    case 'unsent':
      return 'An output could not be sent.';
    case 'lost':
      return 'It was lost.';
  }
}
