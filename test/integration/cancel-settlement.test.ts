import { describe, expect, it } from 'vitest';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { removeAccount } from '#lib/accounts/remove-account.ts';
import { readAudit } from '#lib/audit/read-audit.ts';
import { makeBatchId } from '#lib/batches/batch.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { Connector, Observation } from '#lib/hpc/connector.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { deleteAnyJob, deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { cancelUnsettled, endJob, settleCancelled } from '#lib/jobs/life/end-job.ts';
import { findLife, postponeCancel, saveLife } from '#lib/jobs/life/job-life-store.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { beginHandOver } from '#lib/jobs/run/hand-over/begin-hand-over.ts';
import { releaseChecks } from '#lib/jobs/run/hand-over/waiting-jobs.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createBatchWorld, noInput } from '../fixtures/batch-world.ts';
import { createWorld, expectAccountAddsUp, readLedger } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const hpc = systemName('hpc_one');
const owner = userId('1');
const aDay = 24 * 60 * 60;

/** Two nodes for half an hour. */
const held = 3600;

const table = tableForEach();

const reload = (job: Job) => findJob(table, accountOf(job), job.jobId);
const timeOf = async (job: Job) => (await findQuota(table, accountOf(job))).time;
const reasonOf = async (job: Job) =>
  (await readTimeline(table, accountOf(job), job.jobId)).life.reason;
const settlementsOf = async (job: Job) =>
  (await readLedger(table, job)).filter(({ kind }) => kind === 'settle');

const slurm: HpcSystem['connector'] = {
  kind: 'slurm',
  baseUrl: 'https://slurm.example.org',
  partition: 'batch',
  workDirectory: '/scratch',
};

type Says = Observation | Error | undefined;

/** A world whose Slurm takes jobs, and then says of each what the test says. */
function createSlurm(connectorSettings: HpcSystem['connector'] = slurm) {
  let says: Says = { state: 'living', stage: 'RUNNING' };
  const cancelled: string[] = [];
  const answer = async <T>(give: (observation: Observation | undefined) => T): Promise<T> => {
    if (says instanceof Error) throw says;
    return give(says);
  };
  const world = createWorld(
    table,
    hpc,
    (connector): Connector => ({
      ...connector,
      pollFloorSeconds: 5,
      submit: async () => '77',
      findByTag: () => answer(() => undefined),
      cancel: ({ handle }) => answer(() => void cancelled.push(handle)),
      lookUp: (asked) =>
        answer((said) => new Map(said ? asked.map(({ jobId }) => [jobId, said]) : [])),
    }),
  );
  const system = { ...world.system, connector: connectorSettings };
  return {
    ...world,
    cancelled,
    say(next: Says) {
      says = next;
    },
    sweep: () => advanceJobs({ ...world.plan(), system }),
    plan: () => ({ ...world.plan(), system }),
    cancel: (job: Job) => deleteJob(table, accountOf(job), job.jobId, world.now()),
    /** Handed over, and seen running for so long. */
    async run(seconds: number): Promise<Job> {
      const job = await world.submit(owner);
      await this.sweep();
      world.pass(5);
      await this.sweep();
      world.pass(seconds);
      return job;
    },
  };
}

const away = new SystemUnavailableError('The controller is down.');

function ended(usedSeconds: number, endedAt: Date) {
  return { state: 'ended', stage: 'FAILED', failed: true, usedSeconds, endedAt } as const;
}

