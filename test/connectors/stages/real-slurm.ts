import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Cluster } from '#test/slurm/cluster.ts';
import { startCluster } from '#test/slurm/cluster.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { allowBySudo, makeUsers } from '#test/slurm/sshd.ts';
import { openCommandLine } from '../command-line.ts';
import type { OpenStagedKind, StagedJob } from '../staged-system.ts';
import { type SlurmControls, stageSlurm } from './slurm.ts';

const run = promisify(execFile);

/** With an account, the cluster enforces the memory that a job asked for. */
const account = 'slipway';

/** How long a node needs to end what ran on it. */
const nodeSeconds = 2.5;

const lostStates = ['NODE_FAIL', 'PREEMPTED'];

/** A real Slurm of one node, which all scenes share. They are played one after another. */
export const openRealSlurm: OpenStagedKind = async () => {
  const cluster = await startCluster({ hasAccounting: true, accounts: [account] });
  const { url, user, token, partition, workDirectory } = cluster;
  const site = { url, user, token, partition, workDirectory, account };
  return {
    kind: 'slurm',
    openSystem: () => stageSlurm(site, control(cluster)),
    close: () => cluster.close(),
  };
};

/** The service's user on the login node, and that of the jobs where they run as their owners. */
const gateway = 'slipway-test';
const owner = 'slipway-owner';
/** Another member of the owner's projects, and so of the owner's group. */
const member = 'slipway-member';

export interface SshWay {
  /** How the service acts for the owners of jobs. Without it, all jobs are its own. */
  readonly accounts?: 'sudo' | 'certificate';
  /** Whether the cluster has a network from which nothing leads to the service. */
  readonly isClosed?: boolean;
}

/** The same, reached by ssh: each scene has an sshd of its own. */
export function openSlurmBySsh({ accounts, isClosed = false }: SshWay = {}): OpenStagedKind {
  const user = accounts ? owner : gateway;
  return async () => {
    const closing = [
      await makeUsers(gateway, owner, member),
      await allowBySudo(gateway, [owner, member]),
    ];
    await run('usermod', ['--append', '--groups', owner, member]);
    const cluster = await startCluster({
      hasAccounting: true,
      accounts: [account],
      user,
      isClosed,
    });
    const { url, token, partition, configFile, entrance } = cluster;
    const workDirectory = accounts
      ? await cluster.makeDirectories(owner, member)
      : cluster.workDirectory;
    if (accounts) {
      await cluster.ask('sacctmgr', '-i', 'add', 'user', member, `account=${account}`);
    }
    const site = { url, user, token, partition, account };
    const place = workDirectory.replace('{account}', owner);
    return {
      kind: 'slurm',
      async openSystem(name) {
        const keptPath = accounts && (await makeSharedFolder(`${cluster.workDirectory}/${name}`));
        const line = await openCommandLine({ SLURM_CONF: configFile }, entrance);
        const staged = await stageSlurm({ ...site, workDirectory: place }, control(cluster));
        await staged.line.close();
        const { port, hostKeys, key: sshKey, authority: caKey } = line.sshd;
        const node = { host: '127.0.0.1', port, user: gateway, hostKeys: [...hostKeys] };
        const reach = { ssh: { ...node, ...(accounts && { accounts }) } };
        const files = isClosed ? ({ files: 'ssh' } as const) : {};
        const connector = { kind: 'slurm', reach, partition, workDirectory, account } as const;
        return {
          ...staged,
          ...(keptPath && { login: owner, otherLogin: member, keptPath }),
          entry: {
            ...staged.entry,
            ...(accounts && { runsAs: 'mapped' }),
            connector: { ...connector, ...files },
          },
          credentials: { sshKey, caKey },
          line,
        };
      },
      async close() {
        await cluster.close();
        for (const close of closing) await close();
      },
    };
  };
}

/** As a site makes the folder of a project: for its group alone, which new files get. */
async function makeSharedFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  await run('chgrp', [owner, path]);
  await run('chmod', ['2770', path]);
  return path;
}

/** Slurm's own commands, as its administrator uses them. */
function control(cluster: Cluster): SlurmControls {
  const { ask, partition } = cluster;
  const list = async ({ jobId }: StagedJob, states: string) => {
    const lines = await ask('squeue', '-h', '-t', states, '--name', jobId, '-o', '%A');
    return lines.split('\n').filter((line) => line !== '');
  };
  const findNumber = (job: StagedJob) =>
    pollUntil('Slurm has the job', 20, async () => (await list(job, 'all'))[0]);
  /** Slurm lets a job wait for two minutes before it starts again, until nothing of it is left. */
  const startNow = async (number: string) => {
    await pollUntil('the job waits again', 20, async () => {
      const state = await ask('squeue', '-h', '-t', 'all', '-j', number, '-o', '%T');
      return state === 'PENDING' || undefined;
    });
    await sleep(nodeSeconds * 1000);
    await ask('scontrol', 'update', `jobid=${number}`, 'StartTime=now');
  };
  const setPartition = (state: string) =>
    ask('scontrol', 'update', `PartitionName=${partition}`, `State=${state}`);
  return {
    async holdQueue() {
      await setPartition('DOWN');
    },
    async releaseQueue() {
      await setPartition('UP');
    },
    listActive: (job) => list(job, 'PENDING,RUNNING,SUSPENDED,COMPLETING,CONFIGURING'),
    async readRuns(job) {
      const columns = ['-a', '-n', '-P', '-X', '-D', '-S', 'now-1days', '--name', job.jobId];
      const isKnown = (await list(job, 'all')).length > 0;
      // The accounting hears of a job, and of its end, a moment after the queue does.
      const lines = await pollUntil('the accounting has the end', 30, async () => {
        const text = await ask('sacct', ...columns, '-o', 'State,ElapsedRaw');
        const isLate = /RUNNING|PENDING|COMPLETING/.test(text) || (isKnown && text === '');
        return isLate ? undefined : text;
      });
      return lines
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [state = '', seconds] = line.split('|');
          const isLost = lostStates.some((word) => state.startsWith(word));
          return { seconds: Number(seconds), isLost };
        });
    },
    async requeue(job) {
      const number = await findNumber(job);
      await ask('scontrol', 'requeue', number);
      await startNow(number);
    },
    async loseRun(job) {
      const number = await findNumber(job);
      const setNode = (...change: string[]) =>
        ask('scontrol', 'update', 'NodeName=node1', ...change);
      await setNode('State=DOWN', 'Reason=test');
      // A node that comes back while it still ends what ran on it starts nothing any more.
      await sleep(nodeSeconds * 1000);
      await setNode('State=RESUME').catch(() => '');
      await setNode('State=IDLE').catch(() => '');
      await startNow(number);
    },
    async suspend(job) {
      await ask('scontrol', 'suspend', await findNumber(job));
    },
    async resume(job) {
      await ask('scontrol', 'resume', await findNumber(job));
    },
  };
}
