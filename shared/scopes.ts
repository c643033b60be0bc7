/** Scopes of an API key: read, change, save call logs, and read the runtime configuration that a call needs. */
export const scopes = ['read', 'write', 'logs', 'runtime'] as const;
export type Scope = (typeof scopes)[number];
