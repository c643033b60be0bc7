export type { Api, ApiResponse } from './api.ts';
export { ApiError, type Fault } from './api-error.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { CallPiece, CompletionPiece } from './completion.ts';
export { createIdempotencyKeys } from './idempotency.ts';
export type { ListItem, ListOptions, ListPath } from './pagination.ts';
export type { components, operations, paths } from './schema.d.ts';
export type { Token } from './transport.ts';
export { type Delivery, verifyWebhook, WebhookError, type WebhookEvent, type WebhookHeaders } from './webhook.ts';
