import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/hpc/connector.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { takeResults } from '#lib/jobs/passes/take-results.ts';
import { createPresence, readAbsences } from '#lib/presence/presence.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { tableForEach } from '../engines/use-table.ts';
import { catalog } from '../fixtures/catalog.ts';
import { createWorld, expectAccountAddsUp, readLedger } from '../fixtures/life.ts';
import { createMemoryFiles } from '../fixtures/memory-files.ts';
import { systemName, userId } from '../fixtures/names.ts';

const hpc = systemName('hpc_one');
const signEvery = 10;

const table = tableForEach();

interface Waits {
  readonly before?: number;
  readonly after?: number;
}

/**
 * Makes a job of one node that its system counts from the start of this clock, and a service that
 * writes signs of life from then on.
 */
async function createRun() {
  let says: Observation | undefined;
  const world = createWorld(table, hpc, (connector) => ({
    ...connector,
    pollFloorSeconds: 1,
    lookUp: async (asked) => new Map(says ? asked.map(({ jobId }) => [jobId, says!]) : []),
  }));
  const job: Job = await world.submit(userId('1'), { nodes: 1 });
  await world.sweep();
  let start = createPresence(table, signEvery);
  const startedAt = world.now();
  await start(startedAt);
  return {
    job,
    startedAt,
    /** Passes so many seconds with the service present. */
    async stay(seconds: number) {
      for (let passed = 0; passed < seconds; passed += signEvery) {
        world.pass(Math.min(signEvery, seconds - passed));
        await start(world.now());
      }
    },
    /** Ends the process for so many seconds, and starts another one. */
    async beAway(seconds: number) {
      world.pass(seconds);
      start = createPresence(table, signEvery);
      await start(world.now());
    },
    async announce({ before = 0, after = 0 }: Waits) {
      const { results } = createMemoryFiles();
      const announced = { run: 1, isCut: false, bytes: 5, before, after, at: world.now() };
      await takeResults({ table, catalog, results }, accountOf(job), job.jobId, announced);
    },
    /** Lets the system report that the job has ended now, and returns what was charged. */
    async end(change: Partial<Extract<Observation, { state: 'ended' }>> = {}) {
      const endedAt = world.now();
      const usedSeconds = (endedAt.getTime() - startedAt.getTime()) / 1000;
      const ended = { state: 'ended', stage: 'SUCCESSFUL', failed: false } as const;
      says = { ...ended, endedAt, usedSeconds, ...change };
      world.pass(60);
      await start(world.now());
      await world.sweep();
      expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ terminal: true });
      await expectAccountAddsUp(table, job);
      return (await findQuota(table, accountOf(job))).time.used;
    },
  };
}

