import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import type { Session } from '../api/types.ts';
import { beginOf, type Span } from './days.ts';

const pageSize = 1000;

/** A page of a thousand takes about a tenth of a second: more than these would be waited for. */
const mostPages = 10;

export interface Listed {
  /** Newest first. */
  sessions: Session[];
  /** Whether there are older ones that were not read. */
  isCut: boolean;
}

/** The calls that were saved in the last days, the newest 10,000 of them, in at most ten requests. */
export const sessionsQuery = (span: Span) =>
  queryOptions({
    queryKey: ['calls', 'last', span],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Listed> => {
      const from = beginOf(span, new Date()).toISOString();
      const sessions: Session[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < mostPages; page++) {
        const query = { from, limit: pageSize, cursor };
        const { data } = await answer(api.GET('/logs/chat-sessions', { params: { query }, signal }));
        sessions.push(...data.data.sessions);
        cursor = data.data.next_cursor ?? undefined;
        if (cursor === undefined) return { sessions, isCut: false };
      }
      return { sessions, isCut: true };
    },
  });
