import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { Settings } from '../../settings.ts';

/** Percentages of the budget that trigger an email, of actual spending or of AWS's forecast for the month. */
const thresholds = [
  { notificationType: 'ACTUAL', threshold: 50 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
];

/**
 * Creates a budget that sends email when the account's monthly bill nears or exceeds it. It covers the whole account: a
 * budget filtered by the stack's tags would stay at zero until somebody activates them as cost allocation tags. It has
 * no explicit name, since CloudFormation replaces it when the addresses change.
 */
export function createBudget(scope: Construct, { budget, alarms }: Settings): void {
  if (!budget) return;
  const emails = budget.emails ?? alarms?.emails ?? [];
  const subscribers = emails.map((address) => ({ subscriptionType: 'EMAIL', address }));
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: budget.dollarsAMonth, unit: 'USD' },
      costTypes: { includeCredit: false, includeRefund: false }, // they would hide spending
    },
    // AWS rejects a notification without subscribers.
    ...(subscribers.length > 0 && {
      notificationsWithSubscribers: thresholds.map((threshold) => ({
        notification: { ...threshold, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
        subscribers,
      })),
    }),
  });
}
