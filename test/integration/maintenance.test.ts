import { describe, expect, it } from 'vitest';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { releaseHeld } from '#lib/jobs/run/hand-over/waiting-jobs.ts';
import {
  announceWindow,
  pauseSystem,
  resumeSystem,
  withdrawWindow,
} from '#lib/systems/change-maintenance.ts';
import { createMaintenanceKeeper, type ReportedWindow } from '#lib/systems/keep-maintenance.ts';
import type { MaintenanceWindow } from '#lib/systems/maintenance.ts';
import { readMaintenance, readWindows } from '#lib/systems/read-maintenance.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { tableForEach } from '../engines/use-table.ts';
import { putIntoArray } from '../fixtures/array-jobs.ts';
import { createWorld, expectAccountAddsUp } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const hpc = systemName('hpc_one');
const owner = userId('1');
const by = '100001';

/** A kind that has arrays. */
const slurm: HpcSystem['connector'] = {
  kind: 'slurm',
  baseUrl: 'https://slurm.example.org',
  partition: 'batch',
  workDirectory: '/scratch',
};

const table = tableForEach();

const lifeOf = (job: Job) => findLife(table, accountOf(job), job.jobId);
const stageOf = async (job: Job) => (await findJob(table, accountOf(job), job.jobId)).stage;

/** A world whose sweeps know the windows, and keep them, as track-jobs does. */
function createMaintainedWorld(
  wrap?: (connector: Connector) => Connector,
  change?: Parameters<typeof createWorld>[4],
) {
  const world = createWorld(table, hpc, wrap, undefined, change);
  const keep = createMaintenanceKeeper(table);
  let reported: readonly ReportedWindow[] | undefined;
  return {
    ...world,
    async sweep() {
      const stored = await readMaintenance(table, hpc);
      const keeping = {
        releaseHeld: () => releaseHeld(table, hpc, world.now()),
        readReported: async () => reported,
      };
      await keep(world.system, stored, keeping, world.now());
      return advanceJobs({ ...world.plan(), windows: stored.windows });
    },
    report(windows: readonly ReportedWindow[]) {
      reported = windows;
    },
    in: (seconds: number) => addSeconds(world.now(), seconds),
    announce: (window: Partial<MaintenanceWindow> & { from: Date }, name = 'firmware') =>
      announceWindow(
        table,
        { hpc, name, by, window: { reason: 'New firmware', drains: true, ...window } },
        world.now(),
      ),
    tellReason: async (job: Job) =>
      (await readTimeline(table, accountOf(job), job.jobId, world.now())).life.reason,
  };
}

