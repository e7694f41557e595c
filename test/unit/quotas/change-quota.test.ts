import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrantTooLargeError, QuotaInUseError } from '#lib/quotas/errors.ts';
import {
  changesNothing,
  judgeChange,
  planChange,
  takesAway,
} from '#lib/quotas/grants/change-quota.ts';
import { isInUse } from '#lib/quotas/grants/remove-quota.ts';
import { type Balance, mostGranted } from '#lib/quotas/quota.ts';
import { projectName, systemName } from '#test/fixtures/names.ts';

const place = { hpc: systemName('hpc_one'), project: projectName('proj_hpc_one_01') };

const amount = fc.nat({ max: 1_000_000 });
const balance = fc
  .record({ left: amount, held: amount, used: amount })
  .map(({ left, held, used }): Balance => ({ granted: left + held + used, left, held, used }));
const account = fc.record({
  time: balance,
  space: balance,
  activeJobs: fc.nat({ max: 3 }),
  validUntil: fc.option(fc.constant(new Date('2027-01-01T00:00:00Z')), { nil: undefined }),
  renewal: fc.constant(undefined),
});
const now = new Date('2026-11-15T08:30:00Z');
const wanted = (least: number) =>
  fc.option(fc.integer({ min: least, max: 2_000_000 }), { nil: undefined });
const amounts = fc.oneof(
  fc.record({ mode: fc.constant('set' as const), seconds: wanted(0), kilobytes: wanted(0) }),
  fc.record({ mode: fc.constant('add' as const), seconds: wanted(-2e6), kilobytes: wanted(-2e6) }),
);

function change({ granted, left, held, used }: Balance, added: number): Balance {
  return { granted: granted + added, left: left + added, held, used };
}

describe('a change of a quota', () => {
  it('either leaves an account that adds up and is not negative, or is refused', () => {
    fc.assert(
      fc.property(account, amounts, (before, order) => {
        const planned = planChange(before, { amounts: order }, now);
        const { added } = planned;
        const after = [change(before.time, added.seconds), change(before.space, added.kilobytes)];
        const refusal = judgeChange(place, before, planned);
        expect(refusal === undefined).toBe(after.every(({ left }) => left >= 0));
        for (const { granted, left, held, used } of after) {
          expect(granted).toBe(left + held + used);
        }
        if (order.mode === 'set' && order.seconds !== undefined) {
          expect(after[0]?.granted).toBe(order.seconds);
        }
        if (order.mode === 'add') expect(added.kilobytes).toBe(order.kilobytes ?? 0);
        expect(planned.validUntil).toBe(before.validUntil);
      }),
    );
  });

  it('has no effect if it is repeated with the same grant', () => {
    fc.assert(
      fc.property(account, fc.nat({ max: 2_000_000 }), (before, seconds) => {
        const order = { amounts: { mode: 'set' as const, seconds } };
        const planned = planChange(before, order, now);
        const after = { ...before, time: change(before.time, planned.added.seconds) };
        expect(changesNothing(after, planChange(after, order, now))).toBe(true);
      }),
    );
  });

  const none = { granted: 5, left: 5, held: 0, used: 0 };
  const plain = {
    time: none,
    space: none,
    activeJobs: 0,
    validUntil: undefined,
    renewal: undefined,
  };
  const end = new Date('2027-01-01T00:00:00Z');

  it('of the end alone changes no amounts', () => {
    const planned = planChange(plain, { validUntil: end }, now);
    expect(planned).toEqual({ added: { seconds: 0, kilobytes: 0 }, validUntil: end });
    expect(changesNothing(plain, planned)).toBe(false);
    expect(changesNothing({ ...plain, validUntil: new Date(end) }, planned)).toBe(true);
    expect(planChange({ ...plain, validUntil: end }, { validUntil: null }, now).validUntil).toBe(
      undefined,
    );
  });

  it.each([
    { seconds: -5, kilobytes: 0, refusal: undefined },
    { seconds: -6, kilobytes: 0, refusal: QuotaInUseError },
    { seconds: 10, kilobytes: -6, refusal: QuotaInUseError },
    { seconds: mostGranted - 5, kilobytes: 0, refusal: undefined },
    { seconds: mostGranted - 4, kilobytes: 0, refusal: GrantTooLargeError },
    { seconds: 0, kilobytes: mostGranted - 5, refusal: undefined },
    { seconds: 0, kilobytes: mostGranted - 4, refusal: GrantTooLargeError },
  ])('by $seconds and $kilobytes is judged', ({ seconds, kilobytes, refusal }) => {
    const planned = planChange(plain, { amounts: { mode: 'add', seconds, kilobytes } }, now);
    expect(judgeChange(place, plain, planned)?.constructor).toBe(refusal);
  });

  it.each([
    { seconds: 1, kilobytes: 0, taken: false },
    { seconds: 1, kilobytes: -1, taken: true },
    { seconds: -1, kilobytes: 1, taken: true },
  ])('by $seconds and $kilobytes takes something away: $taken', ({ seconds, kilobytes, taken }) => {
    expect(takesAway({ ...plain, added: { seconds, kilobytes } })).toBe(taken);
  });

  it('treats a quota as in use for each thing that jobs need', () => {
    expect(isInUse({ ...plain, time: { granted: 5, left: 0, held: 0, used: 5 } })).toBe(false);
    expect(isInUse({ ...plain, time: { ...none, held: 1 } })).toBe(true);
    expect(isInUse({ ...plain, space: { ...none, held: 1 } })).toBe(true);
    expect(isInUse({ ...plain, activeJobs: 1 })).toBe(true);
  });
});
