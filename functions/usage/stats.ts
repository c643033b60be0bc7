import { parsePeriod, splitPeriod, sumUsage, toStats } from '../../shared/domain/usage-report.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { stats } from '../../shared/routes/usage.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as prices from '../../shared/store/usage/prices.ts';
import * as usage from '../../shared/store/usage/usage.ts';

/** Sums up the caller's usage of a period. */
export const handler = endpoint(stats, async ({ query, user }) => {
  const { assistant_id } = query;
  const isByAssistant = assistant_id !== undefined;
  const period = parsePeriod(query, isByAssistant, Date.now());
  const read = { bytes: 0, chosen: new Set() };
  const [sum, { currency }] = await Promise.all([
    sumUsage(splitPeriod(period).map((part) => usage.list(user.key, part, { isByAssistant, assistant_id }, read))),
    prices.get(user.key),
  ]);
  return { body: toEnvelope('Usage read', toStats(period, currency, sum)) };
});
