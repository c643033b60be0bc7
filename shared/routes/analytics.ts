import { route } from '../route.ts';
import { AnalyticsQuery, AnalyticsResult, aboutPeriods } from '../schemas/usage.ts';

export const usage = /* @__PURE__ */ route(() => ({
  id: 'analytics/usage',
  method: 'GET',
  path: '/analytics/usage',
  scope: 'read',
  summary: 'Compare usage by day, assistant, version, model or end reason',
  description:
    'At most 366 days, or 92 by assistant or version, and with `assistant_id`. `interval` is the first day of a day, week (Monday) or ' +
    `month. By model or end reason, only the numbers that models or calls have are filled. At most 5,000 entries. ${aboutPeriods}`,
  query: AnalyticsQuery,
  returns: AnalyticsResult,
  errors: [],
  needs: { rows: { usage: ['Query', 'GetItem'] } },
}));
