import { expect, it } from 'vitest';
import type { Connector } from '#lib/hpc/connector.ts';
import { JobRefusedError, SystemBusyError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { JobNotFoundError } from '#lib/jobs/errors.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { beginHandOver } from '#lib/jobs/run/hand-over/begin-hand-over.ts';
import { readLives } from '#lib/jobs/run/sweep/claim-jobs.ts';
import type { ActiveJob } from '#lib/jobs/run/sweep/sweep.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import { countUsers, systemName } from '#test/fixtures/names.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { createWorld, expectAccountAddsUp, readLedger } from '../fixtures/life.ts';

const rethrow = (error: unknown): never => {
  throw error;
};

onEveryEngine('the life of a job on $name', (engine) => {
  const table = tableForAll(engine);
  const newUser = countUsers();

  it.each([
    { hpc: systemName('hpc_one'), stages: ['QUEUED', 'RUNNING', 'STAGINGOUT', 'SUCCESSFUL'] },
    {
      hpc: systemName('hpc_two'),
      stages: [
        'QUEUE',
        'COMMANDRENDERING',
        'INPUTSTAGING',
        'SUBMITTED',
        'LOAD_RESULTS',
        'COMPLETED',
      ],
    },
  ])('meets every stage of $hpc in its order, and gives the unused time back', async (each) => {
    const world = createWorld(table, each.hpc);
    const job = await world.submit(newUser());
    expect(await world.runToEnd(job, 1)).toEqual(each.stages);
    const ended = await findJob(table, accountOf(job), job.jobId);
    expect(ended).toMatchObject({ terminal: true, failed: false, endedAt: expect.any(Date) });
    const { time, space } = await findQuota(table, {
      user: job.owner,
      hpc: each.hpc,
      project: job.project.name,
    });
    // Two nodes for half an hour were held, and eight tenths of it were needed.
    expect(time).toEqual({ granted: 18_000_000, left: 18_000_000 - 2880, held: 0, used: 2880 });
    expect(space).toMatchObject({ left: 10_000_000 - 5, held: 5 });
    await expectAccountAddsUp(table, job);
  });

  it('remembers each stage with its moment, each try, and the last reason', async () => {
    const failures = [new SystemUnavailableError('It does not answer.'), new JobNotFoundError()];
    const world = createWorld(table, systemName('hpc_one'), (connector) => ({
      ...connector,
      async submit(order) {
        const failure = failures.shift();
        if (failure) throw failure;
        return connector.submit(order);
      },
    }));
    const job = await world.submit(newUser(), { title: 'sim:fail' });
    const stages = await world.runToEnd(job, 1);
    const { life } = await readTimeline(table, accountOf(job), job.jobId);
    expect(life.stages.map(({ stage }) => stage)).toEqual(stages);
    const moments = life.stages.map(({ at }) => at.getTime());
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    expect(life.stages[0]?.at).toEqual(job.submittedAt);
    // What went wrong inside is not the owner's to read.
    expect(life.handOvers.map(({ reason }) => reason)).toEqual([
      'The HPC system did not answer. It will be tried again.',
      'The job could not be handed over. It will be tried again.',
      undefined,
    ]);
    expect(life.reason).toBe('The simulator was told to make this job fail.');
  });

  it('hands nothing over that another sweep has taken up since, or that was cancelled', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const job = await world.submit(newUser());
    const { PK, SK } = jobLifeKey(accountOf(job), job.jobId);
    const readJob = async () => {
      const [read] = await readLives(table, [{ PK, SK }], rethrow);
      if (!read) throw new Error('There is no life.');
      return read;
    };
    const begin = (read: ActiveJob) =>
      beginHandOver(world.plan(), read, world.now(), new Date(world.now().getTime() + 60_000));
    const first = await readJob();
    expect(await begin(first)).toMatchObject({ claims: 1, cutOffs: 0 });
    world.pass(60);
    expect(await begin(first)).toBeUndefined();
    const second = await readJob();
    // In the very moment in which its lease ends.
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    expect(await begin(second)).toBeUndefined();
    await world.sweep();
  });

  it('forgets that a job was unknown when it is known again', async () => {
    let known = false;
    const world = createWorld(table, systemName('hpc_one'), (connector) => ({
      ...connector,
      lookUp: async (jobs) =>
        new Map(
          jobs.map(({ jobId }) => [
            jobId,
            known ? { state: 'living', stage: 'RUNNING' } : { state: 'unknown' },
          ]),
        ),
    }));
    const job = await world.submit(newUser());
    await world.sweep();
    for (const seen of [false, true, false]) {
      world.pass(3000);
      known = seen;
      await world.sweep();
    }
    // An hour after the first time, and not yet an hour after the second.
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ stage: 'RUNNING' });
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    await world.sweep();
  });

  it('ends a job that fails as failed, charged for the time it ran', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const job = await world.submit(newUser(), { title: 'sim:fail' });
    expect((await world.runToEnd(job)).at(-1)).toBe('FAILED');
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ failed: true });
    await expectAccountAddsUp(table, job);
  });

  it('cancels a running job, charges the time it was seen running, and tells the system', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const job = await world.submit(newUser());
    await world.sweep();
    world.pass(2);
    await world.sweep();
    world.pass(10);
    const canceled = await deleteJob(table, accountOf(job), job.jobId, world.now());
    expect(canceled).toMatchObject({ stage: 'CANCELED', terminal: true, failed: false });
    expect(await deleteJob(table, accountOf(job), job.jobId, world.now())).toEqual(canceled);
    const tag = { jobId: job.jobId, owner: job.owner };
    expect(await world.connector.findByTag(tag)).toBe(job.jobId);
    await world.sweep();
    expect(await world.connector.findByTag(tag)).toBeUndefined();
    expect(await world.sweep()).toBe(0);
    const { time, space } = await findQuota(table, {
      user: job.owner,
      hpc: systemName('hpc_one'),
      project: job.project.name,
    });
    expect(time).toMatchObject({ held: 0, used: 20 });
    expect(space).toMatchObject({ left: 10_000_000, held: 0 });
    await expectAccountAddsUp(table, job);
  });

  it('deletes an ended job once: its record stays, its space comes back', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const job = await world.submit(newUser());
    await world.runToEnd(job);
    const deletions = await Promise.all(
      Array.from({ length: 5 }, () => deleteJob(table, accountOf(job), job.jobId, world.now())),
    );
    for (const deleted of deletions) expect(deleted).toMatchObject({ stage: 'DELETED' });
    const lines = await readLedger(table, job);
    expect(lines.filter(({ kind }) => kind === 'refund')).toHaveLength(1);
    await expectAccountAddsUp(table, job);
  });

  it('settles once when a cancel and the completion race', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const job = await world.submit(newUser());
    await world.sweep();
    world.pass(100);
    await Promise.all([
      world.sweep(),
      ...Array.from({ length: 4 }, () => deleteJob(table, accountOf(job), job.jobId, world.now())),
    ]);
    const lines = await readLedger(table, job);
    expect(lines.filter(({ kind }) => kind === 'settle')).toHaveLength(1);
    await expectAccountAddsUp(table, job);
    world.pass(120);
    await world.sweep();
  });

  it('submits once where the answer is lost, and goes on with the job that is there', async () => {
    let lost = 2;
    const world = createWorld(table, systemName('hpc_one'), (connector) => ({
      ...connector,
      async submit(order) {
        const handle = await connector.submit(order);
        lost -= 1;
        if (lost >= 0) throw new SystemUnavailableError('The answer was lost.');
        return handle;
      },
    }));
    const job = await world.submit(newUser());
    expect((await world.runToEnd(job)).at(-1)).toBe('SUCCESSFUL');
    expect(lost).toBe(1);
    await expectAccountAddsUp(table, job);
  });

  it('waits for a system that is down or busy, and changes nothing meanwhile', async () => {
    const failures = [
      new SystemUnavailableError('down'),
      new SystemBusyError('full', 30),
      new SystemUnavailableError('down'),
    ];
    const world = createWorld(table, systemName('hpc_one'), (connector) => ({
      ...connector,
      async submit(order) {
        const failure = failures.shift();
        if (failure) throw failure;
        return connector.submit(order);
      },
      lookUp: async (jobs) => {
        if (world.now().getSeconds() % 2 === 0) throw new SystemUnavailableError('down');
        return connector.lookUp(jobs);
      },
    }));
    const job = await world.submit(newUser());
    expect((await world.runToEnd(job)).at(-1)).toBe('SUCCESSFUL');
    expect(failures).toEqual([]);
    await expectAccountAddsUp(table, job);
  });

  it('fails a job that the system refuses, with its reason, and charges nothing', async () => {
    const world = createWorld(table, systemName('hpc_two'), (connector) => ({
      ...connector,
      submit: async () => {
        throw new JobRefusedError('There is no such tool.');
      },
    }));
    const job = await world.submit(newUser());
    await world.sweep();
    const ended = await findJob(table, accountOf(job), job.jobId);
    expect(ended).toMatchObject({ terminal: true, failed: true });
    expect((await findQuota(table, accountOf(job))).time).toMatchObject({ used: 0, held: 0 });
    await expectAccountAddsUp(table, job);
  });

  it('fails a job that the system has not known for an hour, and not before', async () => {
    const world = createWorld(table, systemName('hpc_one'), (connector) => ({
      ...connector,
      lookUp: async (jobs) => new Map(jobs.map(({ jobId }) => [jobId, { state: 'unknown' }])),
    }));
    const job = await world.submit(newUser());
    await world.sweep();
    world.pass(2);
    await world.sweep();
    for (let minute = 1; minute < 59; minute += 1) {
      world.pass(60);
      await world.sweep();
    }
    world.pass(110);
    await world.sweep();
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ terminal: false });
    world.pass(20);
    await world.sweep();
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ failed: true });
    await expectAccountAddsUp(table, job);
  });

  it('looks again after the lease where a look brought no news, and never below the floor', async () => {
    const looks: number[] = [];
    const world = createWorld(table, systemName('hpc_one'), (connector) => ({
      ...connector,
      pollFloorSeconds: 60,
      lookUp: async (jobs) => {
        looks.push(world.now().getTime() / 1000);
        return new Map(jobs.map(({ jobId }) => [jobId, { state: 'living', stage: 'QUEUED' }]));
      },
    }));
    const job = await world.submit(newUser());
    for (let second = 0; second < 400; second += 5) {
      await world.sweep();
      world.pass(5);
    }
    const pauses = looks.slice(1).map((at, index) => at - (looks[index] ?? 0));
    expect(looks.length).toBeGreaterThan(5);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(65);
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    await world.sweep();
  });

  it('takes a job up in one of two sweeps at the same moment', async () => {
    const submitted: string[] = [];
    const world = createWorld(table, systemName('hpc_one'), (connector: Connector) => ({
      ...connector,
      submit(order) {
        submitted.push(order.jobId);
        return connector.submit(order);
      },
    }));
    const job = await world.submit(newUser());
    await Promise.all([world.sweep(), world.sweep(), world.sweep()]);
    expect(submitted).toEqual([job.jobId]);
    world.pass(2);
    const taken = await Promise.all([world.sweep(), world.sweep(), world.sweep()]);
    expect(taken.reduce((sum, count) => sum + count)).toBe(1);
    await world.runToEnd(job);
  });
});
