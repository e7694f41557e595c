import { describe, expect, it } from 'vitest';
import { judgeSpending, nextMonth } from '#lib/spending/judge-spending.ts';

const now = new Date('2026-11-30T23:59:59.999Z');
const dollars = (amount: number) => amount * 1_000_000;
const judge = (held: number, used: number, asked: number) =>
  judgeSpending({ held: dollars(held), used: dollars(used) }, dollars(asked), dollars(100), now);

describe('the budget of a month', () => {
  it('can be spent to the last millionth, and not beyond', () => {
    expect(judge(30, 60, 10)).toBeUndefined();
    expect(judge(30, 60, 10.000001)).toBeDefined();
  });

  it('counts what active jobs may still cost', () => {
    expect(judge(99, 0, 2)).toBeDefined();
    expect(judge(0, 99, 2)).toBeDefined();
  });

  it('says how much was asked for, if less would fit', () => {
    expect(judge(40, 57.5, 5)?.message).toBe(
      "This month's budget for AWS Batch is too small: jobs cost about 97.50 USD of 100 USD so far, and this submission could cost 5 USD more. Ask for less, or wait until 1 December, when the next month begins.",
    );
  });

  it('says that nothing fits, once the estimate has reached it', () => {
    expect(judge(0, 103, 0.0054)?.message).toBe(
      "AWS Batch is paused until 1 December: this month's jobs cost about 103 USD of the budget of 100 USD. It opens earlier if jobs end before their time. Use another system, or ask an administrator to raise the budget.",
    );
    expect(judge(100, 0, 1)?.message).toMatch(/^AWS Batch is paused/);
  });

  it('writes less than a cent with more digits', () => {
    expect(judge(0, 99.999, 0.0054)?.message).toContain('could cost 0.0054 USD more');
  });

  it.each([
    ['2026-11-01T00:00:00Z', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59Z', '2027-01-01T00:00:00.000Z'],
    ['2027-01-31T12:00:00Z', '2027-02-01T00:00:00.000Z'],
  ])('at %s opens again at %s', (at, opens) => {
    expect(nextMonth(new Date(at)).toISOString()).toBe(opens);
  });
});
