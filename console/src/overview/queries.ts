import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import type { Session } from '../api/types.ts';
import { getSpanStart, type Span } from './days.ts';

const pageSize = 1000;

/** Limit of pages to load. A page of 1,000 calls takes about a tenth of a second, so more would be noticeable. */
const maxPages = 10;

export interface RecentCalls {
  /** Newest first. */
  sessions: Session[];
  /** True if older calls were left out. */
  isTruncated: boolean;
}

/** Query for the calls of the last days, at most the newest 10,000, in ten requests or fewer. */
export const recentCallsQuery = (span: Span) =>
  queryOptions({
    queryKey: ['calls', 'last', span],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<RecentCalls> => {
      const from = getSpanStart(span, new Date()).toISOString();
      const sessions: Session[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages; page++) {
        const query = { from, limit: pageSize, cursor };
        const { data } = await unwrap(api.GET('/logs/chat-sessions', { params: { query }, signal }));
        sessions.push(...data.data.sessions);
        cursor = data.data.next_cursor ?? undefined;
        if (cursor === undefined) return { sessions, isTruncated: false };
      }
      return { sessions, isTruncated: true };
    },
  });
