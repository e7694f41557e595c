import { describe, expect, it } from 'vitest';
import { readSpace } from '#client/src/cli/session/options.ts';
import { readKilobytes, readNodeTime } from '#client/src/format/amounts.ts';
import { readDay, readPastDay } from '#client/src/format/day.ts';
import { readDuration } from '#client/src/format/duration.ts';
import { readDayOfPeriod, readUserNumber } from '#client/src/format/read-grant.ts';
import { readSpaceOfQuota } from '#client/src/rows/read-grant-row.ts';

describe('durations that people write', () => {
  it.each([
    ['2h30m', 9_000],
    ['2h 30m', 9_000],
    ['90 min', 5_400],
    ['1.5 hours', 5_400],
    ['45s', 45],
    ['1d', 86_400],
    ['2 weeks', 1_209_600],
    ['2:30', 9_000],
    ['2:30:15', 9_015],
  ])('%s', (text, seconds) => {
    expect(readDuration(text)).toBe(seconds);
  });

  it.each(['', '2', 'h', '2x', '2h30', '-2h', '2h30m!', '1:70'])('not %j', (text) => {
    expect(readDuration(text)).toBeUndefined();
  });
});

describe('quota time', () => {
  it.each([
    ['500 node-hours', 1_800_000],
    ['1 node-hour', 3_600],
    ['500', 1_800_000],
    ['1,000 core hours', 3_600_000],
    ['-20h', -72_000],
    ['+2.5 hours', 9_000],
    ['0.5', 1_800],
    ['30m', 1_800],
  ])('%s', (text, seconds) => {
    expect(readNodeTime(text)).toBe(seconds);
  });

  it.each(['', 'much', '5 apples', '1e9', '--5', ',', '2,5', '1,50 hours', '1.5.2'])(
    'not %j',
    (text) => {
      expect(readNodeTime(text)).toBeUndefined();
    },
  );
});

describe('quota space, in kilobytes', () => {
  it.each([
    ['10 GB', 10_000_000],
    ['500mb', 500_000],
    ['1.5 TB', 1_500_000_000],
    ['1,000 KB', 1_000],
    ['-2 GB', -2_000_000],
    ['+2 GB', 2_000_000],
    ['1.1 MB', 1_100],
    ['0 GB', 0],
    ['-0 GB', 0],
    // A begun kilobyte is a whole one, in both directions.
    ['1 byte', 1],
    ['1.0004 MB', 1_001],
    ['-1.0004 MB', -1_001],
  ])('%s', (text, kilobytes) => {
    expect(readKilobytes(text)).toBe(kilobytes);
  });

  it('is read by one rule everywhere', () => {
    const text = '1.0004 MB';
    expect(readSpaceOfQuota(text)).toBe(1_001);
    expect(readSpace(text)).toBe(1_001);
  });

  it.each(['10', 'GB', '10 apples', '2,5 GB', '12,00 GB'])('not %j', (text) => {
    expect(readKilobytes(text)).toBeUndefined();
  });
});

describe('days', () => {
  const now = new Date('2026-11-15T12:00:00Z');

  it.each([
    ['2027-03-31', '2027-03-31'],
    ['31 March', '2027-03-31'],
    ['15 November', '2026-11-15'],
    ['14 november', '2027-11-14'],
    ['March 31st, 2028', '2028-03-31'],
    ['1 dec', '2026-12-01'],
    ['3 months', '2027-02-15'],
    ['in 2 weeks', '2026-11-29'],
    ['1 year', '2027-11-15'],
    ['20 days', '2026-12-05'],
  ])('%s', (text, day) => {
    expect(readDay(text, now)).toBe(day);
  });

  it.each([
    ['1 November', '2026-11-01'],
    ['15 november', '2026-11-15'],
    ['16 November', '2025-11-16'],
    ['March 31 2024', '2024-03-31'],
    ['2026-01-31', '2026-01-31'],
  ])('looking back, %s', (text, day) => {
    expect(readPastDay(text, now)).toBe(day);
  });

  it('stay within their month', () => {
    expect(readDay('1 month', new Date('2027-01-31T12:00:00Z'))).toBe('2027-02-28');
  });

  it.each(['', 'tomorrow-ish', '31 February', '2027-02-30', 'March', '31', '5 6 March'])(
    'not %j',
    (text) => {
      expect(readDay(text, now)).toBeUndefined();
    },
  );
});

describe('the day of a renewal', () => {
  it.each([
    ['1', { on: 1 }],
    [' 28. ', { on: 28 }],
    ['3rd', { on: 3 }],
    ['1 October', { on: 1, month: 10 }],
    ['1. oct', { on: 1, month: 10 }],
  ])('%s', (text, day) => {
    expect(readDayOfPeriod(text)).toEqual(day);
  });

  it.each(['', '0', '29', 'March', '1 Smarch', '1 March 2027'])('not %j', (text) => {
    expect(readDayOfPeriod(text)).toBeUndefined();
  });
});

it('reads the number of a user, as the service writes it', () => {
  expect(['0', ' 306328 '].map(readUserNumber)).toEqual(['0', '306328']);
  expect(['', '007', 'lab_42', '3e5'].map(readUserNumber)).toEqual(Array(4).fill(undefined));
});
