import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ledgerKinds, type StoredLine } from '#lib/quotas/ledger.ts';
import { addUp, subtract } from '#lib/quotas/quota.ts';
import { balanceLines } from '#lib/quotas/read-ledger.ts';
import { type LedgerSum, sumByDay, sumByJob, sumLines } from '#lib/quotas/sum-ledger.ts';
import { jobId } from '#test/fixtures/names.ts';

const amount = fc.integer({ min: -1_000_000, max: 1_000_000 });

/** Arbitrary lines, including impossible ones, because sums must hold for all. */
const anyLines: fc.Arbitrary<StoredLine[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...ledgerKinds),
      seconds: amount,
      kilobytes: amount,
      used: fc.nat(1000),
      at: fc.date({
        min: new Date('2026-10-30T00:00:00Z'),
        max: new Date('2026-11-03T23:59:59.999Z'),
        noInvalidDate: true,
      }),
      by: fc.constant('slipway'),
      reason: fc.constant('because'),
      jobId: fc.constantFrom(...['A', 'B', '7'].map(jobId), undefined),
      actId: fc.constant(undefined),
    }),
    { maxLength: 40 },
  )
  .map((lines) =>
    lines
      .map((line, index) => ({ ...line, key: `${line.at.toISOString()}#${index}` }))
      .sort((a, b) => (a.key < b.key ? 1 : -1)),
  );

/** Checks the equation that the interface promises. */
function expectAddsUp({ granted, corrected, expired, held, returned, change }: LedgerSum) {
  const worked = subtract(subtract(addUp([granted, corrected, returned]), expired), held);
  expect(worked).toEqual(change);
}

describe('the sums of a ledger', () => {
  it('add up to the change of the balance, whatever the lines', () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const sum = sumLines(lines);
        expectAddsUp(sum);
        expect(sum.change).toEqual(addUp(lines));
      }),
    );
  });

  it('by day add up to the sum of all lines, with each line in one day', () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const days = sumByDay(lines);
        for (const [day, sum] of days) {
          expectAddsUp(sum);
          const own = lines.filter(({ at }) => at.toISOString().startsWith(day));
          expect(sum).toEqual(sumLines(own));
        }
        expect(addUp([...days.values()].map(({ change }) => change))).toEqual(addUp(lines));
        expect([...days.keys()]).toEqual([...days.keys()].sort().reverse());
      }),
    );
  });

  it('by job add up to the sum of all lines with a job', () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const jobs = sumByJob(lines);
        const ofJobs = lines.filter(({ jobId }) => jobId !== undefined);
        expect([...jobs.keys()]).toEqual([...new Set(ofJobs.map(({ jobId }) => jobId))]);
        expect(addUp([...jobs.values()].map(({ change }) => change))).toEqual(addUp(ofJobs));
        for (const sum of jobs.values()) expectAddsUp(sum);
      }),
    );
  });

  it('show a job that used a part of its hold and was deleted', () => {
    const line = {
      used: 0,
      at: new Date(0),
      by: 'x',
      reason: 'x',
      jobId: jobId('A'),
      actId: undefined,
    };
    const lines: StoredLine[] = [
      { ...line, key: '3', kind: 'refund', seconds: 0, kilobytes: 5 },
      { ...line, key: '2', kind: 'settle', seconds: 20, kilobytes: 0, used: 80 },
      { ...line, key: '1', kind: 'hold', seconds: -100, kilobytes: -5 },
    ];
    expect(sumByJob(lines).get('A')).toEqual({
      granted: { seconds: 0, kilobytes: 0 },
      corrected: { seconds: 0, kilobytes: 0 },
      expired: { seconds: 0, kilobytes: 0 },
      held: { seconds: 100, kilobytes: 5 },
      returned: { seconds: 20, kilobytes: 5 },
      used: { seconds: 80, kilobytes: 0 },
      change: { seconds: -80, kilobytes: 0 },
    });
  });
});

describe('the balances of a ledger', () => {
  it('end with the current balance, start with nothing, and differ by one line each', () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const balanced = balanceLines(lines, addUp(lines));
        for (const [index, { left, ...line }] of balanced.entries()) {
          expect(line).toEqual(lines[index]);
          expect(left).toEqual(addUp(lines.slice(index)));
        }
      }),
    );
  });

  it('are the same in one go and carried over pages', () => {
    fc.assert(
      fc.property(anyLines, fc.nat(40), (lines, cut) => {
        const whole = balanceLines(lines, addUp(lines));
        const first = balanceLines(lines.slice(0, cut), addUp(lines));
        const carried = first.reduce((left, line) => subtract(left, line), addUp(lines));
        expect([...first, ...balanceLines(lines.slice(cut), carried)]).toEqual(whole);
      }),
    );
  });
});