describe('a job that is cancelled on a system that counts its time', () => {
  it('is charged what it ran, also where the system hears of the cancel much later', async () => {
    const world = createSlurm();
    const job = await world.run(28);
    world.say(away);
    expect(await world.cancel(job)).toMatchObject({ stage: 'CANCELED', terminal: true });
    await world.sweep();
    expect(await timeOf(job)).toMatchObject({ held, used: 0 });
    expect(await reasonOf(job)).toBe(
      'Cancelled by its owner. The time that it ran is charged as soon as the HPC system tells it.',
    );
    world.pass(134);
    const measured = { cpuSeconds: 300, cores: 2 };
    world.say({ ...ended(167, world.now()), measured });
    await world.sweep();
    expect(world.cancelled).toEqual(['77']);
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 334 });
    expect(await reasonOf(job)).toBe(
      'Cancelled by its owner. It ran on for 134 seconds, until the HPC system could be told.',
    );
    expect(await settlementsOf(job)).toMatchObject([
      { used: 334, ran: 167, outcome: 'cancelled', reason: 'CANCELED: 334 of 3600 seconds used' },
    ]);
    expect(await reload(job)).not.toHaveProperty('awaitsSettlement');
    expect(await reload(job)).toMatchObject({ ranSeconds: 167 });
    expect(await findLife(table, accountOf(job), job.jobId)).toMatchObject({ measured });
    await expectAccountAddsUp(table, job);
  });

  it('adds up at every moment, and is asked for until it has ended there', async () => {
    const world = createSlurm();
    const job = await world.run(10);
    await world.cancel(job);
    for (const says of [away, { state: 'living', stage: 'STAGINGOUT' } as const, undefined]) {
      world.say(says);
      await world.sweep();
      expect(await timeOf(job)).toMatchObject({ held, used: 0 });
      expect(await judgeAccount(table, accountOf(job))).toEqual({ state: 'sound' });
      await expectAccountAddsUp(table, job);
      world.pass(50);
    }
    world.say(ended(12, world.now()));
    await world.sweep();
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 24 });
    expect(await judgeAccount(table, accountOf(job))).toEqual({ state: 'sound' });
    expect(await world.sweep()).toBe(0);
  });

  it('is asked for again after a pause, which does not make other jobs due', async () => {
    const world = createSlurm();
    const [job, other] = [await world.run(10), await world.run(10)];
    const dueOf = async (one: Job) => (await findLife(table, accountOf(one), one.jobId)).dueAt;
    await world.cancel(job);
    world.say({ state: 'living', stage: 'STAGINGOUT' });
    await world.sweep();
    const pause = new Date(world.now().getTime() + 5000);
    expect(await dueOf(job)).toEqual(pause);
    const before = await dueOf(other);
    await postponeCancel(table, other, world.now());
    expect(await dueOf(other)).toEqual(before);
  });

  it('is charged also where nobody has seen it running', async () => {
    const world = createSlurm();
    const job = await world.submit(owner);
    await world.sweep();
    world.pass(4);
    await world.cancel(job);
    world.say(ended(4, world.now()));
    await world.sweep();
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 8 });
  });

  it('is settled once, whoever comes to it at the same time and however often it is cancelled', async () => {
    const world = createSlurm();
    const job = await world.run(10);
    const canceled = await world.cancel(job);
    expect(await world.cancel(job)).toEqual(canceled);
    world.say(ended(10, world.now()));
    await Promise.all([world.sweep(), world.sweep(), world.cancel(job)]);
    world.pass(aDay);
    await world.sweep();
    await world.cancel(job);
    expect(await settlementsOf(job)).toHaveLength(1);
    await expectAccountAddsUp(table, job);
  });

  it.each([
    {
      what: 'no longer knows it',
      says: { state: 'unknown' } as const,
      after: 1,
      why: 'The HPC system no longer knows how long it ran, so it is charged until the cancel.',
    },
    {
      what: 'does not answer for a day',
      says: away,
      after: aDay,
      why: 'The HPC system could not be asked how long it ran, so it is charged until the cancel.',
    },
    {
      what: 'does not end it within a day',
      says: { state: 'living', stage: 'RUNNING' } as const,
      after: aDay,
      why: 'The HPC system could not be asked how long it ran, so it is charged until the cancel.',
    },
  ])('is charged until then where the system $what, and says so', async (each) => {
    const world = createSlurm();
    const job = await world.run(30);
    await world.cancel(job);
    world.say(each.says);
    world.pass(each.after - 1);
    await world.sweep();
    if (each.after > 1) expect(await timeOf(job)).toMatchObject({ held, used: 0 });
    world.pass(60);
    await world.sweep();
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 60 });
    expect(await reasonOf(job)).toBe(`Cancelled by its owner. ${each.why}`);
    // It must still hear of the cancel, whenever it is back.
    world.say({ state: 'unknown' });
    world.pass(60);
    await world.sweep();
    expect(world.cancelled).toContain('77');
    world.pass(60);
    expect(await world.sweep()).toBe(0);
    await expectAccountAddsUp(table, job);
  });

  it('is in the audit if an administrator cancels it, although nothing is settled yet', async () => {
    const world = createSlurm();
    const job = await world.run(30);
    const order = { reason: 'it blocks the queue', by: 'root' };
    await deleteAnyJob(table, accountOf(job), job.jobId, order, world.now());
    expect(await timeOf(job)).toMatchObject({ held, used: 0 });
    const { entries } = await readAudit(table, { filter: {} }, 10, undefined, world.now());
    expect(entries).toMatchObject([{ kind: 'job-cancelled', by: 'root', reason: order.reason }]);
  });

  it('can be settled by another cancel after a day, where its system is not called any more', async () => {
    const world = createSlurm();
    const job = await world.run(30);
    await world.cancel(job);
    world.pass(aDay - 1);
    await world.cancel(job);
    expect(await timeOf(job)).toMatchObject({ held, used: 0 });
    world.pass(1);
    await world.cancel(job);
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 60 });
    await expectAccountAddsUp(table, job);
  });

  it('is settled at once where no hand-over has begun', async () => {
    const world = createSlurm();
    const job = await world.submit(owner);
    await world.cancel(job);
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 0 });
    await world.sweep();
    expect(await settlementsOf(job)).toHaveLength(1);
  });

  it('is settled at once with the quota that is removed with it', async () => {
    const world = createSlurm();
    const [waiting, living] = [await world.run(30), await world.run(30)];
    await world.cancel(waiting);
    const { project } = living;
    const removal = { user: owner, project, reason: 'gone', by: '100001', withJobs: true };
    const time = { leftMs: () => 60_000, isOver: () => false };
    await removeAccount({ table, files: world.files, time }, removal, world.now);
    expect(await settlementsOf(living)).toHaveLength(2);
    // The system hears of it all the same.
    await world.sweep();
    expect(world.cancelled).toEqual(['77', '77']);
    expect(await world.sweep()).toBe(0);
  });

  it('is not settled while its hand-over may still arrive', async () => {
    const world = createSlurm();
    const job = await world.submit(owner);
    const life = await findLife(table, accountOf(job), job.jobId);
    await beginHandOver(world.plan(), { job, life }, world.now(), world.now());
    await world.cancel(job);
    for (let minute = 0; minute < 15; minute += 1) {
      await world.sweep();
      expect(await timeOf(job)).toMatchObject({ held });
      world.pass(60);
    }
    await world.sweep();
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 0 });
  });

  it('is settled at once where the process that handed it over is known to be gone', async () => {
    const world = createSlurm();
    const job = await world.submit(owner);
    const life = await findLife(table, accountOf(job), job.jobId);
    await beginHandOver(world.plan(), { job, life }, world.now(), world.now());
    await world.cancel(job);
    await world.sweep();
    expect(await timeOf(job)).toMatchObject({ held });
    expect(await releaseChecks(table, hpc, world.now())).toBe(1);
    await world.sweep();
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 0 });
    expect(await settlementsOf(job)).toHaveLength(1);
    expect(await releaseChecks(table, hpc, world.now())).toBe(0);
  });
});

