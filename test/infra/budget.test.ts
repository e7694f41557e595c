import { describe, expect, it } from 'vitest';
import { type Context, findAll, production, synthesize } from './synthesize.ts';

const alarmEmail = 'ops@example.org';

function findBudgets(context: Context) {
  const { monitoring } = synthesize(context);
  return findAll(monitoring, 'AWS::Budgets::Budget').map(([, { Properties }]) => Properties);
}

describe('the budget', () => {
  it('is created in production for the address of the alarms', () => {
    const [budget, ...others] = findBudgets({ ...production, alarmEmail });
    expect(others).toEqual([]);
    expect(budget).toMatchObject({
      Budget: {
        BudgetName: 'slipway-prod-monthly',
        BudgetType: 'COST',
        TimeUnit: 'MONTHLY',
        BudgetLimit: { Amount: 100, Unit: 'USD' },
      },
    });
    const subscribers = [{ SubscriptionType: 'EMAIL', Address: alarmEmail }];
    const warnings = [
      ['ACTUAL', 80],
      ['ACTUAL', 100],
      ['FORECASTED', 100],
    ].map(([NotificationType, Threshold]) => ({
      Notification: {
        NotificationType,
        Threshold,
        ThresholdType: 'PERCENTAGE',
        ComparisonOperator: 'GREATER_THAN',
      },
      Subscribers: subscribers,
    }));
    expect(budget?.NotificationsWithSubscribers).toEqual(warnings);
  });

  it('takes an amount and an address of its own, in any stage', () => {
    const own = { monthlyBudgetUsd: '250', budgetEmail: 'finance@example.org' };
    expect(findBudgets({ ...own, alarmEmail })).toMatchObject([
      {
        Budget: { BudgetName: 'slipway-dev-monthly', BudgetLimit: { Amount: 250 } },
        NotificationsWithSubscribers: Array(3).fill({
          Subscribers: [{ Address: 'finance@example.org' }],
        }),
      },
    ]);
  });

  it.each<[string, Context]>([
    ['without an address', production],
    ['where it is left out', { ...production, alarmEmail, monthlyBudgetUsd: '0' }],
    ['in other stages by default', { alarmEmail }],
  ])('is absent %s', (_, context) => {
    expect(findBudgets(context)).toEqual([]);
  });
});
