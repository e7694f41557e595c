import * as v from 'valibot';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { attendBatch } from '#lib/batches/attend-batch.ts';
import type { Batch } from '#lib/batches/batch.ts';
import { findBatch } from '#lib/batches/batch-store.ts';
import type { BatchSubmission } from '#lib/batches/batch-submission.ts';
import { discardBatch } from '#lib/batches/cancel-batch.ts';
import { submitBatch } from '#lib/batches/submit-batch.ts';
import { defaultProject, findSystem } from '#lib/catalog/catalog.ts';
import { createSimulator } from '#lib/hpc/simulator/simulator-connector.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { connectInProcess } from '#lib/table/connection.ts';
import { batchKey } from '#lib/table/keys.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { createTable } from '#local/create-table.ts';
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import { setCredentials } from '#test/engines/credentials.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import { meter } from '#test/engines/meter.ts';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { hpcOne, noAddresses } from '#test/fixtures/jobs.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { userId } from '#test/fixtures/names.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { type Figure, formatTable, median } from './measure/figures.ts';
import { describeJob, type LaptopEdition, startLaptopEdition } from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';

const owner = userId('306328');
/** Has single jobs. A user's active jobs are limited, and a batch may be as large as the limit. */
const other = userId('306329');
/** Simulated jobs of an hour take this long, by a clock that this part sets. */
const hourSeconds = 60;

export const part: Part = {
  about: `Measures a batch on a simulated system and the embedded table: how long its answer takes next to that
of a single job, by number and by table; how long until all jobs are created, handed over and ended,
and the write units of each; and how long a cancel in the middle takes. Checks the account each time.
`,
  options: {
    jobs: { usual: 10_000, about: 'how many jobs the batch has, at most 10000' },
    rounds: { usual: 15, about: 'how many answers of each kind are measured' },
  },
  async measure({ count }) {
    const jobs = count('jobs');
    const answers = await measureAnswers(jobs, count('rounds'));
    const bench = await openBench(jobs);
    const units = await measureUnits();
    const life = await measureLife(bench, units);
    const cancel = await measureCancel(bench);
    await bench.close();
    return [...answers, ...life, ...cancel];
  },
};

type Study = ReturnType<typeof openStudy>;

async function openBench(jobs: number) {
  const engine = await startEmbeddedDynamoDb({ port: 0, path: createTemporaryFolder() });
  connectInProcess(engine.connection);
  setCredentials();
  await createTable('batches');
  return { ...openStudy(openTable('batches'), jobs), close: () => engine.close() };
}

/** A user with a batch on a simulated system. */
function openStudy(table: Table, jobs: number, systemTable = table) {
  const files = createMemoryFiles();
  const system = findSystem(catalog, hpcOne.hpc);
  const project = { ...defaultProject(system), maxLivingJobs: 1_000_000 };
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead * 1000);
  const connector = createSimulator(systemTable, system, { hourSeconds, now });
  const context = { table, catalog, inputs: files.inputs };
  const content = buildStudy(jobs);
  const submission = {
    owner,
    system,
    project,
    program: 'python3 run.py --seed {index}',
    nodes: 1,
    coresPerNode: 1,
    requestedRuntime: 0.001,
    title: 'seed {index}',
    extras: {},
    input: { fileName: 'study.zip', source: { kind: 'inline', content, sha256: '' } },
  } as const;
  const submitMany = async (change: Partial<BatchSubmission> = {}): Promise<Batch> => {
    const wish = { ...submission, shape: { count: jobs }, maxRunning: undefined, ...change };
    return (await submitBatch(context, wish, undefined, now())).batch;
  };
  return {
    jobs,
    pass(seconds: number) {
      ahead += seconds;
    },
    submitOne: () => submitJob(context, submission, undefined, now()),
    submitMany,
    read: ({ id }: Batch) => findBatch(table, owner, id),
    attend: ({ id }: Batch, isOver = () => false) =>
      attendBatch({ ...context, files, now, isOver }, batchKey(owner, id)),
    discard: async (batch: Batch) => discardBatch(table, batch, now()),
    async sweep(isOver = () => false) {
      const sweep = {
        table,
        files,
        system,
        connector,
        addressesOf: () => noAddresses,
        now,
        isOver,
      };
      return advanceJobs({ ...sweep, windows: [], leftMs: () => 3_600_000 });
    },
    async expectExact(batch: Batch): Promise<void> {
      const { state } = await judgeAccount(table, accountOf(batch));
      const { time } = await findQuota(table, accountOf(batch));
      const isBalanced = time.granted === time.left + time.held + time.used;
      if (state !== 'sound' || !isBalanced) throw new Error(`The account is ${state}.`);
    },
    quota: (batch: Batch) => findQuota(table, accountOf(batch)),
  };
}

