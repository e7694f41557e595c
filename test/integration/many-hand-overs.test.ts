import { describe, expect, it } from 'vitest';
import type { Connector, JobOrder } from '#lib/hpc/connector.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { releaseChecks, releaseCutOff } from '#lib/jobs/run/hand-over/waiting-jobs.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import { changeItem } from '#lib/table/writes.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createWorld, expectAccountAddsUp } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const hpc = systemName('hpc_one');
const owner = userId('1');

const table = tableForEach();

type World = ReturnType<typeof createWorld>;

const lifeOf = (job: Job) => findLife(table, accountOf(job), job.jobId);
const reload = (job: Job) => findJob(table, accountOf(job), job.jobId);

/** A world in which a job is handed over as the test says. */
function createTaker(submit: (order: JobOrder) => Promise<void>): World {
  return createWorld(table, hpc, (connector) => ({
    ...connector,
    async submit(order) {
      await submit(order);
      return connector.submit(order);
    },
  }));
}

async function submitJobs({ submit }: World, count: number): Promise<Job[]> {
  const jobs: Job[] = [];
  for (let number = 0; number < count; number += 1) jobs.push(await submit(owner));
  return jobs;
}

async function countHanded(jobs: readonly Job[]): Promise<number> {
  const lives = await Promise.all(jobs.map(lifeOf));
  return lives.filter(({ handle }) => handle !== undefined).length;
}

describe('hand-overs of a sweep', () => {
  it.each([
    { said: 'nothing', setting: {}, atOnce: 8 },
    { said: '3', setting: { handOversAtOnce: 3 }, atOnce: 3 },
  ])('go on beside each other, $atOnce where the catalog says $said', async (each) => {
    let running = 0;
    let most = 0;
    const world = createTaker(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    });
    const jobs = await submitJobs(world, 20);
    const plan = world.plan();
    await advanceJobs({ ...plan, system: { ...plan.system, ...each.setting } });
    expect(most).toBe(each.atOnce);
    expect(await countHanded(jobs)).toBe(20);
  });

  it('do not keep looks waiting', async () => {
    const looked = Promise.withResolvers<void>();
    let submitted = 0;
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      async submit(order) {
        submitted += 1;
        // Over when a look has been seen: a sweep that looked later would never end.
        if (submitted > 1) await looked.promise;
        return connector.submit(order);
      },
      async lookUp(jobs) {
        looked.resolve();
        return connector.lookUp(jobs);
      },
    }));
    await submitJobs(world, 1);
    await world.sweep();
    world.pass(60);
    await submitJobs(world, 10);
    expect(await world.sweep()).toBeGreaterThanOrEqual(11);
    expect(submitted).toBe(11);
  });

  it('end when the time does, and what did not begin stays due', async () => {
    let submitted = 0;
    const world = createTaker(async () => {
      submitted += 1;
    });
    const jobs = await submitJobs(world, 30);
    const plan = { ...world.plan(), isOver: () => submitted >= 8 };
    await advanceJobs(plan);
    const handed = await countHanded(jobs);
    expect(handed).toBeGreaterThanOrEqual(8);
    expect(handed).toBeLessThan(24);
    const lives = await Promise.all(jobs.map(lifeOf));
    const left = lives.filter(({ handle }) => handle === undefined);
    expect(left.map(({ claims }) => claims)).toEqual(left.map(() => 0));
    expect(await world.sweep()).toBe(30 - handed);
    expect(await countHanded(jobs)).toBe(30);
  });

  it('go on where one job cannot be read, and say so in the end', async () => {
    const world = createTaker(async () => undefined);
    const jobs = await submitJobs(world, 3);
    const [, damaged] = jobs;
    if (!damaged) throw new Error('There is no second job.');
    await changeItem(table, jobLifeKey(accountOf(damaged), damaged.jobId), {
      set: { stages: 'none' },
    });
    await expect(world.sweep()).rejects.toThrow('could not be advanced');
    expect(await countHanded(jobs.filter((job) => job !== damaged))).toBe(2);
  });
});

