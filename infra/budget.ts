import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** Percentages of the budget that are told of, as spent or as what AWS expects of the month. */
const notices = [
  { notificationType: 'ACTUAL', threshold: 50 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
];

/**
 * Mails when the account's bill of a month comes near the budget or exceeds it. It covers the whole account: a budget for the
 * stack's tags would stay at nothing, and silent, until somebody activates them for the bill. It has no name of its own, since
 * CloudFormation replaces it when its addresses change.
 */
export function watchBill(scope: Construct, { budget, alarms }: Settings): void {
  if (!budget) return;
  const emails = budget.emails ?? alarms?.emails ?? [];
  const subscribers = emails.map((address) => ({ subscriptionType: 'EMAIL', address }));
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: budget.dollarsAMonth, unit: 'USD' },
      costTypes: { includeCredit: false, includeRefund: false }, // they would hide what is spent
    },
    // AWS takes no notice that nobody gets.
    ...(subscribers.length > 0 && {
      notificationsWithSubscribers: notices.map((notice) => ({
        notification: { ...notice, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
        subscribers,
      })),
    }),
  });
}
