import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import { type JobBody, meetResearcher } from './researcher.ts';
import { type ServiceOnSlurm, startServiceOn } from './service.ts';

const project = 'proj_hpc_one_01';

let cluster: Cluster;
let slipway: ServiceOnSlurm;

beforeAll(async () => {
  cluster = await startCluster({ hasAccounting: true, accounts: [project] });
  await cluster.ask('sacctmgr', '-i', 'add', 'qos', 'small');
  // Else Slurm takes a job beyond the limit, and lets it wait.
  const limit = ['MaxTRESPerJob=cpu=2', 'flags=DenyOnLimit'];
  await cluster.ask('sacctmgr', '-i', 'modify', 'qos', 'small', 'set', ...limit);
  await cluster.ask('sacctmgr', '-i', 'modify', 'user', cluster.user, 'set', 'qos+=small');
  slipway = await startServiceOn(cluster, {
    account: '{project}',
    entry: {
      limits: { nodes: 1, coresPerNode: 16 },
      memoryPerNode: 4,
      gpusPerNode: 2,
      gpuKinds: ['a100'],
      charging: { per: { core: 1, gpu: 20, memoryGb: 0.25 }, rule: 'sum' },
      classes: [
        { name: 'normal' },
        { name: 'small', qos: 'small', chargingFactor: 0.5 },
        { name: 'foreign', account: 'nobody' },
      ],
    },
  });
}, 300_000);

afterAll(async () => {
  await slipway?.close();
  await cluster?.close();
}, 60_000);

/** Runs a job of a new user to its end. */
async function runJob(command: string, cores: number, fields: Readonly<Record<string, unknown>>) {
  const somebody = meetResearcher(slipway.service);
  const { path, body } = await somebody.submit(command, { cores, fields });
  const held = 18_000_000 - ((await somebody.readTimeLeft()) ?? 0);
  const job = await pollUntil('the job has ended', 60, async () => {
    const read = await somebody.read<JobBody>(path);
    return read.terminal_stage ? read : undefined;
  });
  const { reason } = await somebody.readTimeline(path);
  return { id: body.job_id, stage: job.stage, reason, held };
}

/** What Slurm's own accounting says of a job. */
async function readAccounting(name: string, ...fields: string[]) {
  return pollUntil(`sacct knows ${name}`, 30, async () => {
    const columns = ['-a', '-X', '-n', '-P', '--name', name, '-o', fields.join(',')];
    const [line = ''] = (await cluster.ask('sacct', ...columns)).split('\n');
    return line === '' ? undefined : line.split('|');
  });
}

const fill = (megabytes: number) =>
  `python3 -c 'import time; filled = bytearray(${megabytes}_000_000); time.sleep(8)'`;

describe('resources on a real Slurm', () => {
  it('ends a job beyond its memory, and says so', async () => {
    const beyond = await runJob(fill(300), 1, { memory: '100 MB' });
    expect(beyond).toMatchObject({
      stage: 'FAILED',
      reason: expect.stringContaining('The job ran out of memory.'),
    });
    expect(await readAccounting(beyond.id, 'ReqMem')).toEqual(['95M']);
    const within = await runJob(fill(300), 1, { memory: '1 GB' });
    expect(within).toMatchObject({ stage: 'SUCCESSFUL', reason: null });
  });

  it('gives a job the memory of its cores, and charges it, if it does not ask', async () => {
    const { id, held } = await runJob('true', 4, {});
    // 4 of 16 cores: 1 GB, which is 953 MiB. Six minutes of 4 + 0.25 hours an hour.
    expect(await readAccounting(id, 'ReqMem', 'ReqCPUS')).toEqual(['953M', '4']);
    expect(held).toBe(1530);
  });

  it('charges the account of the project', async () => {
    const { id } = await runJob('true', 1, {});
    expect(await readAccounting(id, 'Account', 'QOS')).toEqual([project, 'normal']);
  });

  it('runs a class with its quality of service, whose limits count', async () => {
    const fits = await runJob('true', 2, { class: 'small', memory: '100 MB' });
    expect(fits).toMatchObject({ stage: 'SUCCESSFUL', held: 365 });
    expect(await readAccounting(fits.id, 'Account', 'QOS')).toEqual([project, 'small']);
    const large = await runJob('true', 3, { class: 'small', memory: '100 MB' });
    expect(large.stage).toBe('FAILED');
    expect(large.reason).toMatch(
      /^No such job of 'games' is allowed for the account 'proj_hpc_one_01', the quality of service 'small',/,
    );
  });

  it('refuses an account that the user may not charge', async () => {
    const { stage, reason } = await runJob('true', 1, { class: 'foreign' });
    expect(stage).toBe('FAILED');
    expect(reason).toContain("with the account 'nobody'");
  });

  it('gives a job the GPUs that it asked for', async () => {
    const { id, stage, held } = await runJob('test "$SLURM_GPUS_ON_NODE" = 2', 1, {
      gpu_number: 2,
      gpu_kind: 'a100',
      memory: '100 MB',
    });
    expect(stage).toBe('SUCCESSFUL');
    const [allocated = ''] = await readAccounting(id, 'AllocTRES');
    expect(allocated).toContain('gres/gpu=2');
    // 1 + 2 x 20 + 0.1 x 0.25 hours an hour.
    expect(held).toBe(14_769);
  });
});
