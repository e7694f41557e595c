import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectEvents } from '#lib/events/detect-events.ts';
import { presentEvent } from '#lib/http/presenters/present-event.ts';
import { renewingItem } from '#test/fixtures/renewals.ts';
import { hpcOne, quotaBody, quotaItem, user } from '#test/fixtures/samples.ts';
import { streamRecord, writtenAt } from '#test/fixtures/stream-records.ts';

type QuotaItem = ReturnType<typeof quotaItem>;

interface Held {
  readonly quota: QuotaItem;
  readonly holds: readonly number[];
}

interface Move {
  readonly what: 'hold' | 'settle' | 'grant';
  readonly share: number;
  readonly which: number;
}

/** Changes an account as the service would, or not at all if it would refuse. */
function makeMove({ quota, holds }: Held, { what, share, which }: Move): Held {
  const { time_left: left, time_held: held, time_used: used, time_granted: granted } = quota;
  if (what === 'grant') {
    const more = Math.round(18_000_000 * share);
    return { holds, quota: { ...quota, time_granted: granted + more, time_left: left + more } };
  }
  if (what === 'hold') {
    const seconds = Math.ceil(left * share);
    const change = { time_left: left - seconds, time_held: held + seconds };
    return { quota: { ...quota, ...change }, holds: [...holds, seconds] };
  }
  const index = which % Math.max(1, holds.length);
  const seconds = holds[index] ?? 0;
  const returned = Math.floor(seconds * share);
  const change = {
    time_left: left + returned,
    time_held: held - seconds,
    time_used: used + seconds - returned,
  };
  return { quota: { ...quota, ...change }, holds: holds.toSpliced(index, 1) };
}

const thresholds = [20, 10, 0];

/** Counts the thresholds that an account has reached or passed. */
function depthOf({ time_left: left, time_granted: granted }: QuotaItem): number {
  return thresholds.filter((percent) => left / granted <= percent / 100).length;
}

