import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSystem } from '#lib/catalog/catalog.ts';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { trySystem } from '#tools/catalog/try-systems.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import { type BatchBody, type JobBody, meetResearcher, type Researcher } from './researcher.ts';
import { type ServiceOnSlurm, startServiceOn } from './service.ts';

const project = 'proj_hpc_one_01';

const classes = [
  { name: 'normal' },
  { name: 'beside', account: 'beside' },
  { name: 'strict', qos: 'strict' },
  { name: 'foreign', account: 'nobody' },
  { name: 'nowhere', partition: 'nowhere' },
];

let cluster: Cluster;
let slipway: ServiceOnSlurm;

beforeAll(async () => {
  // The account above has no jobs of its own, but counts those below.
  const accounts = ['above', project, 'beside'];
  cluster = await startCluster({ hasAccounting: true, accounts, limitsJobs: true });
  for (const account of [project, 'beside']) await set('account', account, 'parent=above');
  await cluster.ask('sacctmgr', '-i', 'add', 'qos', 'strict');
  await set('qos', 'strict', 'flags=DenyOnLimit', 'MaxWall=0-00:05:00');
  await set('user', cluster.user, 'qos+=strict');
  slipway = await startServiceOn(cluster, {
    account: '{project}',
    entry: {
      limits: { nodes: 4, coresPerNode: 16 },
      grantableRuntime: 48,
      classes,
    },
  });
}, 300_000);

afterAll(async () => {
  await slipway?.close();
  await cluster?.close();
}, 60_000);

async function set(what: 'user' | 'account' | 'qos', name: string, ...terms: string[]) {
  await cluster.ask('sacctmgr', '-i', 'modify', what, name, 'set', ...terms);
}

type Submitted = Awaited<ReturnType<Researcher['submit']>>;

function waitForReason(who: Researcher, { path }: Submitted, words: RegExp): Promise<string> {
  return pollUntil(`it waits because ${words}`, 60, async () => {
    const { reason } = await who.readTimeline(path);
    return reason !== null && words.test(reason) ? reason : undefined;
  });
}

const twoMinutes = { runtime: 2 / 60 };

describe('a limit of a real Slurm', () => {
  it('on submitted jobs lets a batch wait until there is room', async () => {
    await set('user', cluster.user, 'MaxSubmitJobs=2');
    const ada = meetResearcher(slipway.service);
    const { path } = await ada.submitBatch('true', { count: '20' }, twoMinutes);
    const ended = await pollUntil('the batch has ended', 540, async () => {
      const { counts } = await ada.read<BatchBody>(path);
      return counts.done + counts.failed + counts.cancelled === 20 ? counts : undefined;
    });
    await set('user', cluster.user, 'MaxSubmitJobs=-1');
    expect(ended).toMatchObject({ done: 20, failed: 0 });
  }, 600_000);

  it('on submitted jobs lets single jobs wait, with the reason', async () => {
    await set('user', cluster.user, 'MaxSubmitJobs=2');
    const ada = meetResearcher(slipway.service);
    const jobs: Submitted[] = [];
    while (jobs.length < 5) jobs.push(await ada.submit('sleep 3', twoMinutes));
    await pollUntil('one of them says why it waits', 60, async () => {
      const timelines = await Promise.all(jobs.map(({ path }) => ada.readTimeline(path)));
      return timelines.some(({ reason }) => reason?.startsWith('The system takes no more jobs'))
        ? true
        : undefined;
    });
    for (const { path } of jobs) expect((await ada.waitForEnd(path, 200)).stage).toBe('SUCCESSFUL');
    await set('user', cluster.user, 'MaxSubmitJobs=-1');
  }, 300_000);

  it('of an account above counts the jobs of others', async () => {
    await set('account', 'above', 'GrpSubmitJobs=1');
    const [ada, bob] = [meetResearcher(slipway.service), meetResearcher(slipway.service)];
    const first = await ada.submit('sleep 5', twoMinutes);
    await ada.waitForStage(first.path, 'RUNNING');
    const second = await bob.submit('true', { ...twoMinutes, fields: { class: 'beside' } });
    await waitForReason(bob, second, /^The system takes no more jobs .* Slurm says: .*\(2050\)/);
    expect((await bob.waitForEnd(second.path, 120)).stage).toBe('SUCCESSFUL');
    await set('account', 'above', 'GrpSubmitJobs=-1');
  }, 200_000);

  it('on running jobs lets them wait in Slurm', async () => {
    await set('user', cluster.user, 'MaxJobs=1');
    const ada = meetResearcher(slipway.service);
    const first = await ada.submit('sleep 8', twoMinutes);
    await ada.waitForStage(first.path, 'RUNNING');
    const second = await ada.submit('true', twoMinutes);
    await waitForReason(ada, second, /starts when there is room\. Slurm says: AssocMaxJobsLimit\./);
    expect((await ada.waitForEnd(second.path)).stage).toBe('SUCCESSFUL');
    await set('user', cluster.user, 'MaxJobs=-1');
  }, 200_000);

  it.each([
    { state: 'DRAIN', reason: /^The partition of the job takes no jobs .* Slurm says: .*\(2070\)/ },
    { state: 'DOWN', reason: /^Its partition is closed.* Slurm says: PartitionDown\.$/ },
  ])(
    'by a partition that is $state lets jobs wait',
    async ({ state, reason }) => {
      const update = (word: string) =>
        cluster.ask('scontrol', 'update', `PartitionName=${cluster.partition}`, `State=${word}`);
      await update(state);
      const ada = meetResearcher(slipway.service);
      const job = await ada.submit('true', twoMinutes);
      await waitForReason(ada, job, reason);
      await update('UP');
      expect((await ada.waitForEnd(job.path, 120)).stage).toBe('SUCCESSFUL');
    },
    200_000,
  );

  it('by maintenance lets a job wait that would not end before', async () => {
    const terms = ['StartTime=now+3minutes', 'Duration=60', 'Nodes=ALL', 'Users=root'];
    const flags = 'Flags=MAINT,IGNORE_JOBS';
    await cluster.ask('scontrol', 'create', 'reservation', 'ReservationName=m', ...terms, flags);
    const ada = meetResearcher(slipway.service);
    const long = await ada.submit('true', { runtime: 1 });
    await waitForReason(ada, long, /asks for less time may start earlier\. Slurm says: ReqNodeNot/);
    const short = await ada.submit('true', { runtime: 1 / 60 });
    expect((await ada.waitForEnd(short.path)).stage).toBe('SUCCESSFUL');
    await cluster.ask('scontrol', 'delete', 'ReservationName=m');
    expect((await ada.waitForEnd(long.path)).stage).toBe('SUCCESSFUL');
  }, 200_000);
});

