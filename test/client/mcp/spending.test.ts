import { describe, expect, it } from 'vitest';
import { readBudgetOption } from '#client/src/cli/mcp/mcp.ts';
import { type Budget, createBudget } from '#client/src/cli/mcp/tools/budget.ts';
import { submitOrGiveBack } from '#client/src/cli/mcp/tools/spending.ts';
import { explain } from '#client/src/cli/terminal/outcome.ts';
import { ServiceUnreachable, SlipwayProblem } from '../../../client/src/index.ts';

function refuse(status: number) {
  return new SlipwayProblem({ type: 'about:blank', title: '', status, detail: 'no' });
}

describe('a budget', () => {
  it('can be spent to its last second, and no further', () => {
    const budget = createBudget(10);
    expect([budget.take(10), budget.take(1), budget.left()]).toEqual([true, false, 0]);
  });

  const inDoubt = /no.*The batch may have been submitted. Check with batches/s;
  const refused = /^no$/;

  it.each([
    { failure: refuse(403), left: 10, words: refused, what: 'gets back the time of a refused job' },
    {
      failure: refuse(422),
      left: 10,
      words: refused,
      what: 'gets back the time of an invalid job',
    },
    {
      failure: refuse(401),
      left: 4,
      words: inDoubt,
      what: 'stays spent when the token expired meanwhile',
    },
    {
      failure: refuse(409),
      left: 4,
      words: inDoubt,
      what: 'stays spent while another try is running',
    },
    { failure: refuse(503), left: 4, words: inDoubt, what: 'stays spent when the service is down' },
    {
      failure: new ServiceUnreachable('no answer'),
      left: 4,
      words: inDoubt,
      what: 'stays spent when no answer came',
    },
    {
      failure: new Error('not waited for'),
      left: 4,
      words: inDoubt,
      what: 'stays spent when the assistant gave up',
    },
  ])('$what', async ({ failure, left, words }) => {
    const budget = createBudget(10);
    budget.take(6);
    await expect(submitAndFail(budget, failure)).rejects.toThrow(words);
    expect(budget.left()).toBe(left);
  });
});

/** As the assistant reads it. */
async function submitAndFail(budget: Budget, failure: Error): Promise<void> {
  try {
    const spending = { seconds: 6, kind: 'batch' } as const;
    await submitOrGiveBack(budget, spending, () => Promise.reject(failure));
  } catch (error) {
    throw new Error(explain(error, false).lines.join('\n'));
  }
}

describe('--budget', () => {
  it.each([
    ['2h', 7200],
    ['3600s', 3600],
    ['1.5 node-hours', 5400],
    ['0', 0],
  ])('takes %s', (text, seconds) => {
    expect(readBudgetOption(text)).toBe(seconds);
  });

  it.each(['3600', '-1h', 'much', ''])('refuses %j, which is not a time with a unit', (text) => {
    expect(() => readBudgetOption(text)).toThrow('Write a time with its unit');
  });
});
