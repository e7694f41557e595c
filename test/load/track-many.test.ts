import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import { createSimulator } from '#lib/hpc/simulator/simulator-connector.ts';
import { accountOf, type Job, jobToItem } from '#lib/jobs/job.ts';
import { newLifeToItem } from '#lib/jobs/life/job-life.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { checkShard } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { userId } from '#test/fixtures/names.ts';
import { embedded } from '../engines/engines.ts';
import { type OpenedTable, openTableOn } from '../engines/open-table-on.ts';
import { jobFixture } from '../fixtures/jobs.ts';
import { tellAddresses } from '../fixtures/life.ts';
import { createMemoryFiles } from '../fixtures/memory-files.ts';
import { startFake } from '../slurm/fake-slurmrestd.ts';
import { openNsg } from '../unit/hpc/nsg/open-nsg.ts';
import { connect } from '../unit/hpc/slurm/connect.ts';

const count = 1000;
const start = new Date('2026-01-01T00:00:00Z');

let opened: OpenedTable;
let table: Table;
beforeAll(async () => {
  opened = await openTableOn(embedded, 'slipway-many');
  table = opened.table;
});
afterAll(() => opened.close());

/** Jobs of ten users that were handed over and are due, past the submission. */
async function seedLiving(
  hpc: string,
  handleOf: (number: number) => string,
  numbers = count,
  into = table,
): Promise<Job[]> {
  const [project] = findSystem(catalog, hpc).projects;
  const { stages } = findSystem(catalog, hpc);
  const jobs = Array.from({ length: numbers }, (_, number) => ({
    ...jobFixture(userId(String(42 + (number % 10))), number + 1),
    project,
    stage: stages.running,
    terminal: false,
    submittedAt: start,
    endedAt: null,
  }));
  const items = jobs.flatMap((job, number) => [
    jobToItem(job),
    {
      ...newLifeToItem(job),
      due: checkShard(accountOf(job), job.id),
      handle: handleOf(number),
      running_since: start.toISOString(),
    },
  ]);
  for (let first = 0; first < items.length; first += 25) {
    const batch = items.slice(first, first + 25).map((Item) => ({ PutRequest: { Item } }));
    await into.client.send(new BatchWriteCommand({ RequestItems: { [into.name]: batch } }));
  }
  return jobs;
}

/** Rounds in two minutes, right before a floor of a minute ends and right at its end among them. */
const rounds = [0, 30, 59, 60, 90, 119, 120];

/** For each round the jobs that were looked up in it. */
async function keepTracking(hpc: string, connector: Connector) {
  const files = createMemoryFiles();
  const system = findSystem(catalog, hpc);
  const tracked: { at: number; jobIds: string[] }[] = [];
  for (const at of rounds) {
    const jobIds: string[] = [];
    const watched: Connector = {
      ...connector,
      lookUp(jobs) {
        jobIds.push(...jobs.map(({ jobId }) => jobId));
        return connector.lookUp(jobs);
      },
    };
    const now = new Date(start.getTime() + at * 1000);
    const time = { now: () => now, windows: [], leftMs: () => 300_000, isOver: () => false };
    const sweep = { table, files, system, connector: watched, addressesOf: tellAddresses };
    await advanceJobs({ ...sweep, ...time });
    tracked.push({ at, jobIds });
  }
  return tracked;
}

/** Seconds between two looks at the same job, the shortest of all jobs. */
function shortestPause(tracked: readonly { at: number; jobIds: string[] }[]): number {
  const lastLook = new Map<string, number>();
  let shortest = Number.POSITIVE_INFINITY;
  for (const { at, jobIds } of tracked) {
    for (const jobId of jobIds) {
      const last = lastLook.get(jobId);
      if (last !== undefined) shortest = Math.min(shortest, at - last);
      lastLook.set(jobId, at);
    }
  }
  return shortest;
}

describe('1,000 active jobs on one system', () => {
  it('are followed on NSG with 20 calls a round, and none is asked for below its floor', async () => {
    const bench = await openNsg();
    const handleOf = (number: number) => `NGBW-JOB-PY_EXPANSE-${String(number).padStart(32, '0')}`;
    const jobs = await seedLiving('hpc_two', handleOf);
    for (const [number, { jobId, owner }] of jobs.entries()) {
      const handle = handleOf(number);
      bench.server.jobs.set(handle, {
        handle,
        user: `demoapp.${owner}`,
        form: { 'metadata.clientJobId': jobId },
        stage: 'SUBMITTED',
        terminal: false,
        failed: false,
        messages: [],
        output: new Map(),
      });
    }
    const tracked = await keepTracking('hpc_two', bench.connector);
    const looks = tracked.filter(({ jobIds }) => jobIds.length > 0);
    await bench.server.close();
    expect(looks.map(({ jobIds }) => jobIds.length)).toEqual(looks.map(() => count));
    expect(looks.length).toBeGreaterThanOrEqual(3);
    expect(bench.server.requests.length).toBeLessThanOrEqual(20 * looks.length);
    expect(shortestPause(tracked)).toBeGreaterThanOrEqual(bench.connector.pollFloorSeconds);
  });

  it('are followed on Slurm with two calls a round, and none is asked for below its floor', async () => {
    const fake = await startFake(41);
    const jobs = await seedLiving('hpc_one', (number) => String(number + 1));
    for (const [number, { jobId }] of jobs.entries()) {
      fake.queue.push({ id: number + 1, name: jobId, states: ['RUNNING'] });
    }
    const connector = connect(fake);
    const tracked = await keepTracking('hpc_one', connector);
    const looks = tracked.filter(({ jobIds }) => jobIds.length > 0);
    expect(looks.map(({ jobIds }) => jobIds.length)).toEqual(looks.map(() => count));
    expect(looks.length).toBeGreaterThanOrEqual(3);
    // One more, once, to find out which versions there are.
    expect(fake.questions.length).toBeLessThanOrEqual(1 + 2 * looks.length);
    expect(shortestPause(tracked)).toBeGreaterThanOrEqual(connector.pollFloorSeconds);
  });

  it('are all looked at in one sweep, where they are more than it reads at a time', async () => {
    const opened = await openTableOn(embedded, 'slipway-more');
    const { table } = opened;
    const jobs = await seedLiving('hpc_one', String, 1100, table);
    const looked = new Set<string>();
    const system = findSystem(catalog, 'hpc_one');
    const connector: Connector = {
      ...createSimulator(table, system, { hourSeconds: 60 }),
      pollFloorSeconds: 60,
      async lookUp(asked) {
        for (const { jobId } of asked) looked.add(jobId);
        return new Map();
      },
    };
    const time = { now: () => start, windows: [], leftMs: () => 300_000, isOver: () => false };
    const files = createMemoryFiles();
    const sweep = { table, files, system, connector, addressesOf: tellAddresses, ...time };
    expect(await advanceJobs(sweep)).toBe(1100);
    expect(looked).toEqual(new Set(jobs.map(({ jobId }) => jobId)));
    await opened.close();
  });
});
