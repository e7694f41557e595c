import { describe, expect, it } from 'vitest';
import { findSystem } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { projectName } from '#test/fixtures/names.ts';
import { type FakeSlurmrestd, type SubmittedBody, startFake } from '#test/slurm/fake-slurmrestd.ts';
import { connect } from '#test/unit/hpc/slurm/connect.ts';
import { makeKeyPair } from '#test/unit/hpc/slurm/ssh/login-node-server.ts';
import { trySystem } from '#tools/catalog/try-systems.ts';

const start = 1_794_706_455;

function describeSystem(change: Partial<HpcSystem> = {}, workDirectory = '/scratch'): HpcSystem {
  const connector = { kind: 'slurm', baseUrl: 'https://slurm.test', partition: 'hpc_one' } as const;
  const system = findSystem(catalog, 'hpc_one');
  return { ...system, connector: { ...connector, workDirectory }, ...change };
}

/** Slurm ends each job as soon as it is asked for. */
function endJobs(fake: FakeSlurmrestd, states: string[], code = 0): void {
  const push = fake.queue.push.bind(fake.queue);
  fake.queue.push = (...jobs) =>
    push(...jobs.map((job) => ({ ...job, states, code, start, end: start + 1 })));
}

const options = { logins: [], pauseMs: 1, patienceSeconds: 0.05 };
const place = "(partition 'hpc_one', workDirectory '/scratch')";

describe('npm run catalog:check -- --try', () => {
  it('calls a system and runs a job there that leaves nothing behind', async () => {
    const fake = await startFake(38);
    endJobs(fake, ['COMPLETED']);
    expect(await trySystem(describeSystem(), connect(fake), options)).toEqual([
      { isRight: true, text: 'hpc_one answers at https://slurm.test.' },
      { isRight: true, text: `hpc_one: a job as the service ${place} (2) ran.` },
    ]);
    expect(JSON.stringify(fake.submitted())).toContain('rm -rf -- ');
  });

  it('names the login node of a system that is reached by ssh', async () => {
    const node = { host: '127.0.0.1', port: 1, user: 'slipway', hostKeys: ['ssh-ed25519 AAAA'] };
    const sshKey = makeKeyPair().private;
    const site = { partition: 'hpc_one', workDirectory: '/scratch' };
    const connector = createSlurmConnector({
      ...site,
      reach: node,
      credentials: { read: async () => ({ sshKey }), forget: () => undefined },
    });
    const system = describeSystem({
      connector: { kind: 'slurm', ...site, reach: { ssh: node } },
    });
    const [trial] = await trySystem(system, connector, options);
    expect(trial?.text).toBe(
      'hpc_one does not answer as it should as slipway@127.0.0.1:1: slipway@127.0.0.1:1: ECONNREFUSED.',
    );
  });

  it('reports a system that does not answer', async () => {
    const connector = connect(await startFake(38), { baseUrl: 'http://127.0.0.1:1' });
    const [trial] = await trySystem(describeSystem(), connector, options);
    expect(trial?.isRight).toBe(false);
    expect(trial?.text).toMatch(/^hpc_one does not answer as it should at https:\/\/slurm\.test: /);
  });

  it('names the user, the partition and the directory of a job that fails', async () => {
    const fake = await startFake(38);
    endJobs(fake, ['FAILED'], 240);
    const [, trial] = await trySystem(describeSystem(), connect(fake), options);
    expect(trial).toEqual({
      isRight: false,
      text:
        `hpc_one: a job as the service ${place} (2) failed. The job ended with exit code 240: ` +
        "the job's directory could not be created.",
    });
  });

  it('reports why Slurm refuses a job', async () => {
    const fake = await startFake(38);
    const errors = [{ error_code: 2000, error: 'Invalid partition name specified' }];
    fake.replies.push({ to: 'submit', reply: { status: 500, body: { errors } } });
    const [, trial] = await trySystem(describeSystem(), connect(fake), options);
    expect(trial?.isRight).toBe(false);
    expect(trial?.text).toContain(
      "The system has no partition 'hpc_one'. Ask an administrator of this service",
    );
  });

  it('cancels a job that does not end, and reports what it waits for', async () => {
    const fake = await startFake(38);
    const push = fake.queue.push.bind(fake.queue);
    fake.queue.push = (...jobs) => push(...jobs.map((job) => ({ ...job, reason: 'Resources' })));
    const [, trial] = await trySystem(describeSystem(), connect(fake), options);
    expect(trial?.text).toBe(
      `hpc_one: a job as the service ${place} was taken (2), but did not end within 0.05 s. It waits for free nodes, cores, memory or GPUs. Slurm says: Resources.`,
    );
    expect(fake.queue[1]?.states).toEqual(['CANCELLED']);
  });

  it('runs a job as each named account if jobs run as their owners', async () => {
    const system = describeSystem({ runsAs: 'mapped' }, '/scratch/{account}');
    const fake = await startFake(38);
    endJobs(fake, ['COMPLETED']);
    const connector = connect(fake, { workDirectory: '/scratch/{account}' });
    const [, unnamed] = await trySystem(system, connector, options);
    expect(unnamed?.text).toContain('name one with --as');
    fake.unknownUsers = ['bob'];
    const trials = await trySystem(system, connector, { ...options, logins: ['ada', 'bob'] });
    expect(trials.map(({ isRight }) => isRight)).toEqual([true, true, false]);
    expect(trials[1]?.text).toContain(
      "a job as 'ada' (partition 'hpc_one', workDirectory '/scratch/ada')",
    );
    expect(trials[2]?.text).toContain("does not know the account 'bob'");
  });

  it('tries each class with each project that may use it, by jobs that never run', async () => {
    const fake = await startFake(38);
    endJobs(fake, ['COMPLETED']);
    const errors = [{ error_code: 2045, error: 'Invalid account' }];
    const isUrgent = ({ job }: SubmittedBody) => job.qos === 'high';
    fake.refuse = (body) => (isUrgent(body) ? { status: 500, body: { errors } } : undefined);
    const classes = [
      { name: 'normal' },
      { name: 'urgent', qos: 'high', projects: ['proj_hpc_one_02'] },
    ];
    const { projects } = describeSystem();
    const other = { ...projects[0], number: 9, name: projectName('proj_hpc_one_02') };
    const system = describeSystem({
      classes,
      memoryPerNode: 64,
      projects: [projects[0], other],
    });
    const trials = await trySystem(system, connect(fake, { classes }), options);
    expect(trials.map(({ isRight }) => isRight)).toEqual([true, false, true]);
    expect(trials[1]?.text).toMatch(
      /^hpc_one: a job as the service of the class 'urgent' for the project 'proj_hpc_one_02' is refused\. .*'hpcuser1' has no Slurm association .*\(2045\)\.$/,
    );
    const held = { hold: true, memory_per_node: 95, time_limit: 1, nodes: '1', tasks: 1 };
    expect(fake.submitted()).toMatchObject([
      { job: held },
      { job: held },
      { job: { ...held, qos: 'high' } },
      { job: { memory_per_node: 95 } },
    ]);
    expect(fake.questions.filter(({ method }) => method === 'DELETE')).toHaveLength(2);
  });
});