describe('a job that a real Slurm can never run', () => {
  it.each([
    { what: 'too long', wishes: { runtime: 48 }, reason: /Ask for less time\. Slurm says: .*2051/ },
    { what: 'too large', wishes: { nodes: 4 }, reason: /Ask for fewer nodes\. Slurm says: .*2006/ },
    {
      what: 'beyond its quality of service',
      wishes: { runtime: 1, fields: { class: 'strict' } },
      reason: /^No such job of 'games' is allowed .*'strict'.* Slurm says: .*\(2050\)\.$/,
    },
    {
      what: 'for an account of others',
      wishes: { fields: { class: 'foreign' } },
      reason: /^'games' has no Slurm association on the system with the account 'nobody'.*\(2045\)/,
    },
    {
      what: 'for an unknown partition',
      wishes: { fields: { class: 'nowhere' } },
      reason: /^The system has no partition 'nowhere'.* Ask an administrator .*\(2000\)/,
    },
  ])(
    'fails, and says who can correct it: $what',
    async ({ wishes, reason }) => {
      const ada = meetResearcher(slipway.service);
      const { path } = await ada.submit('true', wishes);
      const job: JobBody = await ada.waitForEnd(path);
      expect(job).toMatchObject({ stage: 'FAILED', failed: true });
      expect((await ada.readTimeline(path)).reason).toMatch(reason);
    },
    100_000,
  );
});

it('npm run catalog:check -- --try names the classes that a real Slurm refuses', async () => {
  const { url: baseUrl, partition, workDirectory, user, token } = cluster;
  const settings = { baseUrl, partition, workDirectory, account: '{project}' };
  const system = {
    ...findSystem(catalog, 'hpc_one'),
    connector: { kind: 'slurm' as const, ...settings },
    classes,
  };
  const credentials = { read: async () => ({ user, token }), forget() {} };
  const connector = createSlurmConnector({ ...settings, classes, credentials });
  const trials = await trySystem(system, connector, { logins: [], patienceSeconds: 60 });
  expect(trials.map(({ text }) => text)).toEqual([
    expect.stringMatching(/answers at/),
    expect.stringMatching(/class 'foreign' for the project 'proj_hpc_one_01' is refused.*\(2045\)/),
    expect.stringMatching(/class 'nowhere' for the project 'proj_hpc_one_01' is refused.*\(2000\)/),
    expect.stringMatching(/ran\.$/),
  ]);
  expect(await cluster.ask('squeue', '-h')).toBe('');
}, 100_000);
