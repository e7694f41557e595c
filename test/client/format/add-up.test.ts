import { afterEach, describe, expect, it } from 'vitest';
import {
  readNodeTime,
  writeColumn,
  writeLedger,
  writeLeft,
  writeNodeTime,
  writeReservation,
  writeRest,
  writeShares,
  writeSpaceLeft,
} from '../../../client/src/format/amounts/amounts.ts';
import { roundTogether, writeParts } from '../../../client/src/format/numbers/add-up.ts';
import { readNumber } from '../../../client/src/format/numbers/write-number.ts';
import { roundStatement } from '../../../client/src/format/quotas/exact-hours.ts';
import type { Statement } from '../../../client/src/index.ts';
import { chooseLanguage, speakEnglish } from '../../../client/src/words/language.ts';
import shared from '../../fixtures/amounts-that-add-up.json' with { type: 'json' };

/** The same numbers each time (mulberry32). */
function drawFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Amounts of every size, often nothing. */
function drawAmount(draw: () => number): number {
  return draw() < 0.15 ? 0 : Math.floor(10 ** (draw() * 10) * draw());
}

const many = 500;
const charging = ['node', 'core', 'wall-clock', 'weights', 'mixed'] as const;

/** Reads a shown number as somebody does who adds up. */
function read(text: string): number {
  if (/^(under|unter) /.test(text)) return 0;
  const [number = ''] = text.split(' ');
  return Number(readNumber(number.replace(/^[+-]/, ''))) * (number.startsWith('-') ? -1 : 1);
}

const close = (one: number, other: number) => expect(Math.abs(one - other)).toBeLessThan(1e-4);

afterEach(speakEnglish);

describe.each(['en', 'de'])('amounts in %s', (code) => {
  const speak = () =>
    chooseLanguage([code], {
      de: async () => ({
        language: (await import('../../../client/src/words/german/german.ts')).german,
      }),
    });

  it('of an account add up as they are shown', async () => {
    await speak();
    const draw = drawFrom(1);
    for (let turn = 0; turn < many; turn += 1) {
      const [left, used, held] = [drawAmount(draw), drawAmount(draw), drawAmount(draw)];
      const unit = charging[turn % charging.length] ?? 'node';
      const { hours, times, whole } = writeShares([left, used, held], unit);
      close(
        hours.reduce((sum, text) => sum + read(text), 0),
        read(whole),
      );
      expect(times.map(read)).toEqual(hours.map(read));
      for (const [at, seconds] of [left, used, held].entries()) {
        expect(hours[at] === '0').toBe(seconds === 0);
      }
      // Whoever takes or gives what the page shows is not told that it is too much.
      expect(Number(readNodeTime(`${read(hours[0] ?? '')}h`))).toBeLessThanOrEqual(left);
    }
  });

  it('of a ledger lead from line to line', async () => {
    await speak();
    const draw = drawFrom(2);
    for (let turn = 0; turn < many; turn += 1) {
      let left = drawAmount(draw);
      const lines = Array.from({ length: 1 + Math.floor(draw() * 12) }, () => {
        const time = Math.max(-left, Math.round((draw() - 0.5) * drawAmount(draw)));
        left += time;
        return { time, time_left: left };
      });
      const write = writeLedger(lines);
      const shown = lines.map((line) => write(line));
      for (const [at, { change, after }] of shown.entries()) {
        const before = shown[at - 1];
        if (before) close(read(before.after) + read(change), read(after));
        // One precision: every number has as many digits after its point.
        const digits = (text: string) => text.split(code === 'de' ? ',' : '.')[1]?.length ?? 0;
        expect(digits(change)).toBe(digits(after));
      }
    }
  });

  it('of a column add up to what they are together', async () => {
    await speak();
    const draw = drawFrom(3);
    for (let turn = 0; turn < many; turn += 1) {
      const rows = Array.from({ length: 1 + Math.floor(draw() * 20) }, () => ({
        time: drawAmount(draw),
      }));
      const write = writeColumn(rows, ({ time }) => time);
      const hours = rows.map(({ time }) => time / 3600);
      close(
        rows.reduce((sum, row) => sum + read(write(row)), 0),
        read(writeParts(hours, { leftFirst: false }).whole.amount),
      );
    }
  });

  it('of space are in the unit of the whole', async () => {
    await speak();
    const draw = drawFrom(4);
    for (let turn = 0; turn < many; turn += 1) {
      const [left, gone] = [drawAmount(draw), drawAmount(draw)];
      const shown = writeSpaceLeft({ left, granted: left + gone });
      expect(shown.left.split(' ').at(-1)).toBe(shown.granted.split(' ').at(-1));
      const off = read(shown.left) - (read(shown.granted) * left) / Math.max(1, left + gone);
      expect(Math.abs(off)).toBeLessThan(0.11);
    }
  });
});

