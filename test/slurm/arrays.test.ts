import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connector, JobOrder, SubmittedJob } from '#lib/hpc/connector.ts';
import { JobRefusedError } from '#lib/hpc/errors.ts';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { startUpstream, type Upstream } from '../upstreams/start-upstream.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import { passOn } from './service.ts';

let cluster: Cluster;
let line: Upstream;
let connector: Connector;

beforeAll(async () => {
  cluster = await startCluster({ hasAccounting: true });
  line = await startUpstream((request) => passOn(cluster.url, request));
  connector = createSlurmConnector({
    baseUrl: line.url,
    credentials: { read: async () => ({ user: cluster.user, token: cluster.token }), forget() {} },
    partition: cluster.partition,
    workDirectory: cluster.workDirectory,
    keepsDirectories: true,
  });
}, 300_000);

afterAll(async () => {
  line?.close();
  await cluster?.close();
}, 60_000);

function orderArray(programs: readonly string[], atOnce?: number): JobOrder[] {
  const name = `${randomUUID().toUpperCase()}-0`;
  return programs.map((program, task) => ({
    jobId: jobId(randomUUID().toUpperCase()),
    owner: userId('306328'),
    title: 'a title',
    extras: {},
    program,
    nodes: 1,
    coresPerNode: 1,
    hours: 0.1,
    environment: { SLIPWAY_INDEX: String(task), SLIPWAY_NAME: `it's "$HOME" ${task}` },
    array: { name, task, ...(atOnce !== undefined && { atOnce }) },
  }));
}

async function submit(orders: readonly JobOrder[], again = false): Promise<SubmittedJob[]> {
  const handles = await connector.submitArray!(orders, again);
  return orders.map((order) => ({ ...order, handle: handles.get(order.jobId) ?? 'none' }));
}

async function observe(jobs: readonly SubmittedJob[]) {
  const seen = await connector.lookUp(jobs);
  return jobs.map((job) => seen.get(job.jobId));
}

function waitForEnds(jobs: readonly SubmittedJob[], seconds = 60) {
  return pollUntil('the tasks have ended', seconds, async () => {
    const seen = await observe(jobs);
    return seen.every((each) => each?.state === 'ended') ? seen : undefined;
  });
}

function readOutput({ jobId }: JobOrder, name = 'stdout'): string {
  return readFileSync(join(cluster.workDirectory, jobId, 'job', name), 'utf8');
}

