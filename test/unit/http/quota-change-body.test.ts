import { describe, expect, it } from 'vitest';
import { quotaChangeBody } from '#lib/http/parsers/bodies/quota-change-body.ts';
import { apiEvent } from '#test/fixtures/api-event.ts';
import { outputOf, problemsOf } from '#test/fixtures/problems-of.ts';

const now = new Date('2026-11-15T08:30:00Z');
const most = 1_000_000_000_000_000;

function parse(body: object | string) {
  const text = typeof body === 'string' ? body : JSON.stringify({ reason: 'a course', ...body });
  const event = apiEvent({ method: 'PUT', path: '/', body: Buffer.from(text) });
  return outputOf(quotaChangeBody(now).read(event));
}

const wrongParts = (body: object | string) =>
  problemsOf(() => parse(body)).map(({ location, name }) => `${location} ${name}`);

describe('the body of a grant', () => {
  it.each([
    { body: { set: { time: 0 } }, amounts: { mode: 'set', seconds: 0 } },
    { body: { set: { time: 1, space: 2 } }, amounts: { mode: 'set', seconds: 1, kilobytes: 2 } },
    { body: { set: { space: most } }, amounts: { mode: 'set', kilobytes: most } },
    { body: { add: { time: -5 } }, amounts: { mode: 'add', seconds: -5 } },
    {
      body: { add: { time: -most, space: 0 } },
      amounts: { mode: 'add', seconds: -most, kilobytes: 0 },
    },
  ])('takes $body', ({ body, amounts }) => {
    expect(parse(body)).toEqual({ change: { amounts }, reason: 'a course' });
  });

  it('takes no zero below zero', () => {
    const { change } = parse('{"reason":"a","set":{"time":-0}}');
    expect(Object.is(change.amounts?.seconds, 0)).toBe(true);
  });

  it.each([
    { text: '2027-01-01T00:00:00Z', moment: '2027-01-01T00:00:00.000Z' },
    { text: '2027-01-01T00:00:00.5+02:00', moment: '2026-12-31T22:00:00.500Z' },
    { text: '2027-07-01', moment: '2027-07-01T23:59:59.999Z' },
    { text: '2026-11-15', moment: '2026-11-15T23:59:59.999Z' },
    { text: '2026-11-15T08:30:01Z', moment: '2026-11-15T08:30:01.000Z' },
  ])('takes an end at $text, alone or with amounts', ({ text, moment }) => {
    expect(parse({ valid_until: text }).change).toEqual({ validUntil: new Date(moment) });
    const both = parse({ valid_until: text, add: { time: 1 } });
    expect(both.change).toMatchObject({ amounts: { mode: 'add' }, validUntil: new Date(moment) });
  });

  it('takes null for no end', () => {
    expect(parse({ valid_until: null }).change).toEqual({ validUntil: null });
  });

  it.each([
    { what: 'nothing', body: {}, wrong: ['body body'] },
    { what: 'both', body: { set: { time: 1 }, add: { time: 1 } }, wrong: ['body set', 'body add'] },
    { what: 'an empty set', body: { set: {} }, wrong: ['body set'] },
    { what: 'an empty add', body: { add: {} }, wrong: ['body add'] },
    { what: 'a number', body: { set: 5 }, wrong: ['body set'] },
    { what: 'a list', body: { set: [1] }, wrong: ['body set.0'] },
    { what: 'an empty list', body: { set: [] }, wrong: ['body set'] },
    { what: 'null', body: { set: null }, wrong: ['body set'] },
    { what: 'another name', body: { set: { time: 1, hours: 1 } }, wrong: ['body set.hours'] },
    { what: 'text', body: { set: { time: '5' } }, wrong: ['body set.time'] },
    { what: 'a fraction', body: { add: { time: 0.5 } }, wrong: ['body add.time'] },
    { what: 'a grant below 0', body: { set: { time: -1 } }, wrong: ['body set.time'] },
    { what: 'too much', body: { set: { space: most + 1 } }, wrong: ['body set.space'] },
    { what: 'too little', body: { add: { space: -most - 1 } }, wrong: ['body add.space'] },
    {
      what: 'an infinite number',
      body: '{"reason":"a","add":{"time":1e999}}',
      wrong: ['body add.time', 'body add.time'],
    },
    { what: 'now', body: { valid_until: '2026-11-15T08:30:00Z' }, wrong: ['body valid_until'] },
    {
      what: 'a past end',
      body: { valid_until: '2020-01-01T00:00:00Z' },
      wrong: ['body valid_until'],
    },
    {
      what: 'a day that is over',
      body: { valid_until: '2026-11-14' },
      wrong: ['body valid_until'],
    },
    { what: 'no zone', body: { valid_until: '2027-01-01T00:00:00' }, wrong: ['body valid_until'] },
    {
      what: 'no such day',
      body: { valid_until: '2027-02-30T00:00:00Z' },
      wrong: ['body valid_until'],
    },
    {
      what: 'a year too far',
      body: { valid_until: '9999-12-31T23:59:59-14:00' },
      wrong: ['body valid_until'],
    },
    { what: 'a number as end', body: { valid_until: 5 }, wrong: ['body valid_until'] },
    { what: 'an unknown field', body: { set: { time: 1 }, user: '1' }, wrong: ['body user'] },
    { what: 'no reason', body: '{"set":{"time":1}}', wrong: ['body reason'] },
    { what: 'an empty reason', body: { set: { time: 1 }, reason: ' ' }, wrong: ['body reason'] },
    {
      what: 'a reason too long',
      body: { set: { time: 1 }, reason: 'a'.repeat(501) },
      wrong: ['body reason'],
    },
  ])('refuses $what', ({ body, wrong }) => {
    expect(wrongParts(body)).toEqual(wrong);
  });

  const monthly = { every: 'monthly', on: 1, to: { time: 3600, space: 10 } };
  const yearly = { ...monthly, every: 'yearly', month: 4 };

  it.each([
    {
      renews: monthly,
      meant: { month: 1, carryOver: { seconds: 0, kilobytes: 0 } },
    },
    {
      renews: { ...yearly, carry_over: { time: 60 } },
      meant: { every: 'yearly', month: 4, carryOver: { seconds: 60, kilobytes: 0 } },
    },
  ])('takes how it renews: $renews', ({ renews, meant }) => {
    const rule = { every: 'monthly', on: 1, to: { seconds: 3600, kilobytes: 10 }, ...meant };
    expect(parse({ renews }).change).toEqual({ renews: rule });
    expect(parse({ renews: null, add: { time: 1 } }).change).toMatchObject({ renews: null });
  });

  it.each([
    { what: 'no such period', renews: { ...monthly, every: 'weekly' }, wrong: ['renews.every'] },
    {
      what: 'a day that not all months have',
      renews: { ...monthly, on: 29 },
      wrong: ['renews.on'],
    },
    { what: 'day 0', renews: { ...monthly, on: 0 }, wrong: ['renews.on'] },
    { what: 'half a day', renews: { ...monthly, on: 1.5 }, wrong: ['renews.on'] },
    { what: 'month 13', renews: { ...yearly, month: 13 }, wrong: ['renews.month'] },
    { what: 'a month of a month', renews: { ...monthly, month: 1 }, wrong: ['renews.month'] },
    { what: 'half an amount', renews: { ...monthly, to: { time: 1 } }, wrong: ['renews.to.space'] },
    {
      what: 'a negative amount',
      renews: { ...monthly, to: { time: -1, space: 0 } },
      wrong: ['renews.to.time'],
    },
    {
      what: 'too much',
      renews: { ...monthly, carry_over: { time: most + 1 } },
      wrong: ['renews.carry_over.time'],
    },
    { what: 'what is only shown', renews: { ...monthly, next: 'soon' }, wrong: ['renews.next'] },
    { what: 'text', renews: 'monthly', wrong: ['renews'] },
    { what: 'nothing at all', renews: {}, wrong: ['renews.every', 'renews.on', 'renews.to'] },
  ])('refuses a renewal with $what', ({ renews, wrong }) => {
    expect(wrongParts({ renews })).toEqual(wrong.map((name) => `body ${name}`));
  });

  it('reports all that is wrong at once', () => {
    const body = { reason: '', set: { time: 0.5, space: -1 }, valid_until: 'soon', x: 1 };
    expect(wrongParts(body)).toEqual([
      'body x',
      'body reason',
      'body set.time',
      'body set.space',
      'body valid_until',
    ]);
  });
});
