import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareWithBudget, isKept } from '../../../bench/budget.ts';

const atMost = { max: 1.2 };
const atLeast = { min: 300 };

describe('a figure and its budget', () => {
  it.each([
    { value: 1.2, limit: atMost, outcome: 'met' },
    { value: 1.201, limit: atMost, outcome: 'missed' },
    { value: 300, limit: atLeast, outcome: 'met' },
    { value: 299.9, limit: atLeast, outcome: 'missed' },
    { value: Number.NaN, limit: atMost, outcome: 'missed' },
    { value: Number.NaN, limit: atLeast, outcome: 'missed' },
  ])('of $value and $limit: $outcome', ({ value, limit, outcome }) => {
    const verdicts = compareWithBudget([{ name: 'a', value }], { a: limit });
    expect(verdicts).toEqual([{ name: 'a', limit, value, outcome }]);
    expect(isKept(verdicts)).toBe(outcome === 'met');
  });

  it('fails if it was not measured', () => {
    const verdicts = compareWithBudget([], { 'cold.*': atMost });
    expect(verdicts).toEqual([{ name: 'cold.*', limit: atMost, outcome: 'not measured' }]);
    expect(isKept(verdicts)).toBe(false);
  });

  it('is left out of a plain run if it needs more, and compared if it was measured', () => {
    const limit = { ...atMost, needs: 'npm run bench -- growth --million' };
    const budget = { 'growth.*.million': limit };
    const leftOut = compareWithBudget([], budget);
    expect(leftOut).toEqual([{ name: 'growth.*.million', limit, outcome: 'left out' }]);
    expect(isKept(leftOut)).toBe(true);
    const measured = compareWithBudget([{ name: 'growth.single.million', value: 2 }], budget);
    expect(measured[0]).toMatchObject({ name: 'growth.single.million', outcome: 'missed' });
  });

  it('goes by the longest name, with one part per star', () => {
    const figures = ['warm.read-jobs', 'warm.submission', 'warm.read-jobs.ms'].map((name) => {
      return { name, value: 1.25 };
    });
    const budget = { 'warm.*': { max: 1.15 }, 'warm.submi*': { max: 1.3 } };
    expect(compareWithBudget(figures, budget)).toEqual([
      { name: 'warm.read-jobs', limit: { max: 1.15 }, value: 1.25, outcome: 'missed' },
      { name: 'warm.submission', limit: { max: 1.3 }, value: 1.25, outcome: 'met' },
    ]);
  });

  it('matches a dot in a name literally', () => {
    expect(compareWithBudget([{ name: 'aXb', value: 1 }], { 'a.b': atMost })).toEqual([
      { name: 'a.b', limit: atMost, outcome: 'not measured' },
    ]);
  });
});

describe('the budget', () => {
  const budget: Record<string, object> = JSON.parse(readFileSync('bench/budget.json', 'utf8'));

  it('has a bound for every figure', () => {
    for (const [name, limit] of Object.entries(budget)) {
      expect(
        Object.keys(limit).filter((key) => key === 'min' || key === 'max'),
        name,
      ).toHaveLength(1);
    }
  });

  it('is listed in docs/performance.md', () => {
    const page = readFileSync('docs/performance.md', 'utf8');
    for (const name of Object.keys(budget)) expect(page).toContain(`\`${name}\``);
  });
});
