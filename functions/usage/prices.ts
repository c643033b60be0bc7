import { toPricesResult } from '../../shared/domain/prices.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { prices } from '../../shared/routes/usage.ts';
import * as store from '../../shared/store/usage/prices.ts';

/** Returns the caller's prices. */
export const handler = endpoint(prices, async ({ user }) => toPricesResult('Prices read', await store.get(user.key)));
