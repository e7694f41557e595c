import { describe, expect, it } from 'vitest';
import { removeAccount } from '#lib/accounts/remove-account.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { Connector, Observation } from '#lib/hpc/connector.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { removeFiles } from '#lib/jobs/cancel/remove-files.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findLife, requestRemoval } from '#lib/jobs/life/job-life-store.ts';
import { takeResults } from '#lib/jobs/passes/take-results.ts';
import { advanceDue, advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import { tableForEach } from '../engines/use-table.ts';
import { connectors } from '../fixtures/connectors.ts';
import { createWorld } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const hpc = systemName('hpc_one');
const owner = userId('1');

const table = tableForEach();

const lifeOf = (job: Job) => findLife(table, accountOf(job), job.jobId);

async function dueKeyOf(job: Job) {
  const { dueAt } = await lifeOf(job);
  return { ...jobLifeKey(accountOf(job), job.jobId), dueAt: dueAt!.toISOString() };
}

/** A world whose system keeps jobs until they are removed, and says of each what the test says. */
function createKeeper(connector: HpcSystem['connector'] = connectors.unicore) {
  const calls: string[] = [];
  let cancels = true;
  let handOvers = 0;
  let says: Observation | Error = { state: 'living', stage: 'RUNNING' };
  let handle: string | Error = '77';
  const tell = async (call: string) => {
    if (says instanceof Error) throw says;
    calls.push(call);
  };
  const world = createWorld(
    table,
    hpc,
    (simulator): Connector => ({
      ...simulator,
      pollFloorSeconds: 5,
      async submit() {
        handOvers += 1;
        if (handle instanceof Error) throw handle;
        return handle;
      },
      findByTag: async () => undefined,
      findBegun: async () => 'begun',
      async cancel(job) {
        if (!cancels) throw away;
        await tell(`cancel ${job.handle}`);
      },
      remove: (job) => tell(`remove ${job.handle}`),
      async lookUp(asked) {
        if (says instanceof Error) throw says;
        const said = says;
        return new Map(asked.map(({ jobId }) => [jobId, said]));
      },
    }),
  );
  const system = { ...world.system, connector };
  const plan = () => ({ ...world.plan(), system });
  return {
    ...world,
    plan,
    calls,
    countHandOvers: () => handOvers,
    say(next: Observation | Error) {
      says = next;
    },
    letCancel(next: boolean) {
      cancels = next;
    },
    answerHandOver(next: string | Error) {
      handle = next;
    },
    async sweep() {
      world.pass(60);
      await advanceJobs(plan());
    },
    /** Cancels or deletes, as a request does. */
    async remove(job: Job, only?: 'delete') {
      const account = accountOf(job);
      const current = await deleteJob(table, account, job.jobId, world.now(), only);
      await removeFiles(table, world.files, current, undefined, world.now());
    },
  };
}

type Keeper = ReturnType<typeof createKeeper>;

async function submitAndEnd(world: Keeper, failed = false): Promise<Job> {
  const job = await world.submit(owner);
  await world.sweep();
  await world.sweep();
  const stage = failed ? 'FAILED' : 'SUCCESSFUL';
  world.say({ state: 'ended', stage, failed, usedSeconds: 9, endedAt: world.now() });
  await world.sweep();
  return job;
}

const away = new SystemUnavailableError('It is away.');
const aborted: Observation = { state: 'ended', stage: 'FAILED', failed: true, usedSeconds: 0 };

describe('a job that its system keeps', () => {
  it('is removed there once it is deleted here, and never again', async () => {
    const world = createKeeper();
    const job = await submitAndEnd(world);
    expect(await lifeOf(job)).toMatchObject({ systemKeeps: true, removePending: false });
    await world.sweep();
    expect(world.calls).toEqual([]);
    await world.remove(job);
    expect(await lifeOf(job)).toMatchObject({ removePending: true, dueAt: world.now() });
    await world.sweep();
    expect(world.calls).toEqual(['remove 77']);
    const life = await lifeOf(job);
    expect(life).toMatchObject({ systemKeeps: false, removePending: false });
    expect(life.dueAt).toBeUndefined();
    await world.remove(job);
    await world.sweep();
    expect(world.calls).toEqual(['remove 77']);
  });

  it('is removed as soon as the system is back', async () => {
    const world = createKeeper();
    const job = await submitAndEnd(world);
    await world.remove(job);
    world.say(away);
    await world.sweep();
    expect(await lifeOf(job)).toMatchObject({ removePending: true });
    await world.sweep();
    world.say(aborted);
    await world.sweep();
    expect(world.calls).toEqual(['remove 77']);
  });

  it('is removed when the stream tells of it, and not handed over again', async () => {
    const world = createKeeper();
    const job = await submitAndEnd(world);
    await world.remove(job);
    await advanceDue(world.plan(), [await dueKeyOf(job)]);
    expect(world.calls).toEqual(['remove 77']);
  });

  it('stays there after a cancel until it is deleted, if it had run', async () => {
    const world = createKeeper();
    const job = await world.submit(owner);
    await world.sweep();
    await world.sweep();
    await world.remove(job);
    world.say({ ...aborted, usedSeconds: 7 });
    await world.sweep();
    await world.sweep();
    expect(world.calls).toEqual(['cancel 77']);
    await world.remove(job, 'delete');
    await world.sweep();
    expect(world.calls).toEqual(['cancel 77', 'remove 77']);
  });

  it('is aborted and removed if it was cancelled during its hand-over', async () => {
    const world = createKeeper();
    world.answerHandOver(away);
    const job = await world.submit(owner);
    await world.sweep();
    expect((await lifeOf(job)).handle).toBeUndefined();
    await world.remove(job);
    world.say(aborted);
    await world.sweep();
    // The stream tells of the removal, too. It is not a hand-over.
    const before = world.countHandOvers();
    await advanceDue(world.plan(), [await dueKeyOf(job)]);
    expect(world.calls).toEqual(['cancel begun', 'remove begun']);
    expect(world.countHandOvers()).toBe(before);
    expect((await lifeOf(job)).dueAt).toBeUndefined();
  });

  it('is told of the cancel first if its quota is removed, and removed after that', async () => {
    const world = createKeeper();
    const job = await world.submit(owner);
    await world.sweep();
    await world.sweep();
    world.say(away);
    const { catalog, files, now } = world;
    const context = { table, catalog, files, time: { leftMs: () => 60_000, isOver: () => false } };
    const order = { user: owner, project: job.project, reason: 'left', by: 'admin' };
    await removeAccount(context, { ...order, withJobs: true }, now);
    expect(await lifeOf(job)).toMatchObject({ cancelPending: true, removePending: true });
    await world.sweep();
    world.say(aborted);
    world.letCancel(false);
    await world.sweep();
    expect(world.calls).toEqual([]);
    world.letCancel(true);
    await world.sweep();
    await world.sweep();
    expect(world.calls).toEqual(['cancel 77', 'remove 77']);
    expect(await lifeOf(job)).toMatchObject({ cancelPending: false, removePending: false });
  });

  it('holds up no other job if it cannot be removed', async () => {
    const world = createKeeper();
    const job = await submitAndEnd(world);
    await world.remove(job);
    world.say(new Error('A bug.'));
    const other = await world.submit(owner);
    await expect(world.sweep()).rejects.toThrow('could not be advanced');
    expect((await lifeOf(other)).handle).toBe('77');
  });
});

describe('a job whose results are here', () => {
  const movesOwnFiles = { ...connectors.unicore, movesOwnFiles: true };

  it('is removed from its system at its end', async () => {
    const world = createKeeper(movesOwnFiles);
    await submitAndEnd(world);
    await world.sweep();
    expect(world.calls).toEqual(['remove 77']);
  });

  it('is removed if it failed and announced its results, and otherwise kept', async () => {
    const world = createKeeper(movesOwnFiles);
    const silent = await submitAndEnd(world, true);
    await world.sweep();
    expect(world.calls).toEqual([]);
    world.say({ state: 'living', stage: 'RUNNING' });
    world.answerHandOver('78');
    const job = await world.submit(owner);
    await world.sweep();
    const { catalog, files } = world;
    const announced = { run: 1, isCut: true, bytes: 9, before: 0, after: 0, at: world.now() };
    const context = { table, catalog, results: files.results };
    await takeResults(context, accountOf(job), job.jobId, announced);
    world.say({ state: 'ended', stage: 'FAILED', failed: true, usedSeconds: 9 });
    await world.sweep();
    await world.sweep();
    expect(world.calls).toEqual(['remove 78']);
    await world.remove(silent);
    await world.sweep();
    expect(world.calls).toEqual(['remove 78', 'remove 77']);
  });
});

describe('a job of another kind of system', () => {
  it('is not marked for a removal there if that system keeps nothing', async () => {
    const world = createWorld(table, hpc);
    const job = await world.submit(owner);
    await world.runToEnd(job);
    await requestRemoval(table, job, world.now());
    expect(await lifeOf(job)).toMatchObject({ removePending: false });
    expect(await world.sweep()).toBe(0);
  });

  it('is not due again once it is deleted', async () => {
    const world = createKeeper(connectors.slurm);
    const job = await submitAndEnd(world);
    await world.remove(job);
    await world.sweep();
    expect(world.calls).toEqual([]);
    const life = await lifeOf(job);
    expect(life).toMatchObject({ systemKeeps: false, removePending: false });
    expect(life.dueAt).toBeUndefined();
  });
});
