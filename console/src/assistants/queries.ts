import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import { changeLists, readAgain, readFromTop } from '../api/lists.ts';
import { limitAt, nextCursor } from '../api/pages.ts';
import { Problem } from '../api/problem.ts';
import type { Assistant, AssistantUpdate } from '../api/types.ts';
import type { Draft } from './draft.ts';

/** An assistant as it was read, and the version to name in `If-Match` when it is changed. */
export interface ReadAssistant {
  assistant: Assistant;
  etag: string;
}

const all = ['assistants'] as const;
const lists = [...all, 'list'] as const;
const pathOf = (id: string) => ({ path: { assistant_id: id } });
const read = ({ data, headers }: { data: Assistant; headers: Headers }): ReadAssistant => ({
  assistant: data,
  etag: headers.get('etag') ?? '',
});

/** The assistants whose name contains a text, newest first, page by page. */
export const assistantsQuery = (name: string) =>
  infiniteQueryOptions({
    queryKey: [...lists, name],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: limitAt(cursor), cursor, name: name || undefined };
      const { data, headers } = await answer(api.GET('/assistants', { params: { query }, signal }));
      return { assistants: data, next: nextCursor(headers) };
    },
    getNextPageParam: ({ next }) => next,
  });

const enough = 20;
/** A page of the filtered list may be empty and still lead on. */
const maxPages = 10;

/** Some assistants whose name contains a text, newest first, to choose from. */
export const assistantsNamedQuery = (name: string) =>
  queryOptions({
    queryKey: [...lists, name, 'some'],
    queryFn: async ({ signal }) => {
      const found: Assistant[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages && found.length < enough; page++) {
        const query = { limit: limitAt(cursor), cursor, name: name || undefined };
        const { data, headers } = await answer(api.GET('/assistants', { params: { query }, signal }));
        found.push(...data);
        cursor = nextCursor(headers);
        if (cursor === undefined) break;
      }
      return found.slice(0, enough);
    },
  });

/** Whether there is no such assistant any more. */
export const isGone = (error: unknown): boolean => error instanceof Problem && error.status === 404;

/** One assistant. */
export const assistantQuery = (id: string) =>
  queryOptions({
    queryKey: [...all, 'one', id],
    queryFn: async ({ signal }) =>
      read(await answer(api.GET('/assistants/{assistant_id}', { params: pathOf(id), signal }))),
  });

/** An assistant to copy, read as it is when that begins, whatever was read of it before. */
export const originalQuery = (id: string) =>
  queryOptions({
    queryKey: [...all, 'original', id],
    queryFn: assistantQuery(id).queryFn,
    staleTime: 'static',
    gcTime: 0,
  });

/** Changes the lists in place: an assistant stays where it is among the others. */
async function change(cache: QueryClient, to: (listed: Assistant[]) => Assistant[]): Promise<void> {
  await changeLists(cache, lists, (page: { assistants: Assistant[] }) => ({
    ...page,
    assistants: to(page.assistants),
  }));
  await readAgain(cache, lists);
}

/** Puts what a write has answered into the cache, over what is on its way from before. */
async function put(cache: QueryClient, written: ReadAssistant): Promise<void> {
  const { queryKey } = assistantQuery(written.assistant.id);
  await cache.cancelQueries({ queryKey });
  cache.setQueryData(queryKey, written);
}

/** Puts what a change has answered into the cache, and has the lists show it. */
export async function remember(cache: QueryClient, changed: ReadAssistant): Promise<void> {
  await put(cache, changed);
  const { assistant } = changed;
  await change(cache, (listed) => listed.map((one) => (one.id === assistant.id ? assistant : one)));
}

/** The same with an assistant that is new. */
export async function rememberNew(cache: QueryClient, created: ReadAssistant): Promise<void> {
  await put(cache, created);
  await readFromTop(cache, lists);
}

/** Reads an assistant anew, whatever of it is on its way. Throws Problem. */
export async function readAnew(cache: QueryClient, id: string): Promise<ReadAssistant> {
  const query = assistantQuery(id);
  await cache.cancelQueries(query);
  return cache.fetchQuery({ ...query, staleTime: 0 });
}

/** Takes an assistant that is gone out of the cache. */
export async function forget(cache: QueryClient, id: string): Promise<void> {
  await change(cache, (listed) => listed.filter((one) => one.id !== id));
  cache.removeQueries({ queryKey: assistantQuery(id).queryKey });
}

/** Creates an assistant. The same `key` and draft, sent again, make no second one. Throws Problem. */
export const createAssistant = async (draft: Draft, key: string): Promise<ReadAssistant> =>
  read(await answer(api.POST('/assistants', { params: { header: { 'Idempotency-Key': key } }, body: draft })));

/** Changes an assistant, provided that nobody has since `etag`. Throws Problem, of status 412 where somebody has. */
export const updateAssistant = async (id: string, etag: string, changes: AssistantUpdate): Promise<ReadAssistant> =>
  read(
    await answer(
      api.PUT('/assistants/{assistant_id}', { params: { ...pathOf(id), header: { 'If-Match': etag } }, body: changes }),
    ),
  );

/** Deletes an assistant. Throws Problem. */
export const deleteAssistant = (id: string) => answer(api.DELETE('/assistants/{assistant_id}', { params: pathOf(id) }));

/** Attaches a knowledge base. Throws Problem. */
export const attach = (id: string, knowledge_base_id: string, signal?: AbortSignal) =>
  answer(
    api.PUT('/assistants/{assistant_id}/knowledge-bases/{knowledge_base_id}', {
      params: { path: { assistant_id: id, knowledge_base_id } },
      ...(signal && { signal }),
    }),
  );
