import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HpcSystem, runsAsOwner } from '#lib/catalog/hpc-system.ts';
import { removeFolder } from '#lib/hpc/machine/files/remove-folder.ts';
import { cancelInFolder, closeQueue, discardFolder } from '#lib/hpc/machine/job-queue.ts';
import { pathOf } from '#lib/hpc/machine/machine-connector.ts';
import { openTreeOf } from '#lib/hpc/machine/observe-job.ts';
import { detectLimits } from '#lib/hpc/machine/processes/control-group.ts';
import {
  explainMissingSandbox,
  listReadable,
  refuseShown,
} from '#lib/hpc/machine/processes/sandbox.ts';
import { isRunning } from '#lib/hpc/machine/record/process-mark.ts';
import { readClaim, readStarted } from '#lib/hpc/machine/record/read-folder.ts';
import { type MachineFacts, offerMachine, runsInSandbox } from '#lib/hpc/machine/this-machine.ts';
import { listTools } from '#lib/hpc/machine/tools.ts';
import { openListings } from './list-apart.ts';
import { startShepherd } from './shepherd/start-shepherd.ts';

interface MachineOptions {
  readonly systems: readonly HpcSystem[];
  /** A folder, or 'memory'. */
  readonly dataDirectory: string;
  readonly stateDirectory: string;
  /** PATH of this process. */
  readonly path: string;
  /** Whether the operator wants the service to run as root, for mapped accounts. */
  readonly mayRunAsRoot: boolean;
  /** Whether several people submit jobs, who must not read what is of others. */
  readonly isForGroup: boolean;
}

export interface OpenedMachine {
  readonly facts: MachineFacts;
  /** Jobs go on after the service, unless there is nothing that would remember them. */
  close(): Promise<void>;
}

/**
 * Makes the machine of this process a place for jobs, if a system of the catalog wants one. Throws
 * an error that says what to do if the machine lacks something.
 */
export async function openMachine(options: MachineOptions): Promise<OpenedMachine | undefined> {
  const { dataDirectory, stateDirectory } = options;
  const sandboxesAll = options.isForGroup;
  const systems = options.systems.flatMap((system) => readSettings(system, sandboxesAll));
  if (systems.length === 0) return undefined;
  const path = writePath(options.path);
  for (const system of systems) await refuseMissing(system, options);
  const isKept = dataDirectory !== 'memory';
  const directory = isKept
    ? makeFolder(join(dataDirectory, 'jobs'))
    : mkdtempSync(join(realpathSync(tmpdir()), 'slipway-jobs-'));
  if (systems.some(({ isMapped }) => isMapped)) admitAccounts(directory);
  for (const { readable, mounts, keep } of systems) {
    const kept = [stateDirectory, isKept ? dataDirectory : directory];
    if (readable) refuseShown(kept, readable);
    if (mounts.length > 0) refuseShown(kept, mounts);
    if (keep?.path !== undefined) refuseShown(kept, [dirname(`${keep.path.split('{')[0]}x`)]);
  }
  const facts: MachineFacts = {
    directory,
    sandboxesAll,
    cores: Math.max(...systems.map(({ cores }) => cores)),
    memoryBytes: Math.min(totalmem(), process.constrainedMemory() || totalmem()),
    systemCores: new Map(systems.map(({ name, cores }) => [name, cores])),
    limits: await detectLimits(),
    path,
  };
  offerThisMachine(facts);
  return {
    facts,
    close: async () => {
      offerMachine();
      if (!isKept) await endAll(facts);
      closeQueue(facts);
    },
  };
}

/** Makes a thread of this process know the machine. */
export function offerThisMachine(facts: MachineFacts): void {
  offerMachine({
    ...facts,
    startShepherd,
    reportFailure: (error) =>
      process.stderr.write(
        `A job could not be started: ${error instanceof Error ? error.message : error}\n`,
      ),
    listTools: (system) => listTools(toolsOf(system), pathOf(facts, system)),
    ...openListings(),
    removeJob: (hpc, jobId) => discardFolder(join(facts.directory, hpc, jobId)),
  });
}