describe('an array on a real Slurm', () => {
  it('runs each task as its own job', async () => {
    const print = 'echo "$SLIPWAY_INDEX $SLIPWAY_NAME"; echo "$PWD" >&2';
    const orders = orderArray([print, `${print}; exit 3`, print, `${print}; kill -TERM $$`], 2);
    const jobs = await submit(orders);
    const number = jobs[0]?.handle.split('_')[0];
    expect(jobs.map(({ handle }) => handle)).toEqual(
      [0, 1, 2, 3].map((task) => `${number}_${task}`),
    );
    expect(await waitForEnds(jobs)).toMatchObject([
      { stage: 'SUCCESSFUL', failed: false, usedSeconds: expect.any(Number) },
      { stage: 'FAILED', reason: 'The command ended with exit code 3.' },
      { stage: 'SUCCESSFUL', failed: false },
      { stage: 'FAILED', failed: true },
    ]);
    for (const [task, order] of orders.entries()) {
      expect(readOutput(order)).toBe(`${task} it's "$HOME" ${task}\n`);
      expect(readOutput(order, 'stderr')).toContain(order.jobId);
      expect(existsSync(join(cluster.workDirectory, `${order.jobId}.log`))).toBe(true);
    }
  });

  it('keeps to its limit, and one call tells of all its tasks', async () => {
    const jobs = await submit(orderArray(Array(8).fill('sleep 2'), 2));
    let most = 0;
    const before = line.requests.length;
    let looks = 0;
    await pollUntil('all have ended', 60, async () => {
      looks += 1;
      const seen = await observe(jobs);
      const running = seen.filter((each) => each?.state === 'living' && each.stage === 'RUNNING');
      most = Math.max(most, running.length);
      expect(seen.every((each) => each !== undefined && each.state !== 'unknown')).toBe(true);
      return seen.every((each) => each?.state === 'ended') || undefined;
    });
    expect(most).toBe(2);
    const calls = line.listCalls().slice(before);
    // The accounting is asked about each task that has ended.
    expect(calls.filter((call) => !call.includes('/slurmdb/'))).toHaveLength(looks);
  });

  it('says why its tasks wait', async () => {
    const jobs = await submit(orderArray(Array(3).fill('sleep 60'), 1));
    await pollUntil('the first one runs', 40, async () => {
      const [first, second] = await observe(jobs);
      const isRunning = first?.state === 'living' && first.stage === 'RUNNING';
      const hasReason = second?.state === 'living' && second.reason !== undefined;
      return (isRunning && hasReason) || undefined;
    });
    expect((await observe(jobs))[2]).toEqual({
      state: 'living',
      stage: 'QUEUED',
      reason: 'As many jobs of its batch run as may run at once. Slurm says: JobArrayTaskLimit.',
    });
    for (const job of jobs) await connector.cancel(job);
  });

  it('loses single tasks to a cancel, whether they wait or run', async () => {
    const jobs = await submit(orderArray(Array(4).fill('sleep 300'), 1));
    await pollUntil('the first one runs', 40, async () => {
      const [first] = await observe(jobs);
      return (first?.state === 'living' && first.stage === 'RUNNING') || undefined;
    });
    const [first, second, third, fourth] = jobs as [SubmittedJob, ...SubmittedJob[]];
    await connector.cancel(third!);
    await connector.cancel(third!);
    await connector.cancel(first);
    const [seen] = await waitForEnds([first]);
    expect(seen).toMatchObject({ failed: true, reason: 'The job was cancelled on the system.' });
    await pollUntil('the second one runs', 40, async () => {
      const [next] = await observe([second!]);
      return (next?.state === 'living' && next.stage === 'RUNNING') || undefined;
    });
    // A task that never started leaves no trace.
    expect((await observe([third!]))[0]).toEqual({ state: 'unknown' });
    expect((await observe([fourth!]))[0]).toMatchObject({ stage: 'QUEUED' });
    for (const job of [second!, fourth!]) await connector.cancel(job);
  });

  it('is found task by task while it waits, runs and has ended', async () => {
    const orders = orderArray(['true', 'sleep 30', 'sleep 30'], 1);
    expect(await connector.findByTag(orders[0]!)).toBeUndefined();
    const jobs = await submit(orders);
    const handles = jobs.map(({ handle }) => handle);
    const find = () => Promise.all(orders.map((order) => connector.findByTag(order)));
    expect(await find()).toEqual(handles);
    await waitForEnds(jobs.slice(0, 1));
    expect(await find()).toEqual(handles);
    expect((await submit(orders, true)).map(({ handle }) => handle)).toEqual(handles);
    for (const job of jobs) await connector.cancel(job);
  });

  it('begins after another one if a part of it was handed over before', async () => {
    const orders = orderArray(Array(4).fill('sleep 2'), 2);
    const first = await submit(orders.slice(0, 2));
    const all = await submit(orders, true);
    expect(all.slice(0, 2)).toEqual(first);
    const ends = await waitForEnds(all);
    const starts = ends.map((end) =>
      end?.state === 'ended' ? (end.endedAt?.getTime() ?? 0) - (end.usedSeconds ?? 0) * 1000 : 0,
    );
    expect(Math.min(...starts.slice(2))).toBeGreaterThanOrEqual(
      Math.max(...starts.slice(0, 2)) + 2000,
    );
  });

  it('is refused beyond MaxArraySize, of which a single job knows nothing', async () => {
    const orders = orderArray(['true', 'true']).map((order, index) => ({
      ...order,
      array: { name: 'large', task: 2000 + index },
    }));
    await expect(submit(orders)).rejects.toThrow(JobRefusedError);
    const [order] = orders;
    const job = { ...order!, handle: await connector.submit(order!) };
    expect(await waitForEnds([job])).toMatchObject([{ stage: 'SUCCESSFUL' }]);
  });

  it('is in the accounting, task by task, after the queue has forgotten it', async () => {
    const orders = orderArray(['true', 'exit 3', 'true']);
    const jobs = await submit(orders);
    await waitForEnds(jobs);
    const name = orders[0]?.array?.name;
    const accounted = await pollUntil('slurmdbd has them', 40, async () => {
      const list = await connector.readAccounting!(new Date(Date.now() - 3_600_000));
      const own = list?.filter((job) => job.name === name);
      return own?.length === 3 ? own : undefined;
    });
    expect(accounted.map(({ task, handle }) => [task, handle]).toSorted()).toEqual(
      jobs.map(({ handle }, task) => [task, handle]),
    );
    // As if MinJobAge were over: every question to the queue is answered with nothing.
    const nothing = { status: 200, body: '{"errors":[],"jobs":[]}' };
    line.failNext(/GET \/slurm\/.*\/job\//, nothing);
    const seen = await observe(jobs);
    expect(seen.map((each) => each?.state === 'ended' && each.stage)).toEqual([
      'SUCCESSFUL',
      'FAILED',
      'SUCCESSFUL',
    ]);
    line.failNext(/GET \/slurm\/.*\/jobs/, nothing, 3);
    const found = await Promise.all(orders.map((order) => connector.findByTag(order)));
    expect(found).toEqual(jobs.map(({ handle }) => handle));
  });
});