const anyMove = fc.record({
  what: fc.constantFrom('hold', 'hold', 'settle', 'settle', 'grant'),
  share: fc.oneof(fc.constantFrom(0, 0.5, 0.8, 0.9, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  which: fc.nat(9),
});

const begin: Held = { quota: quotaItem(hpcOne), holds: [] };

/** Returns for every change the depth before and after, and its events. */
function play(moves: readonly Move[]) {
  let account = begin;
  return moves.map((move) => {
    const before = account.quota;
    account = makeMove(account, move);
    const told = detectEvents(streamRecord(before, account.quota));
    return {
      before: depthOf(before),
      after: depthOf(account.quota),
      told: told.map((event): unknown => Object(event).thresholdPercent),
    };
  });
}

describe('a quota that goes up and down', () => {
  it('causes an event when it falls below a lower threshold, naming the lowest, and not otherwise', () => {
    fc.assert(
      fc.property(fc.array(anyMove, { maxLength: 40 }), (moves) => {
        for (const { before, after, told } of play(moves)) {
          expect(told).toEqual(after > before ? [thresholds[after - 1]] : []);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('crosses a threshold again only after it was above it', () => {
    fc.assert(
      fc.property(fc.array(anyMove, { maxLength: 40 }), (moves) => {
        const since = new Set<unknown>();
        for (const { after, told } of play(moves)) {
          expect(told.filter((percent) => since.has(percent))).toEqual([]);
          for (const percent of told) since.add(percent);
          for (const percent of thresholds.slice(after)) since.delete(percent);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a quota that ends', () => {
  const quota = { ...quotaItem(hpcOne), valid_until: '2019-02-17T22:00:00.000Z' };
  const eventsOf = (oldItem: object, newItem: object) =>
    detectEvents(streamRecord({ ...oldItem }, { ...newItem }, 'e1')).map((event) =>
      JSON.parse(JSON.stringify(presentEvent(event))),
    );

  it('causes an event with its warning', () => {
    expect(eventsOf(quota, { ...quota, expiry_warned: 'week' })).toEqual([
      {
        id: 'quota-expiring-e1',
        type: 'quota.expiring',
        owner: user,
        at: writtenAt.toISOString(),
        data: { ...quotaBody(hpcOne), valid_until: '2019-02-17T22:00:00Z', days_left: 7 },
      },
    ]);
  });

  it('causes another event with the next warning, and none when anything else changes', () => {
    const warned = { ...quota, expiry_warned: 'week' };
    expect(eventsOf(warned, { ...warned, expiry_warned: 'day' })).toHaveLength(1);
    expect(eventsOf(warned, { ...warned, time_left: 17_000_000 })).toEqual([]);
  });

  it('causes no event when it is extended', () => {
    const warned = { ...quota, expiry_warned: 'week' };
    expect(eventsOf(warned, { ...quota, valid_until: '2020-01-01T00:00:00.000Z' })).toEqual([]);
    const { valid_until: _, ...endless } = quota;
    expect(eventsOf(warned, endless)).toEqual([]);
  });

  it('counts as used up when it has ended', () => {
    const ended = { ...quota, time_granted: 0, time_left: 0, space_granted: 0, space_left: 0 };
    expect(eventsOf(quota, ended)).toMatchObject([
      { type: 'quota.low', data: { resource: 'time', threshold_percent: 0 } },
      { type: 'quota.low', data: { resource: 'space', threshold_percent: 0 } },
    ]);
  });
});

describe('a quota that renews', () => {
  const quota = renewingItem('2019-03-01T00:00:00.000Z');
  const eventsOf = (oldItem: object, newItem: object) =>
    detectEvents(streamRecord({ ...oldItem }, { ...newItem }, 'e1')).map((event) =>
      JSON.parse(JSON.stringify(presentEvent(event))),
    );
  const told = { owner: user, at: writtenAt.toISOString() };
  const outcome = { time: 17_999_700, space: 10_000_000 };

  it('is announced with what the renewal would change', () => {
    const announced = { ...quota, renewal_announced: quota.renews_next };
    expect(eventsOf(quota, announced)).toEqual([
      {
        ...told,
        id: 'quota-renewing-e1',
        type: 'quota.renewing',
        data: {
          ...quotaBody(hpcOne),
          renews_at: '2019-03-01T00:00:00Z',
          lapses: outcome,
          carries_over: { time: 300, space: 0 },
          becomes: { time: 1300, space: 50 },
        },
      },
    ]);
    expect(eventsOf(announced, { ...announced, time_left: 17_000_000 })).toEqual([]);
  });

  const renewed = {
    ...quota,
    time_granted: 1300,
    time_left: 1300,
    space_granted: 50,
    space_left: 50,
    renewed_at: quota.renews_next,
    renews_next: '2019-04-01T00:00:00.000Z',
  };

  it('is renewed with what became of the rest, and not reported as low', () => {
    expect(eventsOf(quota, renewed)).toEqual([
      {
        ...told,
        id: 'quota-renewed-e1',
        type: 'quota.renewed',
        data: {
          ...quotaBody(hpcOne, { timeLeft: 1300, spaceLeft: 50 }),
          renewed_at: '2019-03-01T00:00:00Z',
          lapsed: outcome,
          carried_over: { time: 300, space: 0 },
          granted: { time: 1000, space: 50 },
          next: '2019-04-01T00:00:00Z',
        },
      },
    ]);
    expect(eventsOf(renewed, { ...renewed, time_left: 1200, time_held: 100 })).toEqual([]);
    expect(eventsOf(quota, { ...renewed, time_left: 100, time_held: 1200 })).toMatchObject([
      { type: 'quota.renewed' },
    ]);
  });

  it('is low compared with the grant of this period, whatever was used before', () => {
    const years = { ...renewed, time_granted: 901_300, time_used: 900_000 };
    const before = { ...years, time_used_before: 900_000 };
    expect(eventsOf(before, { ...before, time_left: 1000, time_held: 300 })).toEqual([]);
    expect(eventsOf(before, { ...before, time_left: 130, time_held: 1170 })).toMatchObject([
      { type: 'quota.low', data: { resource: 'time', threshold_percent: 10, granted: 1300 } },
    ]);
    // Space is not used up.
    expect(eventsOf(before, { ...before, space_left: 5, space_held: 45 })).toMatchObject([
      { type: 'quota.low', data: { resource: 'space', threshold_percent: 10, granted: 50 } },
    ]);
  });
});