/**
 * Measures answers over HTTP, as clients see them. All kinds send the same zip. They alternate, so
 * that whatever else the machine does meets all kinds alike.
 */
async function measureAnswers(jobs: number, rounds: number): Promise<Figure[]> {
  const edition = await startLaptopEdition(createTemporaryFolder(), { SYSTEMS: 'simulated' });
  const body = new Uint8Array(buildStudy(jobs));
  const post = async (user: string, path: string, change: Readonly<Record<string, string>>) => {
    const headers = describeJob(change);
    const began = performance.now();
    const made = await edition.call(user, path, { method: 'POST', headers, body });
    return { ms: performance.now() - began, made };
  };
  const kinds = {
    job: () => post(other, '/jobs/hpc_one/', {}),
    count: () => post(owner, '/batches/hpc_one/', { count: String(jobs) }),
    table: () =>
      post(owner, '/batches/hpc_one/', {
        table: 'params.csv',
        command: 'run {alpha} {method} {index}',
      }),
  };
  const taken: Record<keyof typeof kinds, number[]> = { job: [], count: [], table: [] };
  for (let round = -3; round < rounds; round += 1) {
    for (const kind of ['job', 'count', 'table'] as const) {
      const { ms, made } = await kinds[kind]();
      if (round >= 0) taken[kind].push(ms);
      if (kind !== 'job') await takeBack(edition, v.parse(Made, made));
    }
  }
  await edition.stop();
  const [job, count, table] = [median(taken.job), median(taken.count), median(taken.table)];
  process.stdout.write(
    formatTable([
      ['answer', 'ms', 'to one job'],
      ['one job', job.toFixed(2), ''],
      [`${jobs} by number`, count.toFixed(2), (count / job).toFixed(2)],
      [`${jobs} by table`, table.toFixed(2), (table / job).toFixed(2)],
    ]),
  );
  return [
    { name: 'batches.answer.count', value: count / job },
    { name: 'batches.answer.table', value: table / job },
  ];
}

const Made = v.object({ batch_id: v.string(), project_name: v.string() });
const Ended = v.object({ end_date: v.nullable(v.string()) });

/** Cancels a batch before most of its jobs exist, and waits until nothing more is done for it. */
async function takeBack(
  edition: LaptopEdition,
  { batch_id: id, project_name: project }: v.InferOutput<typeof Made>,
): Promise<void> {
  const path = `/batches/hpc_one/${project}/${id}/`;
  await edition.call(owner, `${path}?only=cancel`, { method: 'DELETE' });
  await pollUntil('the batch has ended', 120, async () => {
    const { end_date: end } = v.parse(Ended, await edition.call(owner, path));
    return end === null ? undefined : true;
  });
}

/** Packs a program and a table with a row for each job. */
function buildStudy(jobs: number): Buffer {
  const rows = Array.from(
    { length: jobs },
    (_, row) => `${row / 1000},method-${row % 7},${row % 10 ? 'plain' : '"a, b"'}`,
  );
  const content = `alpha,method,note\n${rows.join('\n')}\n`;
  return buildZip([{ name: 'params.csv', content }, { name: 'run.py' }]);
}

