import { checkPrices, toPricesResult } from '../../shared/domain/prices.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { savePrices } from '../../shared/routes/usage.ts';
import * as prices from '../../shared/store/usage/prices.ts';

/** Replaces the caller's prices. */
export const handler = jsonEndpoint(savePrices, async ({ body, ifMatch, user, tell }) => {
  checkPrices(body);
  const saved = await prices.replace(user.key, body, ifMatch, ({ currency, entries }) => [
    tell('prices.saved', 'prices', { currency, prices: Object.keys(entries).length }),
  ]);
  return toPricesResult('Prices saved', saved);
});
