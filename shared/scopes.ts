/**
 * Scopes of an API key: read, change, save call logs, read the runtime configuration that a call needs, talk to assistants in text, which
 * costs money, read events, and manage webhooks, which receive events.
 */
export const scopes = ['read', 'write', 'logs', 'runtime', 'chat', 'events', 'webhooks'] as const;
export type Scope = (typeof scopes)[number];