describe('a job that waited for the service', () => {
  it('is charged for its command, but not for the time the service was away', async () => {
    const { stay, beAway, announce, end, job } = await createRun();
    await stay(20);
    await beAway(127);
    await announce({ after: 127 });
    expect(await end()).toBe(20);
    const [, , settled] = await readLedger(table, job);
    expect(settled?.reason).toBe(
      'SUCCESSFUL: 20 of 1800 seconds used; 127 seconds of waiting for this service are not charged',
    );
  });

  it('is charged for sending its results while the service was there', async () => {
    const { stay, announce, end } = await createRun();
    await stay(20);
    await announce({ after: 0 });
    await stay(100);
    expect(await end()).toBe(120);
  });

  it('is not charged for waiting for its input', async () => {
    const { stay, beAway, announce, end } = await createRun();
    await beAway(50);
    await stay(20);
    await announce({ before: 50 });
    expect(await end()).toBe(20);
  });

  it('is charged for what it computed while the service was away', async () => {
    const { stay, beAway, announce, end } = await createRun();
    await stay(20);
    await beAway(100);
    await stay(20);
    await announce({ after: 0 });
    expect(await end()).toBe(140);
  });

  it('is charged for its command if that ended while the service was away', async () => {
    const { beAway, announce, end } = await createRun();
    await beAway(100);
    await announce({ after: 40 });
    expect(await end()).toBe(60);
  });

  it('is charged for all of a command that failed once the service was back', async () => {
    const { stay, beAway, announce, end } = await createRun();
    await beAway(100);
    await stay(60);
    await announce({});
    expect(await end({ stage: 'FAILED', failed: true, patienceSeconds: 300 })).toBe(160);
  });

  it.each([
    { what: 'that it ended long ago', claim: { after: 3600 } },
    { what: 'that it never began', claim: { before: 3600 } },
    { what: 'both', claim: { before: 999_999_999, after: 999_999_999 } },
  ])('gains nothing by claiming $what', async ({ claim }) => {
    const { stay, announce, end } = await createRun();
    await stay(600);
    await announce(claim);
    expect(await end()).toBe(600);
  });

  it('is not charged for the pause before it notices that the service is back', async () => {
    const { stay, beAway, announce, end } = await createRun();
    await stay(20);
    await beAway(60);
    await stay(15);
    await announce({ after: 75 });
    expect(await end()).toBe(20);
  });

  it('gains by a lie at most the time the service was away and one pause', async () => {
    const { stay, beAway, announce, end } = await createRun();
    await stay(300);
    await beAway(60);
    await stay(300);
    await announce({ before: 999_999_999, after: 999_999_999 });
    expect(await end()).toBe(580);
  });

  it('is not charged for retrying in vain while the service stays away', async () => {
    const { stay, beAway, end, startedAt } = await createRun();
    await stay(20);
    await beAway(900);
    const endedAt = addSeconds(startedAt, 20 + 300);
    const gaveUp = { endedAt, usedSeconds: 320, stage: 'FAILED', failed: true };
    expect(await end({ ...gaveUp, patienceSeconds: 300 })).toBe(20);
  });

  it.each([
    { what: 'shorter than it would have tried', ran: 54, awayFor: 900 },
    { what: 'ended in an absence that was shorter', ran: 400, awayFor: 40 },
  ])('is charged for everything if it was $what', async ({ ran, awayFor }) => {
    const { stay, beAway, end, startedAt } = await createRun();
    await stay(ran - 30);
    await beAway(awayFor);
    const ended = { endedAt: addSeconds(startedAt, ran), usedSeconds: ran };
    const failed = { stage: 'FAILED', failed: true, patienceSeconds: 300 };
    expect(await end({ ...ended, ...failed })).toBe(ran);
  });

  it('is charged for everything if its system ended it', async () => {
    const { stay, beAway, end, startedAt } = await createRun();
    await stay(20);
    await beAway(900);
    const endedAt = addSeconds(startedAt, 320);
    expect(await end({ endedAt, usedSeconds: 320, stage: 'FAILED', failed: true })).toBe(320);
  });
});

describe('the presence of the service', () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

  it('has no gaps while signs come in time, whoever writes them', async () => {
    const signs = [createPresence(table, 60), createPresence(table, 60)];
    for (let minute = 0; minute < 10; minute += 1) {
      await signs[minute % 2]?.(at(minute * 60 + (minute % 3) * 20));
    }
    expect(await readAbsences(table, at(600))).toEqual([]);
  });

  it('records an absence once, even if two processes come back at the same moment', async () => {
    await createPresence(table, 10)(at(0));
    await Promise.all([createPresence(table, 10)(at(100)), createPresence(table, 10)(at(100))]);
    expect(await readAbsences(table, at(101))).toEqual([{ from: at(0), until: at(100) }]);
  });

  it('is unknown before the first sign', async () => {
    expect(await readAbsences(table, at(0))).toEqual([]);
  });

  it('writes at most one sign in half of its time', async () => {
    const sign = createPresence(table, 60);
    await sign(at(0));
    await sign(at(29.999));
    // Signs every minute are late after two.
    expect(await readAbsences(table, at(121))).toEqual([{ from: at(0), until: at(121) }]);
    await sign(at(30));
    expect(await readAbsences(table, at(121))).toEqual([]);
  });

  it('is not late at the last moment', async () => {
    await createPresence(table, 10)(at(0));
    await createPresence(table, 10)(at(20));
    expect(await readAbsences(table, at(21))).toEqual([]);
  });

  it('reports an absence that nobody has recorded yet', async () => {
    await createPresence(table, 10)(at(0));
    expect(await readAbsences(table, at(50))).toEqual([{ from: at(0), until: at(50) }]);
    expect(await readAbsences(table, at(20))).toEqual([]);
  });

  it('keeps the last sixteen absences', async () => {
    for (let hour = 0; hour < 20; hour += 1) await createPresence(table, 10)(at(hour * 3600));
    const absences = await readAbsences(table, at(19 * 3600));
    expect(absences).toHaveLength(16);
    expect(absences.at(-1)).toEqual({ from: at(18 * 3600), until: at(19 * 3600) });
  });
});
