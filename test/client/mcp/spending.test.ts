import { describe, expect, it } from 'vitest';
import { createBudget } from '../../../client/src/cli/mcp/spending/budget.ts';
import { readBudgetOption } from '../../../client/src/cli/mcp/spending/read-budget-option.ts';
import { submitOnBudget } from '../../../client/src/cli/mcp/spending/submit-on-budget.ts';
import { ServiceUnreachable, SlipwayProblem } from '../../../client/src/index.ts';

function refuse(status: number) {
  return new SlipwayProblem({ type: 'about:blank', title: '', status, detail: 'no' });
}

describe('a budget', () => {
  it('is taken to its last second, and no further', () => {
    const budget = createBudget(10);
    expect([budget.take(10), budget.take(1), budget.left()]).toEqual([true, false, 0]);
  });

  it.each([
    { failure: refuse(403), left: 10, what: 'gets back what the service refused' },
    { failure: refuse(422), left: 10, what: 'gets back what the service could not read' },
    { failure: refuse(401), left: 4, what: 'stays taken when the token ended between two tries' },
    { failure: refuse(409), left: 4, what: 'stays taken while another try runs' },
    { failure: refuse(503), left: 4, what: 'stays taken when the service is away' },
    { failure: new ServiceUnreachable('no'), left: 4, what: 'stays taken when no answer came' },
    { failure: new Error('aborted'), left: 4, what: 'stays taken when the assistant gave up' },
  ])('$what ($failure.message)', async ({ failure, left }) => {
    const budget = createBudget(10);
    budget.take(6);
    await expect(submitOnBudget(budget, 6, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(budget.left()).toBe(left);
  });
});

describe('--budget', () => {
  it.each([
    ['2h', 7200],
    ['3600s', 3600],
    ['1.5 node-hours', 5400],
    ['0', 0],
  ])('takes %s', (text, seconds) => {
    expect(readBudgetOption(text)).toBe(seconds);
  });

  it.each(['3600', '-1h', 'much', ''])('refuses %j: of what?', (text) => {
    expect(() => readBudgetOption(text)).toThrow('Write a time with its unit');
  });
});
