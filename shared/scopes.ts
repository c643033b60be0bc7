/** Scopes of an API key: read, change, save call logs, read the runtime configuration that a call needs, and read events. */
export const scopes = ['read', 'write', 'logs', 'runtime', 'events'] as const;
export type Scope = (typeof scopes)[number];