describe('a maintenance', () => {
  it('finds a running, a queued and a new job: the first two go on, the new one waits', async () => {
    const world = createMaintainedWorld();
    const running = await world.submit(owner);
    await world.sweep();
    world.pass(10);
    await world.sweep();
    expect(await stageOf(running)).toBe('RUNNING');
    const queued = await world.submit(owner);
    await world.sweep();
    expect((await lifeOf(queued)).handle).toBeDefined();

    const [from, until] = [world.in(600), world.in(4200)];
    await world.announce({ from, until });
    // Half an hour does not fit into ten minutes; five minutes do.
    const long = await world.submit(owner);
    const short = await world.submit(owner, { requestedRuntime: 1 / 12 });
    await world.sweep();
    expect(await lifeOf(long)).toMatchObject({ held: true, dueAt: until, claims: 0 });
    expect((await lifeOf(long)).handle).toBeUndefined();
    expect((await lifeOf(short)).handle).toBeDefined();
    expect(await world.tellReason(long)).toBe(
      'The job waits for the maintenance from 2026-01-01 00:10 UTC to 2026-01-01 01:10 UTC: New firmware. Ask for at most 0.1 hours to run before.',
    );

    world.pass(620);
    const late = await world.submit(owner, { requestedRuntime: 1 / 12 });
    for (let sweeps = 0; sweeps < 30; sweeps += 1) {
      await world.sweep();
      world.pass(60);
    }
    for (const job of [running, queued, short]) expect(await stageOf(job)).toBe('SUCCESSFUL');
    for (const job of [long, late]) expect((await lifeOf(job)).handle).toBeUndefined();

    world.pass(2400);
    await world.sweep();
    expect((await readMaintenance(table, hpc)).windows).toEqual([]);
    for (const job of [long, late]) {
      expect((await lifeOf(job)).held).toBeUndefined();
      expect((await lifeOf(job)).handle).toBeDefined();
      expect(await world.tellReason(job)).toBeFalsy();
      expect((await world.runToEnd(job)).at(-1)).toBe('SUCCESSFUL');
    }
    await expectAccountAddsUp(table, long);
  });

  it('lets a job be cancelled, whether it waits here or is on the system', async () => {
    const world = createMaintainedWorld();
    const running = await world.submit(owner);
    await world.sweep();
    await pauseSystem(table, { hpc, by, reason: 'The cooling has failed.' }, world.now());
    const waiting = await world.submit(owner);
    await world.sweep();
    for (const job of [running, waiting]) {
      await deleteJob(table, accountOf(job), job.jobId, world.now());
    }
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      world.pass(60);
      await world.sweep();
    }
    for (const job of [running, waiting]) {
      expect(await stageOf(job)).toBe('CANCELED');
      expect((await lifeOf(job)).dueAt).toBeUndefined();
    }
    await expectAccountAddsUp(table, waiting);
  });

  it('that is withdrawn releases its jobs, also one that was held back by an old reading', async () => {
    const world = createMaintainedWorld();
    await world.announce({ from: world.in(60), until: world.in(90_000) });
    const [first, second] = [await world.submit(owner), await world.submit(owner)];
    await world.sweep();
    await withdrawWindow(
      table,
      { hpc, name: 'firmware', by, reason: 'It is postponed.' },
      world.now(),
    );
    await world.sweep();
    expect((await lifeOf(first)).handle).toBeDefined();
    const third = await world.submit(owner);
    // As a container does that has not read the windows again.
    const window = { name: 'old', source: 'administrator', reason: '', drains: true } as const;
    const windows = [{ ...window, from: world.now(), until: world.in(90_000) }];
    await advanceJobs({ ...world.plan(), windows });
    world.pass(61);
    await world.sweep();
    for (const job of [second, third]) expect((await lifeOf(job)).handle).toBeDefined();
    expect((await readMaintenance(table, hpc)).judgeAgainSince).toBeUndefined();
  });

  it('pauses and resumes at once', async () => {
    const world = createMaintainedWorld();
    await pauseSystem(table, { hpc, by, reason: 'The cooling has failed.' }, world.now());
    const job = await world.submit(owner);
    await world.sweep();
    expect(await world.tellReason(job)).toBe(
      'The job waits until the system is resumed: The cooling has failed.',
    );
    await resumeSystem(table, { hpc, by, reason: 'It works again.' });
    await world.sweep();
    expect((await lifeOf(job)).handle).toBeDefined();
  });

  it('keeps a job from a second hand-over whose first one had got no answer', async () => {
    const submitted: string[] = [];
    const world = createMaintainedWorld((connector) => ({
      ...connector,
      async submit(order) {
        submitted.push(order.jobId);
        const handle = await connector.submit(order);
        if (submitted.length === 1) throw new SystemUnavailableError('The answer is lost.');
        return handle;
      },
    }));
    const [lost, never] = [await world.submit(owner), await world.submit(owner)];
    await world.sweep();
    await pauseSystem(table, { hpc, by, reason: 'The cooling has failed.' }, world.now());
    world.pass(20);
    await world.sweep();
    expect(submitted).toHaveLength(2);
    for (const job of [lost, never]) expect((await lifeOf(job)).handle).toBeDefined();
  });

  it('holds back all tasks of an array, and hands them over as one afterwards', async () => {
    const arrays: number[] = [];
    const takeArrays = (connector: Connector): Connector => ({
      ...connector,
      async submitArray(orders) {
        arrays.push(orders.length);
        return new Map(orders.map(({ jobId, array }) => [jobId, `1_${array?.task}`]));
      },
    });
    const world = createMaintainedWorld(takeArrays, { connector: slurm });
    const until = world.in(4200);
    await world.announce({ from: world.in(60), until });
    const jobs = await Promise.all([world.submit(owner), world.submit(owner), world.submit(owner)]);
    await putIntoArray(table, jobs);
    await world.sweep();
    for (const job of jobs) expect((await lifeOf(job)).dueAt).toEqual(until);
    world.pass(4200);
    await world.sweep();
    expect(arrays).toEqual([3]);
  });
});

describe('the windows of a system', () => {
  it('are those of administrators, of the catalog and of the system, as long as they are not over', async () => {
    const entry = { from: '2026-01-01T09:00:00+01:00', until: '2026-01-01T12:00:00+01:00' };
    const maintenance = [{ ...entry, reason: 'The power supply', drain: false }];
    const world = createMaintainedWorld(undefined, { maintenance });
    await world.announce({ from: world.in(60), until: world.in(120) });
    const reserved = { name: 'maint_1', reason: 'Maintenance of 1 node' };
    world.report([{ ...reserved, from: world.in(600), until: world.in(900) }]);
    await world.sweep();
    const tell = async (system: SystemName) =>
      (await readWindows(table, [system], world.now()))
        .get(system)
        ?.map(({ source, name, drains }) => [source, name, drains]);
    expect(await tell(hpc)).toEqual([
      ['administrator', 'firmware', true],
      ['slurm', 'maint_1', true],
      ['catalog', '2026-01-01T0800Z', false],
    ]);
    world.report([]);
    world.pass(130);
    await world.sweep();
    expect((await readMaintenance(table, hpc)).windows).toMatchObject([{ source: 'catalog' }]);
  });

  it('are written only when they change', async () => {
    const world = createMaintainedWorld();
    await world.announce({ from: world.in(60), until: world.in(120) });
    await world.sweep();
    await world.announce({ from: world.in(60), until: world.in(120) });
    await world.sweep();
    expect((await readMaintenance(table, hpc)).revision).toBe(1);
  });
});
