/** Kinds of requests that cost money and are counted per owner and UTC day (docs/quotas.md). */
export const quotas = ['completions', 'search_answers', 'tool_calls', 'web_calls', 'uploads'] as const;
export type Quota = (typeof quotas)[number];

/** Highest limit that can be set. */
export const maxQuotaLimit = 1_000_000_000;

/** Limits per UTC day. A missing one means unlimited. */
export type QuotaLimits = { readonly [Q in Quota]?: number | undefined };
