import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeJob } from '#test/slurm/fake-jobs.ts';
import { type FakeSlurmrestd, openFake } from '#test/slurm/fake-slurmrestd.ts';
import { SlurmRunner } from '../imitations/slurm-runner.ts';
import { openHttpLine } from '../lines.ts';
import type { CountedRun, OpenStagedKind, StagedJob, StagedSystem } from '../staged-system.ts';
import { writeCommand } from './write-command.ts';

/** What the stage needs to know of a cluster, be it real or imitated. */
export interface SlurmSite {
  readonly url: string;
  readonly user: string;
  readonly token: string;
  readonly partition: string;
  readonly workDirectory: string;
  readonly account?: string;
}

/** What only the cluster itself can do. Missing parts are those of `StagedSystem`. */
export type SlurmControls = Omit<
  StagedSystem,
  'entry' | 'credentials' | 'line' | 'write' | 'connect' | 'listLeft' | 'slackSeconds'
>;

/** A system at the end of a line of its own, on a cluster that all scenes share. */
export async function stageSlurm(site: SlurmSite, controls: SlurmControls): Promise<StagedSystem> {
  const line = await openHttpLine(site.url);
  const { partition, workDirectory, user, token, account } = site;
  return {
    ...controls,
    entry: {
      connector: {
        kind: 'slurm',
        baseUrl: line.url,
        partition,
        workDirectory,
        ...(account !== undefined && { account }),
      },
      limits: { nodes: 1, coresPerNode: 16 },
      memoryPerNode: 4,
    },
    credentials: { user, token },
    line,
    write: writeCommand,
    connect: (opened) => opened,
    listLeft: async ({ jobId }) =>
      readdirSync(workDirectory).filter((name) => name.startsWith(jobId)),
    slackSeconds: 0,
  };
}

/** A minute of a time limit takes this long: enough to start in, however busy the machine is. */
const minuteSeconds = 20;

/** Imitated clusters, one for each scene, which run the scripts that they are sent. */
export const openImitatedSlurm: OpenStagedKind = async (directory) => {
  const closing: (() => Promise<void>)[] = [];
  return {
    kind: 'slurm',
    async openSystem(name) {
      const { fake, close } = await openFake(38);
      fake.hasAccounting = true;
      const runner = new SlurmRunner(fake, { minuteSeconds });
      fake.runner = runner;
      closing.push(async () => {
        runner.close();
        await close();
      });
      const workDirectory = join(directory, name);
      mkdirSync(workDirectory);
      const { url, token } = fake;
      const site = { url, user: 'hpcuser1', token, partition: 'hpc_one', workDirectory };
      return stageSlurm(site, controlImitation(fake, runner));
    },
    async close() {
      for (const close of closing) await close();
    },
  };
};

function controlImitation(fake: FakeSlurmrestd, runner: SlurmRunner): SlurmControls {
  const numberOf = ({ jobId }: StagedJob): number => {
    const number = runner.findNumber(jobId);
    if (number === undefined) throw new Error(`The cluster does not have ${jobId}.`);
    return number;
  };
  return {
    async holdQueue() {
      runner.isHolding = true;
    },
    releaseQueue: async () => runner.release(),
    listActive: async ({ jobId }) => runner.listActive(jobId),
    readRuns: async ({ jobId }) =>
      fake.accounted.filter(({ name }) => name === jobId).map(countRun),
    requeue: async (job) => runner.startAgain(numberOf(job), 'REQUEUED'),
    loseRun: async (job) => runner.startAgain(numberOf(job), 'NODE_FAIL'),
    suspend: async (job) => runner.suspend(numberOf(job)),
    resume: async (job) => runner.resume(numberOf(job)),
  };
}

function countRun({ start = 0, end = 0, suspended = 0, states }: FakeJob): CountedRun {
  const isLost = ['NODE_FAIL', 'PREEMPTED'].some((word) => states.includes(word));
  return { seconds: end - start - suspended, isLost };
}
