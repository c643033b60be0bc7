import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { NewWebhook, WebhookUpdate } from '../api/types.ts';
import type { Issued } from '../ui/issuing/issued-secret.tsx';
import type { Filter } from './filter.ts';

const refreshIntervalMs = 5_000;

/** Query for all webhooks, without their secrets, newest first. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await api.GET('/webhooks', { signal })).data.data.webhooks,
});

const toPath = (webhook_id: string) => ({ path: { webhook_id } });

/** Query for one webhook. Polls, because its health changes with each delivery. */
export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: async ({ signal }) => (await api.GET('/webhooks/{webhook_id}', { params: toPath(id), signal })).data.data,
    refetchInterval: refreshIntervalMs,
  });

/** Query for the deliveries of a webhook, newest first, page by page. Polls while only the first page is loaded. */
export const deliveriesQuery = (id: string, { status }: Filter) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', status],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const params = { ...toPath(id), query: { status, limit: 50, cursor } };
      return (await api.GET('/webhooks/{webhook_id}/deliveries', { params, signal })).data.data;
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? refreshIntervalMs : false),
    staleTime: 0,
  });

const toHeader = (key: string) => ({ header: { 'Idempotency-Key': key } });

/** Creates a webhook. A retry with the same key creates no second one, and returns no secret. Throws ApiError. */
export const createWebhook = async (body: NewWebhook, idempotencyKey: string): Promise<Issued> =>
  (await api.POST('/webhooks', { params: toHeader(idempotencyKey), body })).data.data;

export const updateWebhook = async (id: string, body: WebhookUpdate) =>
  (await api.PUT('/webhooks/{webhook_id}', { params: toPath(id), body })).data.data;

export const deleteWebhook = (id: string) => api.DELETE('/webhooks/{webhook_id}', { params: toPath(id) });

/** Replaces the secret of a webhook. Retries behave as in `createWebhook`. Throws ApiError. */
export const rotateSecret = async (id: string, grace_seconds: number, idempotencyKey: string): Promise<Issued> =>
  (
    await api.POST('/webhooks/{webhook_id}/secret', {
      params: { ...toPath(id), ...toHeader(idempotencyKey) },
      body: { grace_seconds },
    })
  ).data.data;

export const sendTest = (id: string, idempotencyKey: string) =>
  api.POST('/webhooks/{webhook_id}/test', { params: { ...toPath(id), ...toHeader(idempotencyKey) }, body: {} });

export const sendAgain = (webhook_id: string, event_id: string, idempotencyKey: string) =>
  api.POST('/webhooks/{webhook_id}/deliveries/{event_id}', {
    params: { path: { webhook_id, event_id }, ...toHeader(idempotencyKey) },
    body: {},
  });

/** Period whose events are sent again. */
export interface ReplayPeriod {
  from: string;
  to?: string | undefined;
  only_failed: boolean;
}

export const replayPeriod = (id: string, body: ReplayPeriod, idempotencyKey: string) =>
  api.POST('/webhooks/{webhook_id}/replay', { params: { ...toPath(id), ...toHeader(idempotencyKey) }, body });
