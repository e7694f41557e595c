import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSystem } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import {
  CredentialsRefusedError,
  JobRefusedError,
  SystemUnavailableError,
} from '#lib/hpc/errors.ts';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { trySystem } from '#tools/catalog/try-systems.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { jobsOn, orderJob } from './jobs-on.ts';
import { pollUntil } from './poll-until.ts';
import { makeUsers, type Sshd, startSshd } from './sshd.ts';

/** The service's own user on the login node. */
const user = 'slipway-test';

let cluster: Cluster;
let sshd: Sshd;
let jumpHost: Sshd;
let connector: Connector;
let removeUsers: () => Promise<void>;

beforeAll(async () => {
  removeUsers = await makeUsers(user);
  cluster = await startCluster({ hasAccounting: true, user });
  const environment = { SLURM_CONF: cluster.configFile };
  sshd = await startSshd({ environment, lines: ['AllowTcpForwarding no', 'MaxSessions 4'] });
  jumpHost = await startSshd({ accepts: sshd.accepts, lines: ['ForceCommand /bin/false'] });
  connector = connect();
}, 300_000);

afterAll(async () => {
  await jumpHost?.close();
  await sshd?.close();
  await cluster?.close();
  await removeUsers?.();
}, 60_000);

function reachBy({ port, hostKeys }: Sshd) {
  return { host: '127.0.0.1', port, user, hostKeys };
}

function connect(more: Readonly<Record<string, unknown>> = {}, key = sshd.key): Connector {
  return createSlurmConnector({
    reach: { ...reachBy(sshd), ...more },
    credentials: { read: async () => ({ sshKey: key, caKey: sshd.authority }), forget() {} },
    partition: cluster.partition,
    workDirectory: cluster.workDirectory,
  });
}

/** A system whose files are carried by ssh, too. */
function describeClosed(workDirectory: string) {
  const { port, hostKeys } = sshd;
  const reach = { ssh: { host: '127.0.0.1', port, user, hostKeys: [...hostKeys] } };
  const { partition } = cluster;
  const settings = { kind: 'slurm', reach, partition, workDirectory, files: 'ssh' } as const;
  const system: HpcSystem = { ...findSystem(catalog, 'hpc_one'), connector: settings };
  const credentials = { read: async () => ({ sshKey: sshd.key }), forget() {} };
  return {
    system,
    connector: createSlurmConnector({ ...settings, reach: reach.ssh, credentials }),
  };
}

const { submit, waitForEnd } = jobsOn(() => connector);

