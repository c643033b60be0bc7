import * as v from 'valibot';
import { define } from '../define.ts';
import { quotas } from '../quotas.ts';
import { Timestamp } from './common.ts';

/** A limit that applies to the caller, and how much of it is used today (UTC). */
export const QuotaUse = /* @__PURE__ */ define(() =>
  v.object({
    name: v.picklist(quotas),
    set_by: v.picklist(['tier', 'api_key']),
    limit: v.number(),
    used: v.number(),
    resets_at: Timestamp,
  }),
);
export type QuotaUse = v.InferOutput<typeof QuotaUse>;
