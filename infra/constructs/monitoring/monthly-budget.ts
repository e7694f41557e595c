import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import type { Budget } from '../../settings/config.ts';

export interface MonthlyBudgetProps {
  readonly service: string;
  readonly budget: Budget;
}

/**
 * Warns by email about the monthly costs of the whole account. Costs of one stage could be told
 * apart only by a tag that the operator activates in the billing settings first. Until then, such a
 * budget would stay at zero without a word.
 */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { service, budget }: MonthlyBudgetProps) {
    super(scope, id);
    const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: {
        notificationType,
        comparisonOperator: 'GREATER_THAN',
        threshold,
        thresholdType: 'PERCENTAGE',
      },
      subscribers: [{ subscriptionType: 'EMAIL', address: budget.email }],
    });
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: `${service}-monthly`,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: budget.dollars, unit: 'USD' },
      },
      notificationsWithSubscribers: [
        notify('ACTUAL', 80),
        notify('ACTUAL', 100),
        notify('FORECASTED', 100),
      ],
    });
  }
}