describe('a job of a batch that is cancelled on a system that counts its time', () => {
  it('counts as cancelled at once, and holds its time until it is settled', async () => {
    const world = createWorld(table, hpc);
    const batches = createBatchWorld(table, world);
    const batch = await batches.unfold(owner, { shape: { count: 3 }, input: noInput });
    const [, job] = await batches.listJobs(batch);
    if (!job) throw new Error('The batch has no second job.');
    await batches.start(job);
    const end = { stage: 'CANCELED', endedAt: world.now(), reason: 'Cancelled by its owner.' };
    expect(await cancelUnsettled(table, job, end, world.now())).toBe(true);
    expect((await batches.read(batch)).counts).toEqual({
      running: 0,
      done: 0,
      failed: 0,
      cancelled: 1,
    });
    await batches.expectExact(batch);
    expect(await cancelUnsettled(table, job, end, world.now())).toBe(false);
    const told = { ...end, ranSeconds: 60 };
    const canceled = await reload(job);
    // A second settlement would change the account again.
    for (const _ of ['once', 'again']) {
      await settleCancelled(table, canceled, told, { now: world.now(), isTold: true });
    }
    expect(await settlementsOf(job)).toMatchObject([{ job_id: job.jobId, batch_id: batch.id }]);
    expect(await batches.read(batch)).toMatchObject({
      counts: { cancelled: 1 },
      usedSeconds: 60,
      endedParked: 0,
    });
    await batches.expectExact(batch);
  });

  it('does not end if its batch is missing, so that no count is lost', async () => {
    const world = createWorld(table, hpc);
    const job = await world.submit(owner);
    const lost = { ...job, batch: { id: makeBatchId(world.now()), index: 0 } };
    const end = { stage: 'SUCCESSFUL', outcome: 'succeeded', ranSeconds: 1 } as const;
    await expect(
      endJob(table, lost, { ...end, endedAt: world.now() }, world.now()),
    ).rejects.toThrow(`The batch ${lost.batch.id} of job ${job.jobId} is missing.`);
    expect(await reload(job)).toMatchObject({ terminal: false });
  });
});

