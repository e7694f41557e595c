import { describe, expect, it } from 'vitest';
import { daysUntil, nextExpiryMoment, reachedStage } from '#lib/quotas/calendar.ts';
import { planQuota } from '#lib/quotas/ends/attend-quotas.ts';
import { dueQuotaFromItem } from '#lib/quotas/ends/due-quota.ts';
import { hpcOne, quotaItem, welcomeKilobytes, welcomeSeconds } from '#test/fixtures/samples.ts';

const end = new Date('2027-01-31T12:00:00Z');
const at = (text: string) => new Date(text);

describe('the next moment of a quota that ends', () => {
  it.each([
    { now: '2026-06-01T00:00:00Z', next: '2027-01-01T12:00:00Z', stage: undefined },
    { now: '2027-01-01T11:59:59.999Z', next: '2027-01-01T12:00:00Z', stage: undefined },
    { now: '2027-01-01T12:00:00Z', next: '2027-01-24T12:00:00Z', stage: 'month' },
    { now: '2027-01-24T12:00:00Z', next: '2027-01-30T12:00:00Z', stage: 'week' },
    { now: '2027-01-30T11:59:59Z', next: '2027-01-30T12:00:00Z', stage: 'week' },
    { now: '2027-01-30T12:00:00Z', next: '2027-01-31T12:00:00Z', stage: 'day' },
    { now: '2027-02-07T00:00:00Z', next: '2027-01-31T12:00:00Z', stage: 'day' },
  ])('is $next at $now, after the warning $stage', ({ now, next, stage }) => {
    expect(nextExpiryMoment(end, at(now))).toEqual(at(next));
    expect(reachedStage(end, at(now))).toBe(stage);
  });

  it.each([
    { now: '2027-01-01T12:40:00Z', days: 30 },
    { now: '2027-01-30T12:00:00Z', days: 1 },
    { now: '2027-01-31T11:59:59Z', days: 1 },
    { now: '2027-01-31T12:00:00Z', days: 0 },
    { now: '2027-03-01T00:00:00Z', days: 0 },
  ])('is $days days before the end at $now', ({ now, days }) => {
    expect(daysUntil(end, at(now))).toBe(days);
  });
});

describe('a quota that is due', () => {
  const due = (facts: object = {}) =>
    dueQuotaFromItem({
      ...quotaItem(hpcOne),
      valid_until: end.toISOString(),
      due_at: '2027-01-01T12:00:00.000Z',
      ...facts,
    });

  it('gives its warning, and is due for the next one', () => {
    expect(planQuota(due(), at('2027-01-01T12:30:00Z'))).toEqual({
      warn: 'month',
      dueAgain: at('2027-01-24T12:00:00Z'),
    });
    expect(planQuota(due({ expiry_warned: 'week' }), at('2027-01-30T12:30:00Z'))).toEqual({
      warn: 'day',
      dueAgain: end,
    });
  });

  it('gives only the last of several missed warnings', () => {
    const now = at('2027-01-30T20:00:00Z');
    expect(planQuota(due(), now)).toMatchObject({ warn: 'day' });
    const told = due({ expiry_warned: 'day' });
    expect(planQuota(told, now)).toEqual({ dueAgain: end });
  });

  it('long before its end waits for its first warning', () => {
    expect(planQuota(due(), at('2026-06-01T00:00:00Z'))).toEqual({
      dueAgain: at('2027-01-01T12:00:00Z'),
    });
  });

  it('without an end is not due again', () => {
    const endless = due({ valid_until: undefined });
    expect(planQuota(endless, end)).toEqual({ dueAgain: undefined });
  });

  it('that has ended loses what remains, and is never due again', () => {
    expect(planQuota(due(), end)).toEqual({
      takeBack: {
        left: { seconds: welcomeSeconds, kilobytes: welcomeKilobytes },
        endedAt: end,
      },
      dueAgain: undefined,
    });
  });

  it.each([
    { what: 'time', held: { time_left: 10, time_held: 5 } },
    { what: 'space', held: { space_left: 10, space_held: 5 } },
  ])('that has ended while $what is held is due again in a day', ({ held }) => {
    expect(planQuota(due(held), end)).toMatchObject({
      takeBack: { endedAt: end },
      dueAgain: at('2027-02-01T12:00:00Z'),
    });
    const empty = due({ ...held, time_left: 0, space_left: 0 });
    expect(planQuota(empty, end)).toEqual({ dueAgain: at('2027-02-01T12:00:00Z') });
  });

  it('with nothing remaining, or less, has nothing to take back', () => {
    const owing = due({ time_left: -7, space_left: 0 });
    expect(planQuota(owing, end)).toEqual({ dueAgain: undefined });
  });
});
