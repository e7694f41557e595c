import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { listeners } from '#functions/listeners.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { Connector, JobOrder } from '#lib/hpc/connector.ts';
import { JobRefusedError, SystemBusyError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { advanceDue, advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { dueKeys, handOversOf, jobLifeKey } from '#lib/table/keys.ts';
import { changeItem } from '#lib/table/writes.ts';
import { tableForEach } from '../engines/use-table.ts';
import { arrayName, putIntoArray } from '../fixtures/array-jobs.ts';
import { createWorld, expectAccountAddsUp } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const owner = userId('1');

const table = tableForEach();

const lifeOf = (job: Job) => findLife(table, accountOf(job), job.jobId);
const handlesOf = (jobs: readonly Job[]) =>
  Promise.all(jobs.map(async (job) => (await lifeOf(job)).handle));

interface Call {
  readonly tasks: readonly (number | undefined)[];
  readonly again: boolean;
  readonly after: string | undefined;
}

type SubmitArray = NonNullable<Connector['submitArray']>;

/** A world whose system has arrays, on which a test can change how they are accepted. */
function createArrayWorld(change: { array?: SubmitArray; single?: Connector['submit'] } = {}) {
  const arrays: Call[] = [];
  const singles: JobOrder[] = [];
  const looks: number[] = [];
  const known = new Map<string, string>();
  const submitArray: SubmitArray = async (orders, again) => {
    const tasks = orders.map(({ array }) => array?.task);
    arrays.push({ tasks, again, after: orders[0]?.after });
    if (change.array) return change.array(orders, again);
    return accept(orders);
  };
  const accept = (orders: readonly JobOrder[]) =>
    new Map(
      orders.map(({ jobId, array }) => {
        const handle = known.get(jobId) ?? `${arrays.length}_${array?.task}`;
        known.set(jobId, handle);
        return [jobId, handle];
      }),
    );
  const world = createWorld(table, systemName('hpc_one'), (connector) => ({
    ...connector,
    submitArray,
    async submit(order) {
      singles.push(order);
      const handle = change.single ? await change.single(order) : `S${order.array?.task}`;
      known.set(order.jobId, handle);
      return handle;
    },
    findByTag: async ({ jobId }) => known.get(jobId),
    async lookUp(jobs) {
      looks.push(jobs.length);
      return new Map(jobs.map(({ jobId }) => [jobId, { state: 'unknown' }]));
    },
    cancel: async () => undefined,
  }));
  // The kind says how many jobs an array can have.
  const slurm = { kind: 'slurm', baseUrl: 'http://x', partition: 'p', workDirectory: '/' } as const;
  const system: HpcSystem = { ...world.system, connector: slurm };
  const plan = () => ({ ...world.plan(), system });
  const sweep = () => advanceJobs(plan());
  async function submitJobs(count: number, atOnce?: number): Promise<Job[]> {
    const jobs: Job[] = [];
    for (let index = 0; index < count; index += 1) jobs.push(await world.submit(owner));
    await putIntoArray(table, jobs, atOnce);
    return jobs;
  }
  return { ...world, plan, looks, arrays, singles, known, sweep, accept, submitJobs };
}

describe('jobs of one array', () => {
  it('are handed over by one call, each with its own handle', async () => {
    const world = createArrayWorld();
    const jobs = await world.submitJobs(6);
    const single = await world.submit(owner);
    expect(await world.sweep()).toBe(7);
    expect(world.arrays).toEqual([{ tasks: [0, 1, 2, 3, 4, 5], again: false, after: undefined }]);
    expect(world.singles.map(({ jobId }) => jobId)).toEqual([single.jobId]);
    expect(await handlesOf(jobs)).toEqual(['1_0', '1_1', '1_2', '1_3', '1_4', '1_5']);
    expect((await lifeOf(jobs[3]!)).handOvers).toEqual([{ at: world.now() }]);
    expect(await world.sweep()).toBe(0);
  });

  it('are handed over without those that were cancelled meanwhile', async () => {
    const world = createArrayWorld();
    const jobs = await world.submitJobs(4);
    for (const job of [jobs[0]!, jobs[2]!]) {
      await deleteJob(table, accountOf(job), job.jobId, world.now());
    }
    await world.sweep();
    expect(world.arrays).toMatchObject([{ tasks: [1, 3] }]);
    for (const job of jobs) await expectAccountAddsUp(table, job);
  });

  it('are one array if several processes find them due', async () => {
    const world = createArrayWorld();
    const jobs = await world.submitJobs(20, 4);
    await Promise.all([world.sweep(), world.sweep(), world.sweep(), world.sweep()]);
    expect(world.arrays).toHaveLength(1);
    expect(new Set(await handlesOf(jobs)).size).toBe(20);
  });

  it('wait until all of them are due', async () => {
    const world = createArrayWorld();
    const jobs = await world.submitJobs(3);
    const { id, jobId } = jobs[2]!;
    const Key = jobLifeKey(accountOf(jobs[2]!), jobId);
    await changeItem(table, Key, { set: { due: undefined, due_at: undefined } });
    expect(await world.sweep()).toBe(0);
    const keys = dueKeys(handOversOf(jobs[2]!.project.hpc), world.now(), id);
    await changeItem(table, Key, { set: keys });
    expect(await world.sweep()).toBe(3);
    expect(world.arrays).toMatchObject([{ tasks: [0, 1, 2] }]);
  });

  it('are handed over with what the function that the bus calls may do', async () => {
    const world = createArrayWorld();
    const jobs = await world.submitJobs(3);
    const due = jobs.map((job) => ({
      ...jobLifeKey(accountOf(job), job.jobId),
      dueAt: job.submittedAt.toISOString(),
    }));
    const used = new Set<string>();
    table.client.middlewareStack.add(
      (next, { commandName = '' }) =>
        (parameters) => {
          used.add(commandName.replace(/Command$/, ''));
          return next(parameters);
        },
      { step: 'initialize' },
    );
    await advanceDue(world.plan(), due);
    expect(world.arrays).toHaveLength(1);
    const { actions } = listeners['hand-over-jobs'].table;
    expect([...used].filter((action) => !actions.some((each) => each === action))).toEqual([]);
    expect(used).toContain('Query');
  });

  it('are asked for together after they were cancelled, and cost nothing if none ran', async () => {
    const world = createArrayWorld();
    const jobs = await world.submitJobs(6);
    await world.sweep();
    for (const job of jobs) await deleteJob(table, accountOf(job), job.jobId, world.now());
    await world.sweep();
    expect(world.looks).toEqual([6]);
    for (const job of jobs) {
      await expectAccountAddsUp(table, job);
      expect((await lifeOf(job)).reason).toBe(
        'Cancelled by its owner. The HPC system no longer has it, and it was never seen running, ' +
          'so nothing is charged.',
      );
    }
  });

  it('are a single job if only one is left', async () => {
    const world = createArrayWorld();
    const [job] = await world.submitJobs(1);
    await world.sweep();
    expect(world.arrays).toEqual([]);
    expect(world.singles).toMatchObject([{ jobId: job?.jobId, array: { name: arrayName } }]);
  });
});

describe('an array that is not accepted', () => {
  it('is handed over job by job, and only a job at fault fails', async () => {
    const refused = new JobRefusedError('No such thing.');
    const world = createArrayWorld({
      array: () => Promise.reject(refused),
      single: async ({ array }) => {
        if (array?.task === 2) throw refused;
        return `S${array?.task}`;
      },
    });
    const jobs = await world.submitJobs(4);
    expect(await world.sweep()).toBe(4);
    expect(world.arrays).toHaveLength(1);
    expect(await handlesOf(jobs)).toEqual(['S0', 'S1', undefined, 'S3']);
    const failed = await findJob(table, accountOf(jobs[2]!), jobs[2]!.jobId);
    expect(failed).toMatchObject({ terminal: true, failed: true });
    for (const job of jobs) await expectAccountAddsUp(table, job);
  });

  it('is handed over in lanes, so that no more run at once than may', async () => {
    const world = createArrayWorld({ array: () => Promise.reject(new JobRefusedError('No.')) });
    await world.submitJobs(7, 3);
    await world.sweep();
    const lanes = world.singles
      .toSorted((one, other) => one.array!.task - other.array!.task)
      .map(({ after }) => after);
    expect(lanes).toEqual([undefined, undefined, undefined, 'S0', 'S1', 'S2', 'S3']);
  });

  it.each([
    { error: new SystemBusyError('Full.', 100), seconds: 100 },
    { error: new SystemUnavailableError('Away.'), seconds: 2 },
  ])('is tried again as a whole ($error.message)', async ({ error, seconds }) => {
    const change: { array?: SubmitArray } = { array: () => Promise.reject(error) };
    const world = createArrayWorld(change);
    const jobs = await world.submitJobs(3);
    await world.sweep();
    expect((await lifeOf(jobs[1]!)).handOvers).toMatchObject([{ reason: expect.any(String) }]);
    delete change.array;
    world.pass(seconds);
    await world.sweep();
    expect(world.arrays).toMatchObject([
      { tasks: [0, 1, 2], again: false },
      { tasks: [0, 1, 2], again: true },
    ]);
    expect(await handlesOf(jobs)).toEqual(['2_0', '2_1', '2_2']);
  });

  it('is not asked for job after job once the system accepts no more', async () => {
    let room = 2;
    const world = createArrayWorld({
      array: () => Promise.reject(new JobRefusedError('Too many jobs.')),
      single: async ({ array }) => {
        room -= 1;
        if (room < 0) throw new SystemBusyError('Full.', 100);
        return `S${array?.task}`;
      },
    });
    const jobs = await world.submitJobs(20);
    await world.sweep();
    expect((await handlesOf(jobs)).filter((handle) => handle !== undefined)).toHaveLength(2);
    // Eight are handed over at once.
    expect(world.singles.length).toBeLessThanOrEqual(10);
    room = 18;
    world.pass(100);
    await world.sweep();
    expect(await handlesOf(jobs)).toEqual(jobs.map((_, task) => `S${task}`));
  });

  it('as a whole is completed later, after what was accepted', async () => {
    const change: { array?: SubmitArray } = {};
    const world = createArrayWorld(change);
    change.array = async (orders) => world.accept(orders.slice(0, 2));
    const jobs = await world.submitJobs(5, 2);
    await world.sweep();
    expect(await handlesOf(jobs)).toEqual(['1_0', '1_1', undefined, undefined, undefined]);
    expect((await lifeOf(jobs[4]!)).reason).toBe(
      'The HPC system accepted only a part of the batch so far. It will be tried again.',
    );
    delete change.array;
    world.pass(2);
    await world.sweep();
    expect(world.arrays[1]).toEqual({ tasks: [2, 3, 4], again: true, after: '1_1' });
    expect(await handlesOf(jobs)).toEqual(['1_0', '1_1', '2_2', '2_3', '2_4']);
  });
});

describe('an array whose hand-over was cut off', () => {
  it('is found job by job if the system has it', async () => {
    const change: { array?: SubmitArray } = {};
    const world = createArrayWorld(change);
    change.array = (orders) => {
      world.accept(orders);
      return new Promise(() => undefined);
    };
    const jobs = await world.submitJobs(3);
    void world.sweep();
    while (world.arrays.length === 0) await nextTurn();
    world.pass(200);
    expect(await world.sweep()).toBe(0);
    world.pass(200);
    expect(await world.sweep()).toBe(3);
    expect(world.singles).toEqual([]);
    expect(await handlesOf(jobs)).toEqual(['1_0', '1_1', '1_2']);
  });

  it('is handed over job by job if it has not, and a job that cuts off thrice fails', async () => {
    const never = () => new Promise<never>(() => undefined);
    const world = createArrayWorld({
      array: never,
      single: ({ array }) => (array?.task === 1 ? never() : Promise.resolve(`S${array?.task}`)),
    });
    const jobs = await world.submitJobs(3);
    void world.sweep();
    while (world.arrays.length === 0) await nextTurn();
    for (let round = 0; round < 2; round += 1) {
      world.pass(400);
      const before = world.singles.length;
      void world.sweep();
      while (world.singles.length === before || !(await lifeOf(jobs[0]!)).handle) await nextTurn();
      while (!world.singles.some(({ array }) => array?.task === 1)) await nextTurn();
    }
    world.pass(400);
    await world.sweep();
    expect(await handlesOf(jobs)).toEqual(['S0', undefined, 'S2']);
    const failed = await findJob(table, accountOf(jobs[1]!), jobs[1]!.jobId);
    expect(failed).toMatchObject({ terminal: true, failed: true });
    expect((await lifeOf(jobs[1]!)).reason).toContain('could not be handed over: 3 times in a row');
  });
});
