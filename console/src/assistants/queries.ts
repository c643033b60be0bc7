import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../clients/typescript/src/api-error.ts';
import { parseNextCursor } from '../../../clients/typescript/src/pagination.ts';
import { api } from '../api/client.ts';
import { invalidate, invalidateFromTop, updateLists } from '../api/list-cache.ts';
import { getPageSize } from '../api/pagination.ts';
import type { Assistant, AssistantUpdate } from '../api/types.ts';
import type { Draft } from './draft/draft.ts';

/** An assistant and its ETag, which updates send in `If-Match`. */
export interface AssistantWithEtag {
  assistant: Assistant;
  etag: string;
}

const rootKey = ['assistants'] as const;
const listsKey = [...rootKey, 'list'] as const;
const toPathParams = (id: string) => ({ path: { assistant_id: id } });
const toAssistantWithEtag = ({ data, headers }: { data: Assistant; headers: Headers }): AssistantWithEtag => ({
  assistant: data,
  etag: headers.get('etag') ?? '',
});

/** Query for the assistants with a text in their name, newest first, page by page. */
export const assistantsQuery = (name: string) =>
  infiniteQueryOptions({
    queryKey: [...listsKey, name],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: getPageSize(cursor), cursor, name: name || undefined };
      const { data, headers } = await api.GET('/assistants', { params: { query }, signal });
      return { assistants: data, next: parseNextCursor(headers) };
    },
    getNextPageParam: ({ next }) => next,
  });

const maxSuggestions = 20;
/** The API filters each page after reading it, so a page can be empty without being the last. */
const maxPages = 10;

/** Query for up to 20 assistants with a text in their name, newest first, as suggestions. */
export const assistantSuggestionsQuery = (name: string) =>
  queryOptions({
    queryKey: [...listsKey, name, 'some'],
    queryFn: async ({ signal }) => {
      const found: Assistant[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages && found.length < maxSuggestions; page++) {
        const query = { limit: getPageSize(cursor), cursor, name: name || undefined };
        const { data, headers } = await api.GET('/assistants', { params: { query }, signal });
        found.push(...data);
        cursor = parseNextCursor(headers);
        if (cursor === undefined) break;
      }
      return found.slice(0, maxSuggestions);
    },
  });

/** True if the assistant does not exist any more. */
export const isAssistantDeleted = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

export const assistantQuery = (id: string) =>
  queryOptions({
    queryKey: [...rootKey, 'one', id],
    queryFn: async ({ signal }) =>
      toAssistantWithEtag(await api.GET('/assistants/{assistant_id}', { params: toPathParams(id), signal })),
  });

/** Query for an assistant to copy. Reads it once when the page opens, and ignores the cache. */
export const originalQuery = (id: string) =>
  queryOptions({
    queryKey: [...rootKey, 'original', id],
    queryFn: assistantQuery(id).queryFn,
    staleTime: 'static',
    gcTime: 0,
  });

/** Updates the cached lists in place, keeping their order. */
async function updateListed(cache: QueryClient, update: (listed: Assistant[]) => Assistant[]): Promise<void> {
  await updateLists(cache, listsKey, (page: { assistants: Assistant[] }) => ({
    ...page,
    assistants: update(page.assistants),
  }));
  await invalidate(cache, listsKey);
}

/** Caches the response of a write. Cancels reads in flight, which would overwrite it. */
async function setCached(cache: QueryClient, written: AssistantWithEtag): Promise<void> {
  const { queryKey } = assistantQuery(written.assistant.id);
  await cache.cancelQueries({ queryKey });
  cache.setQueryData(queryKey, written);
}

/** Caches the response of an update, and updates the lists. */
export async function cacheUpdated(cache: QueryClient, changed: AssistantWithEtag): Promise<void> {
  await setCached(cache, changed);
  const { assistant } = changed;
  await updateListed(cache, (listed) => listed.map((one) => (one.id === assistant.id ? assistant : one)));
}

/** Caches the response of a creation, and refreshes the lists. */
export async function cacheCreated(cache: QueryClient, created: AssistantWithEtag): Promise<void> {
  await setCached(cache, created);
  await invalidateFromTop(cache, listsKey);
}

/** Reads an assistant again, cancelling any read in flight. Throws ApiError. */
export async function refetchAssistant(cache: QueryClient, id: string): Promise<AssistantWithEtag> {
  const query = assistantQuery(id);
  await cache.cancelQueries(query);
  return cache.fetchQuery({ ...query, staleTime: 0 });
}

/** Removes a deleted assistant from the cache. */
export async function removeFromCache(cache: QueryClient, id: string): Promise<void> {
  await updateListed(cache, (listed) => listed.filter((one) => one.id !== id));
  cache.removeQueries({ queryKey: assistantQuery(id).queryKey });
}

/** Creates an assistant. A retry with the same `key` and draft creates no second one. Throws ApiError. */
export const createAssistant = async (draft: Draft, key: string): Promise<AssistantWithEtag> =>
  toAssistantWithEtag(await api.POST('/assistants', { params: { header: { 'Idempotency-Key': key } }, body: draft }));

/** Updates an assistant if nobody has changed it since `etag`. Throws ApiError, with status 412 if somebody has. */
export const updateAssistant = async (id: string, etag: string, changes: AssistantUpdate): Promise<AssistantWithEtag> =>
  toAssistantWithEtag(
    await api.PUT('/assistants/{assistant_id}', {
      params: { ...toPathParams(id), header: { 'If-Match': etag } },
      body: changes,
    }),
  );

export const deleteAssistant = (id: string) => api.DELETE('/assistants/{assistant_id}', { params: toPathParams(id) });

export const attachKnowledgeBase = (id: string, knowledge_base_id: string, signal?: AbortSignal) =>
  api.PUT('/assistants/{assistant_id}/knowledge-bases/{knowledge_base_id}', {
    params: { path: { assistant_id: id, knowledge_base_id } },
    ...(signal && { signal }),
  });

/** Runs an `http` tool of an assistant as it is saved, whichever version is live, and returns its answer. */
export async function callTool({ assistantId, name, given }: { assistantId: string; name: string; given: object }) {
  const params = { path: { assistant_id: assistantId, tool_name: name }, query: { version: 'draft' } };
  const body = { arguments: { ...given } };
  const { data } = await api.POST('/assistants/{assistant_id}/tools/{tool_name}/call', { params, body });
  return data.data;
}
