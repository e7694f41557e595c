import { describe, expect, it } from 'vitest';
import { jobId } from '#test/fixtures/names.ts';
import {
  describeComparison,
  explainDifference,
  readPeriod,
  type Settled,
} from '#tools/reconcile/compare-with-system.ts';

/** Two nodes for six minutes. */
const job = { jobId: jobId('JOB-1'), hold: { seconds: 720, kilobytes: 0 }, runtime: 0.1 };

function settle(used: number, more: object = {}): Settled {
  return { job, line: { at: new Date(), used, end: { outcome: 'succeeded', ...more } } };
}

describe('a charge beside what the system counts', () => {
  it.each([
    { what: 'the same', settled: settle(334), seconds: 167 },
    { what: 'all of the grant, and the job ran on', settled: settle(720), seconds: 401 },
    { what: 'nothing for a job that never began', settled: settle(0), seconds: undefined },
  ])('is right where it is $what', ({ settled, seconds }) => {
    expect(explainDifference(settled, seconds)).toBeUndefined();
  });

  it.each([
    {
      what: 'less for a cancelled job',
      settled: settle(56),
      seconds: 167,
      says: { expected: 334, reason: 'the system counts 167 seconds of 360 granted' },
    },
    {
      what: 'more',
      settled: settle(378),
      seconds: 20,
      says: { expected: 40, reason: 'the system counts 20 seconds of 360 granted' },
    },
    {
      what: 'something for a job that the system does not know',
      settled: settle(10),
      seconds: undefined,
      says: { expected: 0, reason: 'the accounting of the system has no such job' },
    },
    {
      what: 'excused by more than was said',
      settled: settle(40, { excused: 100 }),
      seconds: 189,
      says: { expected: 378, reason: 'the system counts 189 seconds of 360 granted' },
    },
  ])('is not explained where it is $what', ({ settled, seconds, says }) => {
    expect(explainDifference(settled, seconds)).toEqual({
      jobId: 'JOB-1',
      charged: settled.line.used,
      isExplained: false,
      ...says,
    });
  });

  it.each([
    {
      settled: settle(40, { excused: 169 }),
      seconds: 189,
      reason: '169 seconds of waiting for this service are not charged',
    },
    {
      settled: settle(56, { byClock: true }),
      seconds: 167,
      reason: 'the system could not be asked, so the time until then was charged by the clock',
    },
  ])('is explained: $reason', ({ settled, seconds, reason }) => {
    expect(explainDifference(settled, seconds)).toMatchObject({ reason, isExplained: true });
  });
});

describe('the period', () => {
  it('is whole days, by default the last seven', () => {
    const now = new Date('2026-11-16T08:00:00Z');
    expect(readPeriod(undefined, undefined, now)).toEqual({
      since: new Date('2026-11-09T08:00:00Z'),
      until: now,
    });
    expect(readPeriod('2026-11-01', '2026-11-02', now)).toEqual({
      since: new Date('2026-11-01T00:00:00Z'),
      until: new Date('2026-11-03T00:00:00Z'),
    });
    expect(() => readPeriod('yesterday')).toThrow(
      "--since must be a day like 2026-11-01, not 'yesterday'.",
    );
  });
});

describe('the lines of a comparison', () => {
  it('are one per difference and a summary', () => {
    const difference = { jobId: 'JOB-1', charged: 28, expected: 167, reason: 'why' };
    const differences = [
      { ...difference, isExplained: true },
      { ...difference, jobId: 'JOB-2', isExplained: false },
    ];
    expect(describeComparison('mahti', { compared: 30, differences }).split('\n')).toEqual([
      'mahti JOB-1: charged 28 s, 167 s by the system: why',
      'mahti JOB-2: charged 28 s, 167 s by the system: why (unexplained)',
      'mahti: 30 compared, 2 different, 1 unexplained',
    ]);
  });

  it('say if there is nothing to compare', () => {
    expect(describeComparison('hpc_two', undefined)).toBe(
      'hpc_two: this system has no accounting to ask.',
    );
  });
});
