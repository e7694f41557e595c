import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '#test/slurm/cluster.ts';
import { startCluster } from '#test/slurm/cluster.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { makeUsers } from '#test/slurm/sshd.ts';
import { openCommandLine } from '../command-line.ts';
import type { OpenStagedKind, StagedJob } from '../staged-system.ts';
import { type SlurmControls, stageSlurm } from './slurm.ts';

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

/** The service's user on the login node. */
const gateway = 'slipway-test';

/** The same, reached by ssh: each scene has an sshd of its own. */
export const openSlurmBySsh: OpenStagedKind = async () => {
  const removeUsers = await makeUsers(gateway);
  const cluster = await startCluster({ hasAccounting: true, accounts: [account], user: gateway });
  const { url, token, partition, workDirectory, configFile } = cluster;
  const site = { url, user: gateway, token, partition, workDirectory, account };
  return {
    kind: 'slurm',
    async openSystem() {
      const line = await openCommandLine({ SLURM_CONF: configFile });
      const staged = await stageSlurm(site, control(cluster));
      await staged.line.close();
      const { port, hostKeys, key: sshKey } = line.sshd;
      const reach = { ssh: { host: '127.0.0.1', port, user: gateway, hostKeys: [...hostKeys] } };
      const connector = { kind: 'slurm', reach, partition, workDirectory, account } as const;
      return { ...staged, entry: { ...staged.entry, connector }, credentials: { sshKey }, line };
    },
    async close() {
      await cluster.close();
      await removeUsers();
    },
  };
};

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