/** The steps in the life of a batch, each until all its jobs have taken it. */
function listSteps(study: Study) {
  let made: Batch | undefined;
  const batch = () => {
    if (!made) throw new Error('There is no batch.');
    return made;
  };
  const steps = {
    accepted: async () => {
      made = await study.submitMany();
    },
    created: () => study.attend(batch()),
    'handed-over': () => study.sweep(),
    ended: async () => {
      for (let round = 0; round < 50; round += 1) {
        if ((await study.read(batch())).counts.done === study.jobs) return;
        study.pass(3600);
        await study.sweep();
      }
      throw new Error('Not all jobs have ended.');
    },
  };
  return { batch, steps: Object.entries(steps) };
}

/** Enough for the units of one job, without what the simulated system stores. */
const meteredJobs = 990;

/** Counts the write units of each step for one job, on a table of its own. */
async function measureUnits(): Promise<Map<string, number>> {
  const { table, close } = await openInProcessTable('units');
  const system = await openInProcessTable('system');
  const { cost } = meter(table);
  const { steps } = listSteps(openStudy(table, meteredJobs, system.table));
  const units = new Map<string, number>();
  for (const [name, act] of steps) units.set(name, (await cost(act)).writeUnits / meteredJobs);
  await close();
  await system.close();
  return units;
}

async function measureLife(bench: Study, units: Map<string, number>): Promise<Figure[]> {
  const { jobs } = bench;
  // The single jobs that were measured end first.
  for (let hour = 0; hour < 3; hour += 1) {
    await bench.sweep();
    bench.pass(3600);
  }
  const { batch, steps } = listSteps(bench);
  const rows = [[`${jobs} jobs`, 'seconds', 'write units a job']];
  const figures: Figure[] = [];
  for (const [name, act] of steps) {
    const began = performance.now();
    await act();
    const seconds = (performance.now() - began) / 1000;
    const perJob = units.get(name) ?? Number.NaN;
    rows.push([name, seconds.toFixed(1), perJob.toFixed(2)]);
    figures.push({ name: `batches.${name}.seconds`, value: seconds, unit: 's' });
    figures.push({ name: `batches.${name}.write-units`, value: perJob });
    await bench.expectExact(batch());
  }
  const { counts, held, usedSeconds } = await bench.read(batch());
  if (counts.done !== jobs || held.seconds !== 0) throw new Error('The counts are wrong.');
  const { time, activeJobs } = await bench.quota(batch());
  if (time.held !== 0 || activeJobs !== 0) throw new Error('Something is still held.');
  process.stdout.write(formatTable(rows));
  process.stdout.write(`${counts.done} done, ${usedSeconds} seconds used, account exact\n`);
  return figures;
}

/** Cancels when half of the jobs exist and some of them were handed over. */
async function measureCancel(bench: Study): Promise<Figure[]> {
  const { jobs } = bench;
  const batch = await bench.submitMany();
  let groups = 0;
  await bench.attend(batch, () => {
    groups += 1;
    return groups > jobs / 33 / 2;
  });
  let pages = 0;
  await bench.sweep(() => {
    pages += 1;
    return pages > 4;
  });
  const before = await bench.quota(batch);
  const began = performance.now();
  const cancelled = await bench.discard(await bench.read(batch));
  const answered = performance.now() - began;
  await bench.expectExact(batch);
  await bench.attend(batch);
  const seconds = (performance.now() - began) / 1000;
  const { counts, held } = await bench.read(batch);
  const { time, space, activeJobs } = await bench.quota(batch);
  if (counts.cancelled !== jobs || held.seconds + held.kilobytes + time.held + activeJobs > 0) {
    throw new Error('The cancelled batch still holds something.');
  }
  if (time.left - before.time.left !== before.time.held - (time.used - before.time.used)) {
    throw new Error('Not everything was given back once.');
  }
  await bench.expectExact(batch);
  process.stdout.write(
    `cancelled with ${cancelled.unfolded} of ${jobs} jobs created: answered in ${answered.toFixed(1)} ms, ` +
      `all given back once after ${seconds.toFixed(1)} s, ${space.held} KB held\n`,
  );
  return [{ name: 'batches.cancel.seconds', value: seconds, unit: 's' }];
}
