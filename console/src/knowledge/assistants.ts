import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import { nextCursor } from '../api/pages.ts';
import type { Assistant } from '../api/types.ts';

const pageSize = 50;
const enough = 20;
/** A page of the filtered list may be empty and still lead on. */
const maxPages = 10;

/** Some assistants whose name contains a text, newest first. */
export const assistantsNamedQuery = (name: string) =>
  queryOptions({
    queryKey: ['assistants', 'named', name],
    queryFn: async ({ signal }) => {
      const found: Assistant[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages && found.length < enough; page++) {
        const query = { limit: pageSize, cursor, name: name || undefined };
        const { data, headers } = await answer(api.GET('/assistants', { params: { query }, signal }));
        found.push(...data);
        cursor = nextCursor(headers);
        if (cursor === undefined) break;
      }
      return found.slice(0, enough);
    },
  });

/** One assistant, for its name and for what is attached to it. */
export const attachedToQuery = (assistant_id: string) =>
  queryOptions({
    queryKey: ['assistants', 'attached-to', assistant_id],
    queryFn: async ({ signal }) => {
      const { data } = await answer(
        api.GET('/assistants/{assistant_id}', { params: { path: { assistant_id } }, signal }),
      );
      return data;
    },
  });
