import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPastOption } from '#client/src/cli/session/options.ts';
import {
  readKilobytes,
  readNodeTime,
  writeNodeTime,
  writeSize,
} from '#client/src/format/amounts/amounts.ts';
import { writeMemory } from '#client/src/format/amounts/memory.ts';
import {
  nameDuration,
  nameMemory,
  writeExactDuration,
  writeExactMemory,
  writeExactSize,
  writeExactTime,
} from '#client/src/format/amounts/typed.ts';
import { readWhole, writeNumber } from '#client/src/format/numbers/write-number.ts';
import { readDay, writeDay } from '#client/src/format/times/day.ts';
import { readDuration, writeDuration } from '#client/src/format/times/duration.ts';
import { readAge, writeAge } from '#client/src/format/times/write-age.ts';
import { chooseLanguage, speakEnglish } from '#client/src/words/language.ts';

const chargings = fc.constantFrom('wall-clock', 'node', 'core', 'weights', 'mixed');
/** As many seconds as a quota can have, of which small ones are as likely as large ones. */
const seconds = fc
  .tuple(fc.nat({ max: 10 }), fc.double({ min: 1, max: 10, maxExcluded: true, noNaN: true }))
  .map(([power, digits]) => Math.floor(digits * 10 ** power));
const now = new Date('2026-11-15T08:30:00Z');

const languages = {
  de: async () => ({
    language: (await import('../../../client/src/words/german/german.ts')).german,
  }),
};

afterEach(speakEnglish);

describe.each(['en', 'de'])('in %s, what is printed can be typed', (code) => {
  beforeEach(() => chooseLanguage([code], languages));

  it('as a time of a quota, to the precision that is shown', () => {
    fc.assert(
      fc.property(seconds, chargings, fc.boolean(), (time, charging, isTaken) => {
        const written = writeNodeTime(isTaken ? -time : time, charging);
        const read = readNodeTime(written);
        expect(read, written).toBeDefined();
        expect(writeNodeTime(read ?? 0, charging)).toBe(written);
        // Half a hundredth of an hour.
        expect(Math.abs((read ?? 0) - (isTaken ? -time : time))).toBeLessThanOrEqual(18.5);
      }),
    );
  });

  it('as a size', () => {
    fc.assert(
      fc.property(seconds, (bytes) => {
        const written = writeSize(bytes * 1000);
        expect(writeSize((readKilobytes(written) ?? -1) * 1000)).toBe(written);
      }),
    );
    expect(readKilobytes(writeSize(999))).toBe(1);
  });

  it('as a duration, and as an age', () => {
    fc.assert(
      fc.property(seconds, (span) => {
        const written = writeDuration(span);
        expect(writeDuration(readDuration(written) ?? -1)).toBe(written);
        if (span >= 61 * 86_400) return;
        const age = writeAge(new Date(now.getTime() - span * 1000).toISOString(), now);
        expect(readAge(age), age).toBeLessThanOrEqual(span);
      }),
    );
  });

  it('as the day of what is long ago', () => {
    const days = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2026-09-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, (day) => {
        const iso = day.toISOString();
        expect(readPastOption(writeAge(iso, now))).toBe(iso.slice(0, 10));
      }),
    );
  });

  it('as a day of any year', () => {
    const days = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, (day) => {
        const iso = day.toISOString();
        expect(readDay(writeDay(iso), now)).toBe(iso.slice(0, 10));
      }),
    );
  });

  it('as a number of jobs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (count) => {
        expect(readWhole(writeNumber(count))).toBe(count);
      }),
    );
    for (const text of ['', '0', '1.5', '2,5', '007', '1.00', '1,00']) {
      expect(readWhole(text), text).toBeUndefined();
    }
  });

  it('exactly, where a form begins with it', () => {
    fc.assert(
      fc.property(seconds, chargings, (amount, charging) => {
        expect(readNodeTime(writeExactTime(amount, charging))).toBe(amount);
        expect(readDuration(writeExactDuration(amount))).toBe(amount);
        expect(readKilobytes(writeExactSize(amount))).toBe(amount);
      }),
    );
    // Read in German, 12.345 would be a thousand times as much.
    expect(readNodeTime(writeExactTime(44_442, 'node'))).toBe(44_442);
    expect(readDuration(writeExactDuration(44_442))).toBe(44_442);
  });

  it('as memory, which the service names in English', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (megabytes) => {
        const served = megabytes < 1000 ? `${megabytes} MB` : `${megabytes / 1000} GB`;
        const named = nameMemory(writeExactMemory(served));
        expect(writeExactMemory(named), served).toBe(writeExactMemory(served));
        expect(readKilobytes(writeExactMemory(named))).toBe(megabytes * 1000);
      }),
    );
    expect(nameMemory('plenty')).toBe('plenty');
  });
});

describe('a number that two languages read differently', () => {
  const read = () => [
    readNodeTime('10.000'),
    nameDuration('1.000 min'),
    nameMemory('1.500 MB'),
    writeMemory('12.638 GB'),
    readWhole('1.000'),
  ];

  it('is read as the pages of the reader write it', async () => {
    expect(read()).toEqual([36_000, '1m', '1.500 MB', '12.6 GB', undefined]);
    await chooseLanguage(['de'], languages);
    expect(read()).toEqual([36_000_000, '1000m', '1.5 GB', '12,6 GB', 1000]);
  });
});
