import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Connector, SubmittedJob } from '#lib/hpc/connector.ts';
import { JobRefusedError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { jobsOn, orderJob } from './jobs-on.ts';
import { pollUntil } from './poll-until.ts';
import { type Storage, startStorage } from './storage.ts';

let cluster: Cluster;
let storage: Storage;
let connector: Connector;

beforeAll(async () => {
  cluster = await startCluster();
  storage = await startStorage();
  connector = connect(cluster.token);
}, 300_000);

afterAll(async () => {
  await storage?.close();
  await cluster?.close();
}, 60_000);

function connect(token: string): Connector {
  return createSlurmConnector({
    baseUrl: cluster.url,
    credentials: { read: async () => ({ user: cluster.user, token }), forget() {} },
    partition: cluster.partition,
    workDirectory: cluster.workDirectory,
  });
}

const { observe, submit, waitForEnd } = jobsOn(() => connector);

function listDirectories(): string[] {
  return readdirSync(cluster.workDirectory);
}

function waitForStage(job: SubmittedJob, stage: string) {
  return pollUntil(`the job is ${stage}`, 40, async () => {
    const observation = await observe(job);
    return observation?.state === 'living' && observation.stage === stage ? true : undefined;
  });
}

function unpackFile(zip: Buffer, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-zip-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'packed.zip'), zip);
  execFileSync('python3', ['-m', 'zipfile', '-e', 'packed.zip', '.'], { cwd: folder });
  return readFileSync(join(folder, name), 'utf8');
}

describe('a real Slurm', () => {
  it('is healthy', async () => {
    await expect(connector.checkHealth()).resolves.toBeUndefined();
  });

  it('sends what there is before the time limit', async () => {
    const resultsAddress = storage.addressFor('limit.zip');
    const command = 'echo first; trap "echo warned; exit 1" TERM; sleep 300 & wait';
    const order = orderJob(command, { hours: 1 / 60, resultsAddress });
    const end = await waitForEnd(await submit(order), 150);
    expect(end).toMatchObject({ failed: true, reason: 'The job reached its time limit.' });
    expect(end.usedSeconds).toBeGreaterThanOrEqual(54);
    expect(unpackFile(storage.received.get('limit.zip')!, 'stdout')).toBe('first\nwarned\n');
    expect(listDirectories()).not.toContainEqual(expect.stringContaining(order.jobId));
  });

  it('sends what there is when a job is cancelled', async () => {
    const resultsAddress = storage.addressFor('cancelled.zip');
    const order = orderJob('echo first; sleep 300', { resultsAddress });
    const job = await submit(order);
    await waitForStage(job, 'RUNNING');
    await pollUntil('it has written', 20, async () => {
      const stdout = join(cluster.workDirectory, order.jobId, 'job', 'stdout');
      return (existsSync(stdout) && readFileSync(stdout, 'utf8') !== '') || undefined;
    });
    await connector.cancel(job);
    expect(await waitForEnd(job)).toMatchObject({ reason: 'The job was cancelled on the system.' });
    expect(unpackFile(storage.received.get('cancelled.zip')!, 'stdout')).toBe('first\n');
    expect(listDirectories()).not.toContainEqual(expect.stringContaining(order.jobId));
  });

  it('says where the files are of a job whose script was killed', async () => {
    const resultsAddress = storage.addressFor('killed.zip');
    const order = orderJob('echo first; kill -KILL $PPID; sleep 300', { resultsAddress });
    const { leftIn } = await waitForEnd(await submit(order));
    const directory = join(cluster.workDirectory, order.jobId);
    expect(leftIn).toBe(directory);
    expect(readFileSync(join(directory, 'job', 'stdout'), 'utf8')).toBe('first\n');
    expect(storage.received.has('killed.zip')).toBe(false);
  });

  it('says that an input could not be fetched, and shows its address nowhere', async () => {
    const address = storage.addressFor('lost.zip');
    const open = () => Promise.reject(new Error('not needed'));
    const order = orderJob('true', { input: { fileName: 'lost.zip', address, open } });
    expect(await waitForEnd(await submit(order))).toMatchObject({
      failed: true,
      reason: 'The job ended with exit code 241: the input could not be fetched.',
    });
    const log = readFileSync(join(cluster.workDirectory, `${order.jobId}.log`), 'utf8');
    expect(log).toContain('404');
    expect(log).toContain('Slipway knows no such living job');
    expect(log).not.toMatch(/pass=|X-Amz-Signature/);
  });

  it('says that results could not be sent, and leaves them where they are', async () => {
    const order = orderJob('echo kept', { resultsAddress: storage.goneAddress });
    expect(await waitForEnd(await submit(order))).toMatchObject({
      reason: 'The job ended with exit code 243: the results could not be sent.',
      leftIn: `${cluster.workDirectory}/${order.jobId}`,
    });
    const stdout = join(cluster.workDirectory, order.jobId, 'job', 'stdout');
    expect(readFileSync(stdout, 'utf8')).toBe('kept\n');
  });

  it('refuses a job that it can never run', async () => {
    // The cluster has one node: a request for two that is not understood would run.
    const tooLarge = connector.submit(orderJob('true', { nodes: 2 }));
    await expect(tooLarge).rejects.toThrow(JobRefusedError);
    const tooLong = connector.submit(orderJob('true', { hours: 25 }));
    await expect(tooLong).rejects.toThrow(/\(2051\)/);
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
    const orders = Array.from({ length: 8 }, () => orderJob('sleep 300'));
    const jobs = await Promise.all(orders.map(submit));
    const stranger = {
      jobId: jobId(randomUUID().toUpperCase()),
      owner: userId('306328'),
      handle: '999999',
    };
    const seen = await connector.lookUp([...jobs, stranger]);
    expect(seen.get(stranger.jobId)).toEqual({ state: 'unknown' });
    expect(jobs.map(({ jobId }) => seen.get(jobId)?.state)).toEqual(jobs.map(() => 'living'));
    expect(await observe(stranger)).toEqual({ state: 'unknown' });
    await connector.cancel(stranger);
    await Promise.all(jobs.map((job) => connector.cancel(job)));
  });

  it('does not pass for a bad token', async () => {
    const stranger = connect('bad.bad.bad');
    await expect(stranger.checkHealth()).rejects.toThrow(SystemUnavailableError);
    await expect(stranger.submit(orderJob('true'))).rejects.toThrow(SystemUnavailableError);
    await expect(stranger.findByTag(orderJob('true'))).rejects.toThrow(SystemUnavailableError);
  });
});
