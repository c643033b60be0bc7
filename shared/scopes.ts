/** What an API key may be allowed: to read, to change, to save call logs, to read what a worker needs to take a call. */
export const scopes = ['read', 'write', 'logs', 'runtime'] as const;
export type Scope = (typeof scopes)[number];
