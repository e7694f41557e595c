import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { attendBatch } from '#lib/batches/attend-batch.ts';
import { accountOf as accountOfBatch } from '#lib/batches/batch.ts';
import { submitBatch } from '#lib/batches/submit-batch.ts';
import { defaultProject } from '#lib/catalog/catalog.ts';
import { callsPerSecond, openBatchApi } from '#lib/hpc/batch/batch-api.ts';
import { createBatchConnector } from '#lib/hpc/batch/batch-connector.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { batchKey } from '#lib/table/keys.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import { catalog as testCatalog } from '#test/fixtures/catalog.ts';
import { hpcOne } from '#test/fixtures/jobs.ts';
import { tellAddresses } from '#test/fixtures/life.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { userId } from '#test/fixtures/names.ts';
import { definitionName, queueName, startBatchServer } from '#test/upstreams/batch-server.ts';
import { type Figure, formatTable } from './measure/figures.ts';
import type { Part } from './measure/part.ts';

export const part: Part = {
  about: `Measures hand-overs to an imitation of AWS Batch that throttles beyond 50 calls a second, by the real
client: single jobs, next to the least time that this pace allows, and a batch as one array. Checks
that no job was handed over twice, and the accounts.
`,
  options: {
    jobs: { usual: 1000, about: 'how many single jobs' },
    batch: { usual: 10_000, about: 'how many jobs the batch has, at most 10000' },
  },
  async measure({ count }) {
    const [jobs, batch] = [count('jobs'), count('batch')];
    const single = await measureSingle(jobs);
    const array = await measureArray(batch);
    const bound = jobs / callsPerSecond;
    process.stdout.write(
      formatTable([
        ['handed over', 's', 'bound s', 'calls', 'throttled'],
        [`${jobs} single jobs`, single.seconds, bound.toFixed(1), single.calls, single.throttled],
        [`a batch of ${batch}`, array.seconds, '', array.calls, array.throttled],
        [`checking ${batch} that wait`, array.checkSeconds, '', array.checkCalls, ''],
      ]),
    );
    return [
      { name: 'aws-batch.single.to-bound', value: Number(single.seconds) / bound },
      { name: 'aws-batch.array.calls', value: Number(array.calls) },
    ] satisfies Figure[];
  },
};

async function openBench(owner = userId('306328')) {
  const { table, close } = await openInProcessTable(`aws-batch-${Math.random()}`);
  const server = await startBatchServer({ callsPerSecond });
  const files = createMemoryFiles();
  const catalog = {
    systems: testCatalog.systems.map((each) =>
      each.name === hpcOne.hpc ? { ...each, connector: { kind: 'batch' as const } } : each,
    ),
  };
  const [system] = catalog.systems;
  if (!system) throw new Error('There is no system.');
  const api = openBatchApi({
    endpoint: server.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead * 1000);
  const place = { queue: queueName, definition: definitionName };
  const connector = createBatchConnector({ ...place, now }, api);
  const context = { table, catalog, inputs: files.inputs };
  const submission = {
    owner,
    system,
    project: { ...defaultProject(system), maxLivingJobs: 1_000_000 },
    program: 'true',
    nodes: 1,
    coresPerNode: 1,
    requestedRuntime: 0.05,
    title: 'a job',
    extras: {},
    input: { fileName: '', source: { kind: 'none' } },
  } as const;
  const sweepParts = { table, files, system, connector, addressesOf: tellAddresses, now };
  return {
    table,
    server,
    context,
    submission,
    now,
    files,
    pass(seconds: number) {
      ahead += seconds;
    },
    sweep: () => advanceJobs({ ...sweepParts, isOver: () => false, leftMs: () => 3_600_000 }),
    close: async () => {
      server.close();
      await close();
    },
  };
}

async function timed(act: () => Promise<unknown>): Promise<string> {
  const began = performance.now();
  await act();
  return ((performance.now() - began) / 1000).toFixed(1);
}

async function measureSingle(jobs: number) {
  const bench = await openBench();
  const { context, submission, server, now } = bench;
  let account: ReturnType<typeof accountOf> | undefined;
  for (let at = 0; at < jobs; at += 1) {
    account = accountOf((await submitJob(context, submission, undefined, now())).job);
  }
  const seconds = await timed(bench.sweep);
  const names = server.listIds().map((id) => server.orderOf(id).jobName);
  if (names.length !== jobs || new Set(names).size !== jobs) throw new Error('Not each job once.');
  if (account && (await judgeAccount(bench.table, account)).state !== 'sound') {
    throw new Error('The account is not sound.');
  }
  const figures = {
    seconds,
    calls: String(server.requests.length),
    throttled: String(server.throttled),
  };
  await bench.close();
  return figures;
}

async function measureArray(jobs: number) {
  const bench = await openBench();
  const { table, context, submission, server, files, now } = bench;
  const wish = { ...submission, shape: { count: jobs }, maxRunning: undefined };
  const { batch } = await submitBatch(context, wish, undefined, now());
  const attended = { ...context, files, now, isOver: () => false };
  await attendBatch(attended, batchKey(batch.owner, batch.id));
  const seconds = await timed(bench.sweep);
  const calls = server.requests.length;
  const units = server.listIds().flatMap((id) => server.listUnits(id));
  if (units.length !== jobs) throw new Error(`${units.length} tasks instead of ${jobs}.`);
  bench.pass(60);
  const checkSeconds = await timed(bench.sweep);
  if ((await judgeAccount(table, accountOfBatch(batch))).state !== 'sound') {
    throw new Error('The account is not sound.');
  }
  const figures = {
    seconds,
    calls: String(calls),
    throttled: String(server.throttled),
    checkSeconds,
    checkCalls: String(server.requests.length - calls),
  };
  await bench.close();
  return figures;
}