describe('a hand-over that is cut off', () => {
  const never = new Promise<never>(() => undefined);

  /** A process of its own: with the first of these jobs it is gone, and all that is under way. */
  async function runUntilKilled(
    world: World,
    isDeadly: (order: JobOrder) => boolean,
    leftMs = 300_000,
  ): Promise<'killed' | 'ended'> {
    const killed = Promise.withResolvers<'killed'>();
    let isGone = false;
    const connector: Connector = {
      ...world.connector,
      async submit(order) {
        if (!isGone && isDeadly(order)) {
          isGone = true;
          killed.resolve('killed');
        }
        return isGone ? never : world.connector.submit(order);
      },
    };
    const ended = advanceJobs({ ...world.plan(), connector, leftMs: () => leftMs });
    return Promise.race([killed.promise, ended.then(() => 'ended' as const)]);
  }

  it('is shown as it is, tried again when its lease has ended, and taken once', async () => {
    const world = createTaker(async () => undefined);
    const [job] = await submitJobs(world, 1);
    if (!job) throw new Error('There is no job.');
    expect(await runUntilKilled(world, () => true)).toBe('killed');
    const tries = async () =>
      (await readTimeline(table, accountOf(job), job.jobId, world.now())).life.handOvers;
    const began = world.now();
    expect(await tries()).toEqual([{ at: began, reason: 'It is under way.' }]);
    world.pass(309);
    expect(await world.sweep()).toBe(0);
    world.pass(1);
    const cutOff = { at: began, reason: expect.stringContaining('cut off') };
    expect(await tries()).toEqual([cutOff]);
    expect(await world.sweep()).toBe(1);
    expect(await tries()).toEqual([cutOff, { at: world.now() }]);
    const life = await lifeOf(job);
    expect(life).toMatchObject({ cutOffs: 0 });
    expect(life).not.toHaveProperty('tryingSince');
  });

  it('keeps the job only as long as its process could live', async () => {
    const world = createTaker(async () => undefined);
    await submitJobs(world, 1);
    expect(await runUntilKilled(world, () => true, 20_000)).toBe('killed');
    world.pass(29);
    expect(await world.sweep()).toBe(0);
    world.pass(1);
    expect(await world.sweep()).toBe(1);
  });

  it('is due at once when its successor has the table to itself, and nothing else is', async () => {
    const world = createTaker(async () => undefined);
    const [cutOff] = await submitJobs(world, 1);
    await runUntilKilled(world, () => true);
    const failing = createTaker(async () => {
      throw new SystemUnavailableError('It is away.');
    });
    const [paused] = await submitJobs(failing, 1);
    await failing.sweep();
    expect(await releaseCutOff(table, hpc, world.now())).toBe(1);
    expect(await world.sweep()).toBe(1);
    const lives = await Promise.all([cutOff, paused].map((job) => job && lifeOf(job)));
    expect(lives.map((life) => life?.handle)).toEqual([cutOff?.jobId, undefined]);
  });

  it('leaves a lease on jobs that were being checked, which a successor can release', async () => {
    const world = createTaker(async () => undefined);
    const [job] = await submitJobs(world, 1);
    if (!job) throw new Error('There is no job.');
    await world.sweep();
    const handedOver = await lifeOf(job);
    expect(handedOver.dueAt?.getTime()).toBeGreaterThan(world.now().getTime());
    expect(await releaseCutOff(table, hpc, world.now())).toBe(0);
    expect(await releaseChecks(table, hpc, world.now())).toBe(1);
    expect((await lifeOf(job)).dueAt).toEqual(world.now());
    expect(await releaseChecks(table, hpc, world.now())).toBe(0);
  });

  it('three times fails its job with the reason, and its neighbours never notice', async () => {
    const world = createTaker(async () => undefined);
    const jobs = await submitJobs(world, 8);
    const deadly = jobs[2];
    if (!deadly) throw new Error('There is no third job.');
    let tries = 0;
    const isDeadly = ({ jobId }: JobOrder) => {
      if (jobId !== deadly.jobId) return false;
      tries += 1;
      return true;
    };
    const outcomes: string[] = [];
    while (outcomes.at(-1) !== 'ended' && outcomes.length < 9) {
      outcomes.push(await runUntilKilled(world, isDeadly));
      world.pass(311);
    }
    expect(outcomes).toEqual(['killed', 'killed', 'killed', 'ended']);
    expect(tries).toBe(3);
    const { life } = await readTimeline(table, accountOf(deadly), deadly.jobId, world.now());
    expect(await reload(deadly)).toMatchObject({ stage: 'FAILED', terminal: true, failed: true });
    expect(life.reason).toContain('3 times in a row');
    const cutOff = { at: expect.any(Date), reason: expect.stringContaining('cut off') };
    expect(life.handOvers).toEqual([cutOff, cutOff, cutOff]);
    await expectAccountAddsUp(table, deadly);
    const others = jobs.filter((job) => job !== deadly);
    expect(await countHanded(others)).toBe(7);
    for (const job of others) expect((await lifeOf(job)).handOvers.length).toBeLessThanOrEqual(2);
  });
});
