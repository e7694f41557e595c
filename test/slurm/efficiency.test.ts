import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connector, JobOrder, Observation } from '#lib/hpc/connector.ts';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';

const megabyte = 1024 ** 2;

let cluster: Cluster;
let connector: Connector;

beforeAll(async () => {
  cluster = await startCluster({ hasAccounting: true });
  connector = createSlurmConnector({
    baseUrl: cluster.url,
    credentials: { read: async () => ({ user: cluster.user, token: cluster.token }), forget() {} },
    partition: cluster.partition,
    workDirectory: cluster.workDirectory,
  });
}, 300_000);

afterAll(async () => {
  await cluster?.close();
}, 60_000);

/** Works for three seconds, in 100 MB. */
const script = `python3 -c "import time
block = bytearray(100 * 1024 * 1024)
end = time.time() + 3
while time.time() < end: pass"`;

function order(task?: number): JobOrder {
  return {
    jobId: jobId(randomUUID().toUpperCase()),
    owner: userId('306328'),
    title: '',
    extras: {},
    program: script,
    nodes: 1,
    coresPerNode: 2,
    hours: 0.1,
    ...(task !== undefined && { array: { name: 'ARRAY-1', task } }),
  };
}

type Ended = Extract<Observation, { state: 'ended' }>;

async function waitForEnds(orders: readonly JobOrder[], handles: ReadonlyMap<string, string>) {
  const ends = new Map<string, Ended>();
  return pollUntil('all jobs have ended', 60, async () => {
    const rest = orders.filter((each) => !ends.has(each.jobId));
    const jobs = rest.map((each) => ({ ...each, handle: handles.get(each.jobId) ?? '' }));
    for (const [id, seen] of await connector.lookUp(jobs)) {
      if (seen.state === 'ended') ends.set(id, seen);
    }
    return ends.size === orders.length ? [...ends.values()] : undefined;
  });
}

async function readMaxRss(): Promise<number[]> {
  const lines = await cluster.ask('sacct', '-a', '-n', '-P', '--units=K', '-o', 'JobName,MaxRSS');
  return lines
    .split('\n')
    .map((line) => line.split('|'))
    .filter(([name]) => name === 'batch')
    .map(([, kilobytes = '']) => Number.parseInt(kilobytes, 10) * 1024);
}

it('tells what a job and the tasks of an array used, as sacct does', async () => {
  const alone = order();
  const tasks = [order(0), order(1), order(2)];
  const arrays = await connector.submitArray?.(tasks, false);
  const handles = new Map([...(arrays ?? []), [alone.jobId, await connector.submit(alone)]]);
  const ends = await waitForEnds([alone, ...tasks], handles);
  for (const { measured, usedSeconds = 0 } of ends) {
    expect(measured).toMatchObject({ cores: 2, memoryLimitBytes: 4000 * megabyte });
    const { cpuSeconds = 0, memoryBytes = 0 } = measured ?? {};
    expect(memoryBytes / megabyte).toBeGreaterThan(100);
    expect(memoryBytes / megabyte).toBeLessThan(200);
    expect(cpuSeconds).toBeGreaterThan(0.3);
    expect(cpuSeconds).toBeLessThan(2 * (usedSeconds + 1));
  }
  const told = ends.map(({ measured }) => measured?.memoryBytes);
  expect(told.toSorted()).toEqual((await readMaxRss()).toSorted());
}, 120_000);