describe('a statement', () => {
  const parts = [
    'opening',
    'granted',
    'expired',
    'corrected',
    'shared',
    'used',
    'drawn',
    'reserved',
  ] as const;

  it('adds up by row and by column', () => {
    const draw = drawFrom(5);
    for (let turn = 0; turn < 100; turn += 1) {
      const rows = Array.from({ length: 1 + Math.floor(draw() * 9) }, (_, user) => ({
        user: String(user),
        jobs_ended: 0,
        closing: { time: 0, space: 0 },
        ...Object.fromEntries(parts.map((part) => [part, { time: drawAmount(draw), space: 0 }])),
      }));
      const sum = (part: string) =>
        rows.reduce((all, row) => all + (Reflect.get(row, part).time ?? 0), 0);
      const sums = Object.fromEntries(parts.map((part) => [part, { time: sum(part), space: 0 }]));
      const statement: Statement = Object({ ...sums, closing: { time: 0, space: 0 }, rows });
      const hours = roundStatement(statement);
      for (const part of [...parts, 'closing'] as const) {
        const all = statement.rows.reduce((whole, row) => whole + hours(row, part), 0);
        close(all, hours(statement, part));
      }
    }
  });
});

describe('rounding together', () => {
  it('shows what somebody has given, also of thousands', () => {
    const given = 1_002.5 * 3600;
    expect(writeNodeTime(given, 'node')).toBe('1,002.5 node-hours');
    expect(writeRest(given, 'node')).toBe('1,002.5 node-hours');
    expect(writeLeft(given, given)).toBe('1,002.5 of 1,002.5');
    expect(writeLeft(given - 7, given)).toBe('1,002.49 of 1,002.5');
    expect(writeLeft(2.6855 * 3600, 2.6855 * 3600)).toBe('2.68 of 2.68');
  });

  it.each([
    [300, 294, ['300 node-seconds', '6 node-seconds', '294 node-seconds']],
    [3600, 3594, ['1 node-hour', '0.01 node-hours', '0.99 node-hours']],
    [1800, 1794, ['1,800 node-seconds', '6 node-seconds', '1,794 node-seconds']],
    [5400, 5000, ['1.5 node-hours', '0.12 node-hours', '1.38 node-hours']],
    [3600, 0, ['1 node-hour', '1 node-hour', '0 node-hours']],
  ])('writes a reservation of %i s in one unit, with %i s returned', (held, returned, shown) => {
    const { reserved, used, returned: back } = writeReservation({ held, returned }, 'node');
    expect([reserved, used, back]).toEqual(shown);
  });

  it.each([
    [[0.4, 0.4, 0.4], 0, [1, 0, 0], 1],
    [[4_999.2, 0.8], 0, [4_999, 1], 5_000],
    [[0.29, 0.01], 2, [0.29, 0.01], 0.3],
    [[], 2, [], 0],
  ])('%j with %i decimals', (parts, decimals, rounded, whole) => {
    expect(roundTogether(parts, decimals)).toEqual({ rounded, whole });
  });

  it('shows what was found not to add up', () => {
    const hour = 3600;
    const write = writeLedger([
      { time: -4 * hour, time_left: 4_996 * hour },
      { time: 3.2 * hour, time_left: 4_999.2 * hour },
    ]);
    expect(write({ time: -4 * hour, time_left: 4_996 * hour })).toEqual({
      change: '-4.0',
      after: '4,996.0',
    });
    expect(write({ time: 3.2 * hour, time_left: 4_999.2 * hour })).toEqual({
      change: '+3.2',
      after: '4,999.2',
    });
    const { hours, times, whole } = writeShares([5_000 * hour - 2, 2], 'node');
    expect([...hours, whole]).toEqual(['4,999.99', '0.01', '5,000']);
    expect(times[1]).toBe('0.01 node-hours');
    expect(writeLeft(5_000 * hour - 2, 5_000 * hour)).toBe('4,999.99 of 5,000');
  });
});

describe('the parts of a whole', () => {
  it.each(shared)('are shown as in Python: $parts', ({ parts, shown, whole }) => {
    const written = writeParts(parts);
    expect(written.parts.map(({ amount }) => amount)).toEqual(shown);
    expect(written.whole.amount).toBe(whole);
  });
});