function toolsOf({ connector }: HpcSystem) {
  return (connector.kind === 'machine' && connector.tools) || {};
}

interface MachineSystem {
  readonly name: string;
  /** May be more than there are, for jobs that mostly wait. */
  readonly cores: number;
  /** What jobs read besides the system, if they run in a sandbox. */
  readonly readable: readonly string[] | undefined;
  /** What containers show of the machine. */
  readonly mounts: readonly string[];
  readonly keep: HpcSystem['keep'];
  readonly isMapped: boolean;
}

function readSettings(system: HpcSystem, sandboxesAll: boolean): MachineSystem[] {
  const { name, connector } = system;
  if (connector.kind !== 'machine') return [];
  const { cores = availableParallelism() } = connector;
  const isSandboxed = runsInSandbox(system, { sandboxesAll });
  const isMapped = runsAsOwner(system);
  const readable = isSandboxed ? listReadable(system) : undefined;
  const { containers, keep } = system;
  const mounts = (containers && 'mounts' in containers && containers.mounts) || [];
  return [{ name, cores, readable, mounts: mounts.map(({ path }) => path), keep, isMapped }];
}

async function refuseMissing(
  { name, readable, isMapped }: MachineSystem,
  { mayRunAsRoot, isForGroup }: MachineOptions,
): Promise<void> {
  const fault = readable && (await explainMissingSandbox(readable));
  if (fault !== undefined) {
    const people = isForGroup ? ', which keeps the people of this service apart' : '';
    throw new Error(
      `The jobs of ${name} run in a sandbox${people}, but ${fault}. Install it (Debian: apt install bubblewrap), or say in the catalog that every job may read what the service reads: "sandbox": "none".`,
    );
  }
  if (isMapped && !(mayRunAsRoot && process.getuid?.() === 0)) {
    throw new Error(
      `The jobs of ${name} run as accounts of this machine ("runsAs": "mapped"), which only root can start. Run the service as root and set RUN_AS_ROOT=true (docs/workstation.md), or use "runsAs": "service".`,
    );
  }
}

/** Programs of this project are not for jobs, but Node is. */
function writePath(own: string): string {
  const folders = own
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes('node_modules'));
  return [...new Set([...folders, dirname(process.execPath)])].join(delimiter);
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return realpathSync(path);
}

/**
 * Lets accounts pass through to the folders of their jobs. They cannot list the folders on the way,
 * and everything else in them is for the service alone.
 */
function admitAccounts(directory: string): void {
  for (const folder of [dirname(directory), directory]) chmodSync(folder, 0o711);
  for (let above = dirname(directory); above !== dirname(above); above = dirname(above)) {
    if ((statSync(above).mode & 0o001) !== 0) continue;
    throw new Error(
      `The accounts of jobs cannot enter ${above}. Choose another folder with DATA_DIR, such as /var/lib/slipway.`,
    );
  }
}

const graceMs = 1_000;
const exitTimeoutMs = 5_000;
const pollMs = 50;

/** Ends all jobs and removes their files. */
async function endAll(facts: MachineFacts): Promise<void> {
  const folders = readdirSync(facts.directory, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap(({ name: hpc }) =>
      readdirSync(join(facts.directory, hpc)).map((jobId) => join(facts.directory, hpc, jobId)),
    );
  await Promise.all(folders.map(endJob));
  await removeFolder(facts.directory);
}

async function endJob(folder: string): Promise<void> {
  cancelInFolder(folder);
  const started = readStarted(folder);
  const claim = readClaim(folder);
  if (!claim || claim.by.pid === process.pid || !isRunning(claim.by, claim.bootId)) return;
  const tree = openTreeOf(folder, started?.groups ?? []);
  if (started) tree.add(started.job);
  await tree.end({ graceMs });
  const deadline = Date.now() + exitTimeoutMs;
  while (isRunning(claim.by, claim.bootId) && Date.now() < deadline) await sleep(pollMs);
}
