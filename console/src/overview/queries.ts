import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../clients/typescript/src/api-error.ts';
import { api } from '../api/client.ts';
import type { Prices, Series, Session, Stats } from '../api/types.ts';
import { listLastDays, type Span } from './days.ts';

/** Number of the newest calls to show. */
const newest = 5;

/** Usage of the last days. */
export interface Usage {
  stats: Stats;
  /** By day, oldest first. */
  days: Series;
  /** By assistant and day, of all assistants. Empty if there are too many. */
  byAssistant: Series;
  /** The newest calls of the period. */
  sessions: Session[];
}

/** Query for the usage of the last days, of all assistants or of one. Days are UTC, as the API counts them. */
export const usageQuery = (span: Span, assistant: string | undefined) =>
  queryOptions({
    queryKey: ['calls', 'usage', span, assistant ?? null],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Usage> => {
      const [from = ''] = listLastDays(span, new Date());
      const query = { from, assistant_id: assistant };
      const readSeries = async (search: { group_by: 'day' | 'assistant'; assistant_id?: string | undefined }) =>
        (await api.GET('/analytics/usage', { params: { query: { from, ...search } }, signal })).data.data.series;
      const [stats, days, byAssistant, sessions] = await Promise.all([
        api.GET('/usage/stats', { params: { query }, signal }),
        readSeries({ group_by: 'day', assistant_id: assistant }),
        readSeries({ group_by: 'assistant' }).catch(ignoreTooMany),
        api.GET('/logs/chat-sessions', {
          params: { query: { from: `${from}T00:00:00Z`, assistant_id: assistant, limit: newest } },
          signal,
        }),
      ]);
      return { stats: stats.data.data, days, byAssistant, sessions: sessions.data.data.sessions };
    },
  });

/** Returns no entries if the answer would have too many. Throws any other error. */
function ignoreTooMany(error: unknown): Series {
  if (error instanceof ApiError && error.status === 422) return [];
  throw error;
}

/** Query for the use of the user's limits today. */
export const quotaQuery = queryOptions({
  queryKey: ['quotas'],
  staleTime: 10_000,
  queryFn: async ({ signal }) => (await api.GET('/protected', { signal })).data.data.quotas,
});

/** Prices with the entity tag of their revision. */
export interface TaggedPrices {
  prices: Prices;
  etag: string;
}

/** Query for the user's prices. */
export const pricesQuery = queryOptions({
  queryKey: ['prices'],
  staleTime: 0,
  gcTime: 0,
  queryFn: async ({ signal }): Promise<TaggedPrices> => {
    const { data, headers } = await api.GET('/usage/prices', { signal });
    return { prices: data.data, etag: headers.get('etag') ?? '' };
  },
});

/** Replaces all prices, if nobody has replaced them since they were read. Throws ApiError. */
export const savePrices = ({ prices: { currency, entries }, etag }: TaggedPrices) =>
  api.PUT('/usage/prices', { params: { header: { 'If-Match': etag } }, body: { currency, entries } });