describe('a job that is cancelled on a system that forgets it', () => {
  it('keeps the runs that its system has told of', async () => {
    const world = createWorld(table, hpc);
    const job = await world.submit(owner);
    await world.sweep();
    const first = { number: 1, seconds: 7, isLost: true, reason: 'A node failed.' };
    const dueAt = world.now();
    await saveLife(table, job, { dueAt, handle: '77', run: 2, runs: [first] });
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    expect(await findLife(table, accountOf(job), job.jobId)).toMatchObject({
      run: 2,
      runs: [first],
    });
  });

  it('is settled at once, by the time that it was seen running', async () => {
    const world = createSlurm({ kind: 'simulator' });
    const job = await world.run(30);
    await world.cancel(job);
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 60 });
    expect(await reload(job)).not.toHaveProperty('awaitsSettlement');
  });
});

describe('a job that its system has not known for a while when it is cancelled', () => {
  it('is charged until it was no longer known, and says so', async () => {
    const world = createSlurm();
    const job = await world.run(100);
    world.say({ state: 'unknown' });
    await world.sweep();
    world.pass(600);
    await world.cancel(job);
    await world.sweep();
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 200 });
    expect(await reasonOf(job)).toBe(
      'Cancelled by its owner. The HPC system no longer knows how long it ran, so it is charged until it was no longer known.',
    );
    await expectAccountAddsUp(table, job);
  });
});

describe('a job whose system has become one of another kind', () => {
  const asSimulator = (world: ReturnType<typeof createSlurm>) =>
    advanceJobs({ ...world.plan(), system: world.system });

  async function strand() {
    const world = createSlurm();
    const job = await world.run(100);
    world.say(new Error('It was asked for a job that it does not have.'));
    await asSimulator(world);
    return { world, job };
  }

  it('waits and says why, and goes on once the kind is back', async () => {
    const { world, job } = await strand();
    world.pass(7200);
    await asSimulator(world);
    expect(await reload(job)).toMatchObject({ stage: 'RUNNING', terminal: false });
    expect(await reasonOf(job)).toBe(
      'It was handed over when hpc_one was of the kind slurm. It is of the kind simulator now and knows nothing of the job. The job goes on once the catalog has its former kind again. Otherwise cancel it.',
    );
    world.say(ended(500, world.now()));
    world.pass(60);
    await world.sweep();
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 1000 });
    await expectAccountAddsUp(table, job);
  });

  it('can be ended by an administrator, and pays until the change was noticed', async () => {
    const { world, job } = await strand();
    world.pass(3600);
    const order = { reason: 'the cluster is gone', by: 'root' };
    await deleteAnyJob(table, accountOf(job), job.jobId, order, world.now());
    await asSimulator(world);
    expect(world.cancelled).toEqual([]);
    expect(await reload(job)).toMatchObject({ stage: 'CANCELED', terminal: true });
    expect(await timeOf(job)).toMatchObject({ held: 0, used: 200 });
    expect(await reasonOf(job)).toBe(
      'Cancelled by an administrator: the cluster is gone. Its system is of another kind now, so it is charged until that was noticed.',
    );
    await expectAccountAddsUp(table, job);
    world.pass(3600);
    expect(await asSimulator(world)).toBe(0);
  });
});
