import { describe, expect, it } from 'vitest';
import { isTooLate, judgeTry, planNextTry } from '#lib/webhooks/deliveries/deliver.ts';

const eventAt = new Date('2026-01-01T00:00:00Z');
const hours = (count: number) => new Date(eventAt.getTime() + count * 3_600_000);
const soonest = () => 0;
const latest = () => 1;

describe('the pause after a try', () => {
  it.each([
    { tryCount: 1, seconds: 5 },
    { tryCount: 2, seconds: 30 },
    { tryCount: 3, seconds: 120 },
    { tryCount: 4, seconds: 600 },
    { tryCount: 5, seconds: 1800 },
    { tryCount: 6, seconds: 3600 },
    { tryCount: 7, seconds: 7200 },
    { tryCount: 8, seconds: 7200 },
    { tryCount: 500, seconds: 7200 },
  ])('number $tryCount is $seconds s, and at most a fifth longer', ({ tryCount, seconds }) => {
    const pause = (random: () => number) =>
      (planNextTry(tryCount, eventAt, random).getTime() - eventAt.getTime()) / 1000;
    expect(pause(soonest)).toBe(seconds);
    expect(pause(latest)).toBe(seconds * 1.2);
  });
});

describe('a try', () => {
  const judge = (status: number | undefined, now = eventAt, tryCount = 1) =>
    judgeTry({ eventType: 'job.ended', eventAt, tryCount }, { status }, now, soonest);

  it.each([200, 201, 202, 204, 299])('that is answered %i has delivered', (status) => {
    expect(judge(status)).toEqual({ state: 'delivered' });
    expect(judge(status, hours(100))).toEqual({ state: 'delivered' });
  });

  it.each([undefined, 100, 199, 300, 302, 307, 400, 401, 404, 409, 411, 429, 500, 503])(
    'that is answered %s is retried',
    (status) => {
      const nextTry = new Date(eventAt.getTime() + 5000);
      expect(judge(status)).toEqual({ state: 'waiting', nextTry });
    },
  );

  it('that is answered 410 is the last', () => {
    expect(judge(410)).toEqual({ state: 'given-up' });
  });

  it('is the last if the next one would come more than a day after the event', () => {
    expect(judge(500, hours(22), 7)).toEqual({ state: 'waiting', nextTry: hours(24) });
    const moment = new Date(hours(22).getTime() + 1);
    expect(judge(500, moment, 7)).toEqual({ state: 'given-up' });
  });
});

describe('a try of a test', () => {
  const judge = (status: number) =>
    judgeTry({ eventType: 'webhook.test', eventAt, tryCount: 1 }, { status }, eventAt, soonest);

  it('is the only one, whatever its answer', () => {
    expect(judge(204)).toEqual({ state: 'delivered' });
    expect(judge(500)).toEqual({ state: 'given-up' });
  });
});

describe('a delivery that is sent again', () => {
  it('has a day from then on', () => {
    const again = { eventAt, againAt: hours(48) };
    expect(isTooLate(again, hours(72))).toBe(false);
    expect(isTooLate(again, new Date(hours(72).getTime() + 1))).toBe(true);
  });
});

describe('a day after the event', () => {
  it('it is too late', () => {
    expect(isTooLate({ eventAt }, hours(24))).toBe(false);
    expect(isTooLate({ eventAt }, new Date(hours(24).getTime() + 1))).toBe(true);
  });
});
