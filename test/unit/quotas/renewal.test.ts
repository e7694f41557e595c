import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Renewal, renewalPeriods } from '#lib/catalog/renewal.ts';
import { nextDueMoment } from '#lib/quotas/calendar.ts';
import { planQuota } from '#lib/quotas/ends/attend-quotas.ts';
import { dueQuotaFromItem } from '#lib/quotas/ends/due-quota.ts';
import { planCalendar } from '#lib/quotas/grants/change-quota.ts';
import { type Balance, mostGranted } from '#lib/quotas/quota.ts';
import { computeRenewal, nextRenewal } from '#lib/quotas/renewal.ts';
import { renewingItem } from '#test/fixtures/renewals.ts';

const at = (text: string) => new Date(text);

const rule: Renewal = {
  every: 'monthly',
  on: 1,
  month: 1,
  to: { seconds: 1000, kilobytes: 50 },
  carryOver: { seconds: 300, kilobytes: 0 },
};

describe('the next renewal', () => {
  it.each(['Pacific/Auckland', 'America/St_Johns'])(
    'is in UTC, wherever the machine is: %s',
    (zone) => {
      vi.stubEnv('TZ', zone);
      onTestFinished(() => {
        vi.unstubAllEnvs();
      });
      for (const [after, next] of [
        ['2026-01-31T23:30:00Z', '2026-02-01T00:00:00Z'],
        ['2026-02-01T00:30:00Z', '2026-03-01T00:00:00Z'],
      ] as const) {
        expect(nextRenewal({ every: 'monthly', on: 1, month: 1 }, new Date(after))).toEqual(
          new Date(next),
        );
      }
    },
  );

  it.each([
    { what: 'every 1st', on: 1, after: '2026-12-15T08:30:00Z', next: '2027-01-01' },
    { what: 'every 28th', on: 28, after: '2027-02-27T23:59:59.999Z', next: '2027-02-28' },
    { what: 'every 28th', on: 28, after: '2027-02-28T00:00:00Z', next: '2027-03-28' },
    { what: 'every 28th', on: 28, after: '2028-02-28T00:00:00Z', next: '2028-03-28' },
    { what: 'every 1st', on: 1, after: '2028-02-29T12:00:00Z', next: '2028-03-01' },
    { what: 'every 1st', on: 1, after: '2027-01-31T23:59:59.999Z', next: '2027-02-01' },
    { what: 'every 15th', on: 15, after: '2027-04-30T00:00:00Z', next: '2027-05-15' },
  ])('on $what comes after $after on $next', ({ on, after, next }) => {
    expect(nextRenewal({ every: 'monthly', on, month: 1 }, at(after))).toEqual(at(next));
  });

  it.each([
    { every: 'quarterly', month: 1, after: '2026-12-31T23:59:59.999Z', next: '2027-01-10' },
    { every: 'quarterly', month: 1, after: '2027-01-10T00:00:00Z', next: '2027-04-10' },
    { every: 'quarterly', month: 1, after: '2027-10-10T00:00:00Z', next: '2028-01-10' },
    { every: 'quarterly', month: 12, after: '2027-01-10T00:00:00Z', next: '2027-03-10' },
    { every: 'quarterly', month: 2, after: '2027-12-01T00:00:00Z', next: '2028-02-10' },
    { every: 'yearly', month: 1, after: '2027-01-09T23:59:59Z', next: '2027-01-10' },
    { every: 'yearly', month: 1, after: '2027-01-10T00:00:00Z', next: '2028-01-10' },
    { every: 'yearly', month: 10, after: '2027-01-10T00:00:00Z', next: '2027-10-10' },
    { every: 'yearly', month: 4, after: '2027-10-10T00:00:00Z', next: '2028-04-10' },
  ] as const)(
    '$every from month $month comes after $after on $next',
    ({ next, after, ...rest }) => {
      expect(nextRenewal({ ...rest, on: 10 }, at(after))).toEqual(at(next));
    },
  );

  it('is in the future, at midnight of its day, in one of its months, with none in between', () => {
    const calendar = fc.record({
      every: fc.constantFrom(...renewalPeriods),
      on: fc.integer({ min: 1, max: 28 }),
      month: fc.integer({ min: 1, max: 12 }),
    });
    const moment = fc.date({ min: at('1999-01-01'), max: at('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(calendar, moment, (one, after) => {
        const next = nextRenewal(one, after);
        expect(next > after).toBe(true);
        const isRenewal = (day: Date) =>
          day.getUTCDate() === one.on &&
          (one.every === 'monthly' ||
            (one.every === 'yearly' && day.getUTCMonth() + 1 === one.month) ||
            (one.every === 'quarterly' && (day.getUTCMonth() + 1) % 3 === one.month % 3));
        expect(isRenewal(next) && next.toISOString().endsWith('T00:00:00.000Z')).toBe(true);
        for (const day = new Date(next.getTime() - 86_400_000); day > after; ) {
          expect(isRenewal(day)).toBe(false);
          day.setUTCDate(day.getUTCDate() - 1);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('what a renewal does', () => {
  const balance = (left: number, held = 0, used = 0): Balance => ({
    granted: left + held + used,
    left,
    held,
    used,
  });

  it.each([
    { what: 'little is left', time: balance(100, 40, 60), lapsed: 0, carried: 100, left: 1100 },
    { what: 'much is left', time: balance(900, 40), lapsed: 600, carried: 300, left: 1300 },
    { what: 'nothing is left', time: balance(0, 40), lapsed: 0, carried: 0, left: 1000 },
    { what: 'less than nothing is', time: balance(-7, 40), lapsed: 0, carried: 0, left: 1000 },
  ])('where $what', ({ time, lapsed, carried, left }) => {
    const outcome = computeRenewal({ time, space: balance(80) }, rule);
    expect(outcome).toMatchObject({
      lapsed: { seconds: lapsed, kilobytes: 80 },
      carriedOver: { seconds: carried, kilobytes: 0 },
      left: { seconds: left, kilobytes: 50 },
    });
    // Whatever was taken and granted, the account adds up.
    const { seconds } = outcome.granted;
    expect(time.left - lapsed + seconds).toBe(left);
  });

  it('grants no more than sums can hold exactly', () => {
    const time = balance(10, 0, mostGranted - 10);
    expect(computeRenewal({ time, space: balance(0) }, rule)).toMatchObject({
      granted: { seconds: 0 },
      left: { seconds: 10 },
    });
  });
});

describe('a quota that renews', () => {
  const stored = {
    ...renewingItem('2027-02-01T00:00:00.000Z'),
    due_at: '2027-01-25T00:00:00.000Z',
  };
  const next = at(stored.renews_next);
  const plan = (now: string, change: object = {}) =>
    planQuota(dueQuotaFromItem({ ...stored, ...change }), at(now));

  it('is announced once, a week before', () => {
    expect(plan('2027-01-25T00:00:00Z')).toEqual({ announce: next, dueAgain: next });
    const told = { renewal_announced: stored.renews_next };
    expect(plan('2027-01-25T00:00:00Z', told)).toEqual({ dueAgain: next });
    expect(plan('2027-01-24T23:59:59Z')).toEqual({ dueAgain: at('2027-01-25') });
  });

  it('is renewed when due, and then due for the next announcement', () => {
    expect(plan('2027-01-31T23:59:59.999Z')).not.toHaveProperty('renew.at');
    expect(plan('2027-02-01T00:00:00Z')).toMatchObject({
      announce: undefined,
      renew: { at: next, next: at('2027-03-01'), carriedOver: { seconds: 300 } },
      dueAgain: at('2027-02-22'),
    });
  });

  it('that was missed for months is renewed once, and next in the future', () => {
    const { renew, dueAgain } = plan('2027-04-20T10:00:00Z');
    expect(renew).toMatchObject({ at: next, next: at('2027-05-01') });
    expect(dueAgain).toEqual(at('2027-04-24'));
    // So late that the next renewal is announced at once.
    const late = plan('2027-04-25T10:00:00Z');
    expect(late).toMatchObject({ renew: { at: next }, announce: at('2027-05-01') });
    expect(late.dueAgain).toEqual(at('2027-05-01'));
  });

  it('is not renewed again if the clock goes backwards', () => {
    const { renew } = plan('2027-02-01T00:00:01Z');
    const after = { renews_next: renew?.next.toISOString(), renewed_at: stored.renews_next };
    expect(plan('2027-01-31T23:59:00Z', after)).toEqual({
      dueAgain: at('2027-02-22'),
    });
  });

  it('neither renews after its end nor announces a renewal after it', () => {
    const ended = { valid_until: '2027-02-01T00:00:00.000Z', expiry_warned: 'day' };
    expect(plan('2027-01-31T10:00:00Z', ended)).toEqual({ dueAgain: next });
    expect(plan('2027-02-01T00:00:00Z', ended)).not.toHaveProperty('renew');
    const later = { valid_until: '2027-02-10T00:00:00.000Z' };
    expect(plan('2027-02-11T00:00:00Z', later)).not.toHaveProperty('renew');
    expect(plan('2027-02-11T00:00:00Z', later)).toHaveProperty('takeBack');
  });

  it('and ends handles both at once, and is due at the earlier moment', () => {
    const both = { valid_until: '2027-02-05T00:00:00.000Z' };
    expect(plan('2027-01-25T10:00:00Z', both)).toEqual({
      warn: 'month',
      announce: next,
      dueAgain: at('2027-01-29'),
    });
    expect(
      nextDueMoment(
        { validUntil: at('2027-03-20'), renewal: { rule, next } },
        at('2027-01-20T00:00:00Z'),
      ),
    ).toEqual(at('2027-01-25'));
  });
});

describe('a change of a renewal', () => {
  const now = at('2027-02-01T00:20:00Z');
  const due = { validUntil: undefined, renewal: { rule, next: at('2027-02-01') } };
  const none = { validUntil: undefined, renewal: undefined };

  it('starts with the next moment', () => {
    expect(planCalendar(none, { renews: rule }, now).renewal).toEqual({
      rule,
      next: at('2027-03-01'),
    });
  });

  it('to another amount keeps a past moment that waits for the sweep', () => {
    const more = { ...rule, to: { seconds: 2000, kilobytes: 50 } };
    expect(planCalendar(due, { renews: more }, now).renewal).toEqual({
      rule: more,
      next: at('2027-02-01'),
    });
  });

  it.each([{ on: 2 }, { every: 'yearly' as const }, { month: 2 }])(
    'to another calendar chooses a new moment: %j',
    (change) => {
      const other = { ...rule, ...change };
      const { renewal } = planCalendar(due, { renews: other }, now);
      expect(renewal).toEqual({ rule: other, next: nextRenewal(other, now) });
    },
  );

  it('keeps the renewal, or ends it', () => {
    expect(planCalendar(due, { validUntil: at('2027-06-01') }, now)).toEqual({
      ...due,
      validUntil: at('2027-06-01'),
    });
    expect(planCalendar(due, { renews: null }, now)).toEqual(none);
  });

  it('by an extension after the end does not make up for missed renewals', () => {
    const ended = { ...due, validUntil: at('2027-01-15') };
    expect(planCalendar(ended, { validUntil: null }, now).renewal?.next).toEqual(at('2027-03-01'));
    // Without a new end the quota stays ended and does not change.
    expect(planCalendar(ended, {}, now)).toEqual(ended);
  });
});
