import { afterEach, describe, expect, it } from 'vitest';
import { readSpace } from '#client/src/cli/session/options.ts';
import {
  readKilobytes,
  readNodeTime,
  writeNodeTime,
  writeSize,
} from '#client/src/format/amounts/amounts.ts';
import { readDayOfPeriod, readEnd, readUserNumber } from '#client/src/format/quotas/read-grant.ts';
import { readDay, readPastDay, writeDay } from '#client/src/format/times/day.ts';
import { readDuration } from '#client/src/format/times/duration.ts';
import { readSpaceOfQuota } from '#client/src/rows/read-grant-row.ts';
import { chooseLanguage, speakEnglish } from '#client/src/words/language.ts';

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

describe('what German pages print', () => {
  const german = async () =>
    chooseLanguage(['de'], {
      de: async () => ({
        language: (await import('../../../client/src/words/german/german.ts')).german,
      }),
    });
  afterEach(speakEnglish);
  const now = new Date('2026-11-15T08:30:00Z');

  it.each([
    ['10.000 Knotenstunden', 36_000_000],
    ['10.000', 36_000_000],
    ['1.234.567', 4_444_441_200],
    ['2,5', 9_000],
    ['2.5', 9_000],
    ['500 Knotenstunden', 1_800_000],
    ['500 Stunden', 1_800_000],
    ['1,5 Std.', 5_400],
    ['30 Minuten', 1_800],
    ['3 Tage', 259_200],
    ['42 Knotensekunden', 42],
    ['-20h', -72_000],
    ['500 node-hours', 1_800_000],
  ])('can be typed: %s', async (text, seconds) => {
    await german();
    expect(readNodeTime(text)).toBe(seconds);
  });

  it.each(['12,345', '1.2.3', '10.00.000', '1,5,5'])('is not guessed: %s', async (text) => {
    await german();
    expect(readNodeTime(text)).toBeUndefined();
  });

  it('has sizes, durations and days', async () => {
    await german();
    expect(readKilobytes('10.000 MB')).toBe(10_000_000);
    expect(readKilobytes('1,5 GB')).toBe(1_500_000);
    expect(readDuration('2 Stunden 30 Minuten')).toBe(9_000);
    expect(readDuration('1,5 h')).toBe(5_400);
    expect(readDay('31.03.2027', now)).toBe('2027-03-31');
    expect(readDay('31.3.', now)).toBe('2027-03-31');
    expect(readDay('31.12.', now)).toBe('2026-12-31');
    expect(readDay('3 Monate', now)).toBe('2027-02-15');
    expect(readDay('in 2 Wochen', now)).toBe('2026-11-29');
    expect(readDay('31. März 2027', now)).toBe('2027-03-31');
    expect(readDay('31.02.2027', now)).toBeUndefined();
    expect(readEnd('nie', now)).toBeNull();
  });

  it('is read again as it was meant, whatever is printed', async () => {
    await german();
    for (const hours of [0.1, 0.5, 1, 2.5, 12.3, 999.9, 1_000, 10_000, 1_234_567]) {
      expect(readNodeTime(writeNodeTime(hours * 3600, 'node'))).toBe(hours * 3600);
    }
    for (const kilobytes of [1, 999, 1_500, 3_100_000, 10_000_000]) {
      expect(readKilobytes(writeSize(kilobytes * 1000))).toBe(kilobytes);
    }
    expect(readDay(writeDay('2027-03-31'), now)).toBe('2027-03-31');
  });
});
