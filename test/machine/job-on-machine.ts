import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { findLogin } from '#lib/hpc/machine/find-login.ts';
import { type ObservedJob, observeJob } from '#lib/hpc/machine/observe-job.ts';
import {
  createJobFolder,
  type FolderExit,
  type FolderOrder,
  partsOfFolder,
  writeOrder,
} from '#lib/hpc/machine/record/job-folder.ts';
import { hasEnded, listProcesses, startedWith } from '#lib/hpc/machine/record/process-mark.ts';
import { startShepherd } from '#local/shepherd/start-shepherd.ts';

export interface JobOnMachine {
  readonly jobId: string;
  readonly folder: string;
  readonly order: FolderOrder;
  readonly running: () => Promise<Extract<ObservedJob, { state: 'running' }>>;
  readonly ended: () => Promise<FolderExit>;
  /** Waits for a file in its working directory. */
  readonly wrote: (name: string) => Promise<void>;
  readonly changeOrder: (change: (order: FolderOrder) => FolderOrder) => void;
}

export const programPath = fileURLToPath(import.meta.resolve('#local/shepherd/shepherd.ts'));

const megabyte = 1024 * 1024;

/** Writes the folder of a job. No process of the job may be left when the test has finished. */
export function prepareJob(
  command: string,
  limits: Partial<FolderOrder['limits']> = {},
  more: Partial<FolderOrder> = {},
): JobOnMachine {
  const jobId = randomUUID();
  const root = mkdtempSync(join(tmpdir(), 'slipway-machine-'));
  const folder = join(root, jobId);
  createJobFolder(folder);
  const order: FolderOrder = {
    version: 1,
    jobId,
    argv: ['/bin/sh', '-c', command],
    environment: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: join(folder, partsOfFolder.home),
      TMPDIR: join(folder, partsOfFolder.temporary),
      SLIPWAY_JOB_ID: jobId,
    },
    mark: randomUUID(),
    sequence: 1,
    cores: 1,
    ...more,
    limits: {
      seconds: 600,
      memoryBytes: 1024 * megabyte,
      processes: 100,
      outputBytes: 100 * megabyte,
      ...limits,
    },
  };
  writeOrder(folder, order);
  onTestFinished(async () => {
    await expect.poll(() => listProcessesOf(jobId)).toEqual([]);
    rmSync(root, { recursive: true, force: true });
  });
  return {
    jobId,
    folder,
    order,
    running: async () => {
      const observed = await observeUntil(folder, jobId, 'running');
      if (observed.state !== 'running') throw new Error(`It is ${JSON.stringify(observed)}.`);
      return observed;
    },
    ended: async () => {
      const observed = await observeUntil(folder, jobId, 'ended');
      if (observed.state !== 'ended') throw new Error(`It is ${observed.state}.`);
      return observed.exit;
    },
    wrote: async (name) => {
      await expect.poll(() => existsSync(join(folder, partsOfFolder.work, name))).toBe(true);
    },
    changeOrder: (change) => writeOrder(folder, change(order)),
  };
}

export async function onMachine(...parameters: Parameters<typeof prepareJob>) {
  const job = prepareJob(...parameters);
  await startShepherd(job.folder);
  return job;
}

/** Gives a job the folders of its account, as the service does. */
export function giveTo(login: string, { folder }: JobOnMachine): void {
  const { uid, gid } = findLogin(login) ?? { uid: 0, gid: 0 };
  for (const path of [dirname(folder), folder]) chmodSync(path, 0o711);
  const { work, temporary, home } = partsOfFolder;
  for (const part of [work, temporary, home]) {
    chownSync(join(folder, part), uid, gid);
  }
}

export function listProcessesOf(jobId: string): number[] {
  return listProcesses()
    .filter((facts) => !hasEnded(facts) && startedWith(facts.pid, `SLIPWAY_JOB_ID=${jobId}`))
    .map(({ pid }) => pid);
}

export function readOutput({ folder }: JobOnMachine) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { stdout: read(partsOfFolder.stdout), stderr: read(partsOfFolder.stderr) };
}

async function observeUntil(folder: string, jobId: string, state: ObservedJob['state']) {
  let observed = await observeJob(folder, jobId);
  await expect
    .poll(
      async () => {
        observed = await observeJob(folder, jobId);
        return [state, 'ended'].includes(observed.state);
      },
      { interval: 50 },
    )
    .toBe(true);
  return observed;
}
