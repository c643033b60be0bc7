import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { invalidate } from '../../api/list-cache.ts';
import type { Live, LiveChange, Publication, Version } from '../../api/types.ts';
import { listLastDays } from '../../overview/days.ts';
import type { AssistantWithEtag } from '../queries.ts';
import { sumByVersion } from './usage.ts';

/** A version as the API names it. */
export type VersionReference = number | 'live' | 'draft';

const rootKey = ['assistants', 'versions'] as const;
const toPath = (assistant_id: string) => ({ path: { assistant_id } });
const toVersionPath = (assistant_id: string, version: number) => ({ path: { assistant_id, version } });

/** Query for the versions of an assistant, newest first, page by page. All of them are three pages. */
export const versionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...rootKey, id, 'list'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const params = { ...toPath(id), query: { limit: cursor === undefined ? 20 : 100, cursor } };
      return (await api.GET('/assistants/{assistant_id}/versions', { params, signal })).data.data;
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });

/** Query for the content of a version, or of the one that most calls get. */
export const contentQuery = (id: string, version: string) =>
  queryOptions({
    queryKey: [...rootKey, id, 'content', version],
    queryFn: async ({ signal }) => {
      const params = { path: { assistant_id: id, version } };
      return (await api.GET('/assistants/{assistant_id}/versions/{version}', { params, signal })).data.data.assistant;
    },
  });

/** The versions that calls get, and the entity tag that changes of them send in `If-Match`. */
export interface Pointer {
  /** Null while calls get the draft. */
  live: Live | null;
  etag: string;
}

/**
 * Query for the versions that calls get. Reads the entity tag first: if they change between the two reads, the next change is
 * refused rather than made unseen.
 */
export const pointerQuery = (id: string) =>
  queryOptions({
    queryKey: [...rootKey, id, 'live'],
    queryFn: async ({ signal }): Promise<Pointer> => {
      const params = { path: { assistant_id: id, version: 'live' } };
      const { headers } = await api.GET('/assistants/{assistant_id}/versions/{version}', { params, signal });
      const { data } = await api.GET('/assistants/{assistant_id}/versions', {
        params: { ...toPath(id), query: { limit: 1 } },
        signal,
      });
      return { live: data.data.live, etag: headers.get('etag') ?? '' };
    },
  });

interface Comparison {
  version: VersionReference;
  /** The version before, if undefined. */
  against?: VersionReference | undefined;
  /** Entity tag of the draft, if it is compared: another one needs another read. */
  etag?: string | undefined;
}

/** Query for what differs between two versions. */
export const differencesQuery = (id: string, { version, against, etag }: Comparison) =>
  queryOptions({
    queryKey: [...rootKey, id, 'differences', version, against ?? null, etag ?? null],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const params = {
        path: { assistant_id: id, version: String(version) },
        query: { against: against === undefined ? undefined : String(against) },
      };
      return (await api.GET('/assistants/{assistant_id}/versions/{version}/diff', { params, signal })).data.data;
    },
  });

/** Number of days whose calls are compared. */
const comparedDays = 7;

/** Query for the usage of each version in the last days. Months are the longest intervals, so few have to be added up. */
export const versionUsageQuery = (id: string) =>
  queryOptions({
    queryKey: ['calls', 'usage', 'versions', id],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const [from = ''] = listLastDays(comparedDays, new Date());
      const query = { from, assistant_id: id, group_by: 'version', interval: 'month' } as const;
      const { data } = await api.GET('/analytics/usage', { params: { query }, signal });
      const { series, currency } = data.data;
      return { byVersion: sumByVersion(series), currency };
    },
  });

/** Publishes the draft if nobody has edited it since it was read. A retry with the same key makes no second version. Throws ApiError. */
export const publishDraft = async ({ assistant: { id }, etag }: AssistantWithEtag, body: Publication, key: string) =>
  (
    await api.POST('/assistants/{assistant_id}/versions', {
      params: { ...toPath(id), header: { 'If-Match': etag, 'Idempotency-Key': key } },
      body,
    })
  ).data.data;

/** Changes what calls get, if nobody has changed it since `etag`. Throws ApiError. */
export const changeLive = async (id: string, etag: string, body: LiveChange) =>
  (await api.PUT('/assistants/{assistant_id}/live', { params: { ...toPath(id), header: { 'If-Match': etag } }, body }))
    .data.data.live;

/** Copies a version into the draft, if nobody has edited it since it was read. Throws ApiError. */
export async function restoreVersion(
  { assistant: { id }, etag }: AssistantWithEtag,
  version: Version['version'],
): Promise<AssistantWithEtag> {
  const { data, headers } = await api.POST('/assistants/{assistant_id}/versions/{version}/restore', {
    params: { ...toVersionPath(id, version), header: { 'If-Match': etag } },
    body: {},
  });
  return { assistant: data, etag: headers.get('etag') ?? '' };
}

export const deleteVersion = (id: string, version: number) =>
  api.DELETE('/assistants/{assistant_id}/versions/{version}', { params: toVersionPath(id, version) });

/** Invalidates all reads of assistants and their versions. */
export const refreshVersions = (cache: QueryClient): Promise<void> => invalidate(cache, ['assistants']);
