import { listIgnoredAmounts } from '../domain/prices.ts';
import { route } from '../route.ts';
import { aboutPeriods, NewPrices, SavedPrices, StatsQuery, StatsResult } from '../schemas/usage.ts';

export const stats = /* @__PURE__ */ route(() => ({
  id: 'usage/stats',
  method: 'GET',
  path: '/usage/stats',
  scope: 'read',
  summary: 'Sum up calls, latency and cost',
  description: `At most 366 days, or 92 with \`assistant_id\`. ${aboutPeriods}`,
  query: StatsQuery,
  returns: StatsResult,
  errors: [],
  needs: { rows: { usage: ['Query', 'GetItem'] } },
}));

export const prices = /* @__PURE__ */ route(() => ({
  id: 'usage/prices',
  method: 'GET',
  path: '/usage/prices',
  scope: 'read',
  summary: 'Read your prices',
  returns: SavedPrices,
  etag: true,
  errors: [],
  needs: { rows: { usage: ['GetItem'] } },
}));

export const savePrices = /* @__PURE__ */ route(() => ({
  id: 'usage/save-prices',
  method: 'PUT',
  path: '/usage/prices',
  scope: 'write',
  summary: 'Replace your prices',
  description:
    'The cost of calls that are saved from now on follows from these prices, unless the worker reports a cost. A name is `call`, or a ' +
    'kind, a provider and a model: `llm:openai/gpt-4.1-mini`; `tts:cartesia/*` is the price of all models without their own. `llm` has ' +
    '`input`, `cached_input` or `output` per million tokens, `tts` has `per_million_characters`, `stt` and `call` have `per_minute`; a ' +
    'price with none of its amounts is refused. Prices that are not sent are removed; without `currency`, it stays. With `If-Match`, only the revision that you read is ' +
    'replaced.',
  body: NewPrices,
  listIgnored: listIgnoredAmounts,
  returns: SavedPrices,
  etag: true,
  conditional: 'if-match',
  errors: ['Conflict', 'PreconditionFailed'],
  tells: ['prices.saved'],
  needs: { rows: { usage: ['GetItem', 'PutItem'] } },
}));
