import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseStarts, type TakenSlot, type WaitingSlot } from '#lib/hpc/machine/slots.ts';

const system = 'hpc_one';
const four = { cores: 4, systemCores: new Map<string, number>() };

function waits(id: string, cores: number, seconds = 100, of = system): WaitingSlot {
  return { id, system: of, cores, seconds };
}

function taken(cores: number, seconds: number, of = system): TakenSlot {
  return { system: of, cores, seconds };
}

describe('chooseStarts', () => {
  it('starts jobs in their order until no core is free', () => {
    expect(chooseStarts(four, [], [waits('a', 2), waits('b', 2), waits('c', 2)])).toEqual([
      'a',
      'b',
    ]);
    expect(chooseStarts(four, [taken(4, 10)], [waits('a', 1)])).toEqual([]);
  });

  it('gives the whole machine to a job that asks for more', () => {
    expect(chooseStarts(four, [], [waits('a', 3072), waits('b', 1)])).toEqual(['a']);
    expect(chooseStarts(four, [taken(1, 10)], [waits('a', 3072)])).toEqual([]);
  });

  it('lets a small job pass a large one if it ends before the large one can start', () => {
    const running = [taken(2, 100)];
    expect(chooseStarts(four, running, [waits('large', 4), waits('short', 1, 100)])).toEqual([
      'short',
    ]);
    expect(chooseStarts(four, running, [waits('large', 4), waits('long', 1, 101)])).toEqual([]);
  });

  it('lets a small job run on beside a large one that leaves it room', () => {
    const jobs = [waits('large', 3), waits('long', 1, 9999), waits('second', 1, 9999)];
    expect(chooseStarts(four, [taken(2, 100)], jobs)).toEqual(['long']);
  });

  it('keeps the cores of a job over its time until it has ended', () => {
    expect(chooseStarts(four, [taken(4, -5)], [waits('a', 1)])).toEqual([]);
  });

  it('holds each system to its own cores and all of them to the machine', () => {
    const slots = { cores: 4, systemCores: new Map([['hpc_two', 1]]) };
    const jobs = [waits('a', 8, 100, 'hpc_two'), waits('b', 1, 100, 'hpc_two'), waits('c', 3)];
    expect(chooseStarts(slots, [], jobs)).toEqual(['a', 'c']);
  });
});

const waitingJobs = fc.array(
  fc.record({ cores: fc.integer({ min: 1, max: 12 }), seconds: fc.integer({ min: 1, max: 50 }) }),
  { maxLength: 12 },
);

/** A moment-by-moment run in which every job takes the share `used` of its time. */
function play(jobs: readonly WaitingSlot[], cores: number, used: number) {
  const slots = { cores, systemCores: new Map<string, number>() };
  const startedAt = new Map<string, number>();
  let waiting = [...jobs];
  let running: { id: string; cores: number; endsAt: number; limitAt: number }[] = [];
  let mostUsed = 0;
  for (let now = 0; waiting.length > 0 || running.length > 0; now += 1) {
    running = running.filter(({ endsAt }) => endsAt > now);
    const busy = running.map(({ cores, limitAt }) => taken(cores, limitAt - now));
    const starts = chooseStarts(slots, busy, waiting);
    for (const job of waiting.filter(({ id }) => starts.includes(id))) {
      startedAt.set(job.id, now);
      const endsAt = now + Math.max(1, Math.round(job.seconds * used));
      const held = Math.min(job.cores, cores);
      running.push({ id: job.id, cores: held, endsAt, limitAt: now + job.seconds });
    }
    waiting = waiting.filter(({ id }) => !starts.includes(id));
    mostUsed = Math.max(
      mostUsed,
      running.reduce((sum, { cores }) => sum + cores, 0),
    );
  }
  return { startedAt, mostUsed };
}

describe('a queue of random jobs', () => {
  const name = (jobs: readonly { cores: number; seconds: number }[]) =>
    jobs.map(({ cores, seconds }, at) => waits(`${at}`, cores, seconds));

  it('never uses more cores than there are, and starts every job', () => {
    fc.assert(
      fc.property(
        waitingJobs,
        fc.integer({ min: 1, max: 8 }),
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        (jobs, cores, used) => {
          const { startedAt, mostUsed } = play(name(jobs), cores, used);
          expect(mostUsed).toBeLessThanOrEqual(cores);
          expect(startedAt.size).toBe(jobs.length);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('starts jobs of the same size in their order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        (lengths, cores) => {
          const jobs = lengths.map((seconds, at) => waits(`${at}`, cores, seconds));
          const { startedAt } = play(jobs, cores, 1);
          const starts = jobs.map(({ id }) => startedAt.get(id) ?? -1);
          expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('never starts a job later than it would without the jobs behind it', () => {
    fc.assert(
      fc.property(waitingJobs, fc.integer({ min: 1, max: 8 }), (jobs, cores) => {
        const named = name(jobs);
        const all = play(named, cores, 1).startedAt;
        for (const [at, job] of named.entries()) {
          const alone = play(named.slice(0, at + 1), cores, 1).startedAt;
          expect(all.get(job.id)).toBeLessThanOrEqual(alone.get(job.id) ?? -1);
        }
      }),
      { numRuns: 100 },
    );
  });
});
