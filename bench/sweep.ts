import { setTimeout as sleep } from 'node:timers/promises';
import { findSystem } from '#lib/catalog/catalog.ts';
import type { Connector, Observation } from '#lib/hpc/connector.ts';
import { createSimulator } from '#lib/hpc/simulator/simulator-connector.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { connectInProcess } from '#lib/table/connection.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { beginRun } from '#lib/time/time-left.ts';
import { createTable } from '#local/create-table.ts';
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import { setCredentials } from '#test/engines/credentials.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { hpcOne, noAddresses } from '#test/fixtures/jobs.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { type Figure, formatTable } from './measure/figures.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';
import { seedLivingJobs } from './measure/seed-living-jobs.ts';

const callMs = 100;
const batchSize = 500;
const pollFloorSeconds = 30;

/** Later than the seeded jobs, which are due when they are written. */
const startedAt = Date.now() + 3_600_000;

/** Checks in one minute, by job. */
type Looks = Map<string, number>;

export const part: Part = {
  about: `How long the sweeps of one minute take that look at every living job of a system, on a
connector that takes 100 ms for a call and answers for 500 jobs in one, as Slurm's does. A sweep
begins nothing more after 48 seconds: what it has not looked at by then waits for the next minute.
`,
  options: {
    living: { usual: 20_000, about: 'how many jobs live' },
    runs: { usual: 1, about: 'how many runs share them, all in this process' },
    minutes: { usual: 3, about: 'how many minutes pass' },
  },
  async measure({ count }) {
    const living = count('living');
    const runs = count('runs');
    const minutes = count('minutes');
    const engine = await startEmbeddedDynamoDb({ port: 0, path: createTemporaryFolder() });
    connectInProcess(engine.connection);
    setCredentials();
    await createTable('sweep');
    const table = openTable('sweep');
    await seedLivingJobs(table, living);
    const rows = [['minute', 'looked at', 'most for one job', 'seconds', 'processor']];
    const seconds: number[] = [];
    let seen = living;
    for (let minute = 0; minute < minutes; minute += 1) {
      const processor = process.cpuUsage();
      const began = performance.now();
      const looks = await sweepOnce(table, runs, minute);
      const took = (performance.now() - began) / 1000;
      const { user, system } = process.cpuUsage(processor);
      const busy = ((user + system) / 1e6).toFixed(1);
      const most = Math.max(0, ...looks.values());
      rows.push([String(minute + 1), String(looks.size), String(most), took.toFixed(1), busy]);
      seconds.push(took);
      seen = Math.min(seen, looks.size);
    }
    process.stdout.write(formatTable(rows));
    await engine.close();
    return [
      { name: 'sweep.looked-at', value: seen / living },
      { name: 'sweep.seconds', value: Math.max(...seconds), unit: 's' },
    ] satisfies Figure[];
  },
};

/** Makes all runs of one minute. The clock advances by a minute each time. */
async function sweepOnce(table: Table, runs: number, minute: number): Promise<Looks> {
  const looks: Looks = new Map();
  const system = findSystem(catalog, hpcOne.hpc);
  const files = createMemoryFiles();
  // Each minute's sweeps begin at its first second.
  const offset = minute * 60_000;
  const began = performance.now();
  const now = () => new Date(startedAt + offset + performance.now() - began);
  const connector = watch(createSimulator(table, system, { hourSeconds: 60 }), looks);
  const sweeps = Array.from({ length: runs }, (_, number) => {
    const time = beginRun(() => 300_000);
    const sweep = {
      table,
      files,
      system,
      connector,
      addressesOf: () => noAddresses,
      now,
      windows: [],
      ...time,
    };
    return advanceJobs(sweep, { number, of: runs });
  });
  await Promise.all(sweeps);
  return looks;
}

/** Wraps a connector: each call is slow, and all jobs are running. */
function watch(connector: Connector, looks: Looks): Connector {
  return {
    ...connector,
    batchSize,
    pollFloorSeconds,
    async lookUp(jobs) {
      await sleep(callMs);
      for (const { jobId } of jobs) looks.set(jobId, (looks.get(jobId) ?? 0) + 1);
      const running: Observation = { state: 'living', stage: 'RUNNING' };
      return new Map(jobs.map(({ jobId }) => [jobId, running]));
    },
  };
}
