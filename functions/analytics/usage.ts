import { groupUsage, parsePeriod, toAnalytics } from '../../shared/domain/usage-report.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { usage } from '../../shared/routes/analytics.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as prices from '../../shared/store/usage/prices.ts';
import * as store from '../../shared/store/usage/usage.ts';

/** Groups the caller's usage of a period by what it is compared by. */
export const handler = endpoint(usage, async ({ query, user }) => {
  const { assistant_id, group_by } = query;
  const isByAssistant = assistant_id !== undefined || group_by === 'assistant' || group_by === 'version';
  const period = parsePeriod(query, isByAssistant, Date.now());
  const [groups, { currency }] = await Promise.all([
    groupUsage(store.list(user.key, period, { isByAssistant, assistant_id }, { bytes: 0, chosen: new Set() }), query),
    prices.get(user.key),
  ]);
  return { body: toEnvelope('Usage read', toAnalytics(period, currency, groups)) };
});