describe('a real Slurm behind a real sshd', () => {
  it('is healthy', async () => {
    await expect(connector.checkHealth()).resolves.toBeUndefined();
  });

  it('runs a job, and tells its exit code, its time and what it used', async () => {
    const seen = await waitForEnd(await submit(orderJob('sleep 3; exit 3')));
    expect(seen).toMatchObject({
      failed: true,
      reason: 'The command ended with exit code 3.',
      measured: { cores: 1 },
    });
    expect(seen.usedSeconds).toBeGreaterThanOrEqual(3);
  });

  it('refuses a job that it can never run', async () => {
    await expect(submit(orderJob('true', { nodes: 2 }))).rejects.toThrow(JobRefusedError);
    await expect(submit(orderJob('true', { hours: 25 }))).rejects.toThrow(/\(2051\)/);
  });

  it('finds a job by its tag while it runs and after it has ended', async () => {
    const order = orderJob('true');
    expect(await connector.findByTag(order)).toBeUndefined();
    const job = await submit(order);
    expect(await connector.findByTag(order)).toBe(job.handle);
    await waitForEnd(job);
    expect(await connector.findByTag(order)).toBe(job.handle);
  });

  it('looks up many jobs at once, and knows none that is not there', async () => {
    const jobs = await Promise.all(Array.from({ length: 8 }, () => submit(orderJob('sleep 300'))));
    const stranger = { ...orderJob('true'), handle: '999999' };
    const seen = await connector.lookUp([...jobs, stranger]);
    expect(seen.get(stranger.jobId)).toEqual({ state: 'unknown' });
    expect(jobs.map(({ jobId }) => seen.get(jobId)?.state)).toEqual(jobs.map(() => 'living'));
    await connector.cancel(stranger);
    await Promise.all(jobs.map((job) => connector.cancel(job)));
    for (const job of jobs) expect(await waitForEnd(job)).toMatchObject({ failed: true });
  });

  it('runs arrays, and cancels single tasks', async () => {
    const array = { name: `BATCH-${randomUUID()}` };
    const orders = [0, 1, 2, 3].map((task) =>
      orderJob(task === 0 ? 'true' : 'sleep 300', { array: { ...array, task } }),
    );
    const handles = await connector.submitArray?.(orders, false);
    const jobs = orders.map((order) => ({ ...order, handle: handles?.get(order.jobId) ?? '' }));
    expect(jobs.map(({ handle }) => handle)).toEqual(
      [0, 1, 2, 3].map((task) => expect.stringMatching(new RegExp(`^\\d+_${task}$`))),
    );
    expect(await waitForEnd(jobs[0]!)).toMatchObject({ failed: false });
    expect(await connector.submitArray?.(orders, true)).toEqual(handles);
    for (const job of jobs) await connector.cancel(job);
    for (const job of jobs.slice(1)) expect(await waitForEnd(job)).toMatchObject({ failed: true });
  });

  it('tells the accounting', async () => {
    const since = new Date(Date.now() - 3_600_000);
    const job = await submit(orderJob('sleep 1'));
    await waitForEnd(job);
    await pollUntil('the accounting has the job', 20, async () => {
      const all = await connector.readAccounting?.(since);
      return (
        all?.some(({ name, handle }) => name === job.jobId && handle === job.handle) || undefined
      );
    });
  });

  it('is tried with a job by catalog:check --try', async () => {
    const { partition, workDirectory } = cluster;
    const { port, hostKeys } = sshd;
    const reach = { ssh: { host: '127.0.0.1', port, user, hostKeys: [...hostKeys] } };
    const system: HpcSystem = {
      ...findSystem(catalog, 'hpc_one'),
      connector: { kind: 'slurm', reach, partition, workDirectory },
    };
    const trials = await trySystem(system, connector, { logins: [] });
    expect(trials.map(({ text }) => text)).toEqual([
      `hpc_one answers as ${user}@127.0.0.1:${port}.`,
      expect.stringMatching(/^hpc_one: a job as the service .* ran\.$/),
    ]);
    const lost: HpcSystem['connector'] = {
      kind: 'slurm',
      reach,
      partition,
      workDirectory: '/nowhere',
    };
    const [, trial] = await trySystem(
      { ...system, connector: lost },
      createSlurmConnector({
        reach: reach.ssh,
        credentials: { read: async () => ({ sshKey: sshd.key }), forget() {} },
        partition,
        workDirectory: '/nowhere',
      }),
      { logins: [] },
    );
    expect(trial?.text).toMatch(/workDirectory '\/nowhere'\).* could not be launched/);
  });

  it('is tried with input and output by catalog:check --try, and nothing stays', async () => {
    const closed = describeClosed(cluster.workDirectory);
    const trials = await trySystem(closed.system, closed.connector, { logins: [] });
    expect(trials.at(-1)?.text).toMatch(/a job as the service .* ran\.$/);
    const left = await readdir(cluster.workDirectory);
    expect(left.filter((name) => name.startsWith('SLIPWAY-TRY'))).toEqual([]);
    const lost = describeClosed('/nowhere');
    const [, trial] = await trySystem(lost.system, lost.connector, { logins: [] });
    expect(trial).toMatchObject({
      isRight: false,
      text: expect.stringContaining("cannot create directory '/nowhere/"),
    });
  });

  it('tells reservations for maintenance, and no others', async () => {
    const reserve = (name: string, ...more: string[]) =>
      cluster.ask(
        ...['scontrol', 'create', 'reservation', `ReservationName=${name}`],
        ...['StartTime=2030-01-02T03:00:00', 'Duration=60', 'Nodes=ALL', 'Users=root', ...more],
      );
    await reserve('course');
    await reserve('spring_works', 'Flags=MAINT,IGNORE_JOBS,OVERLAP');
    const windows = await connect().readMaintenance?.();
    const from = new Date('2030-01-02T03:00:00');
    expect(windows).toEqual([
      {
        name: 'spring_works',
        from,
        until: new Date(from.getTime() + 3_600_000),
        reason: "Maintenance of 1 node, reserved in Slurm as 'spring_works'.",
      },
    ]);
    for (const name of ['course', 'spring_works']) {
      await cluster.ask('scontrol', 'delete', `ReservationName=${name}`);
    }
  });

  it('is reached through a jump host, also as an account', async () => {
    const jumping = connect({ jump: reachBy(jumpHost), accounts: 'certificate' });
    await expect(jumping.checkHealth()).resolves.toBeUndefined();
    expect(await jumping.findByTag({ ...orderJob('true'), login: user })).toBeUndefined();
    expect(await sshd.readLog()).toContain(`ID "slipway for ${user}"`);
  });

  it('is not trusted with another host key, and says which it shows', async () => {
    const stranger = connect({ hostKeys: jumpHost.hostKeys });
    await expect(stranger.checkHealth()).rejects.toThrow(/shows a host key .* SHA256:/);
  });

  it('does not let another key in', async () => {
    const stranger = connect({}, jumpHost.key);
    await expect(stranger.checkHealth()).rejects.toThrow(CredentialsRefusedError);
    await expect(stranger.checkHealth()).rejects.toThrow(/permission denied/);
  });

  it('is away while its sshd is, and there again when that is back', async () => {
    await sshd.stop();
    await expect(connector.checkHealth()).rejects.toThrow(SystemUnavailableError);
    await sshd.start();
    await pollUntil('it is back', 30, () =>
      connector.checkHealth().then(
        () => true,
        () => undefined,
      ),
    );
  });
});
