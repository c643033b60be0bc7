import * as v from 'valibot';
import { route } from '../route.ts';
import { Envelope, Timestamp } from '../schemas/common.ts';
import { QuotaUse } from '../schemas/quota.ts';

export const check = /* @__PURE__ */ route(() => ({
  id: 'protected/check',
  method: 'GET',
  path: '/protected',
  scope: 'any',
  summary: 'Check your token, and see your limits',
  description:
    'Who you are, in which workspace, with which role and tier. `quotas` has the limits that apply to you, with what is used today.',
  returns: Envelope(
    v.object({
      user_id: v.string(),
      token_type: v.picklist(['jwt', 'api_key']),
      expires_at: v.nullable(Timestamp),
      scopes: v.array(v.string()),
      workspace: v.nullable(v.string()),
      role: v.nullable(v.string()),
      workspaces: v.array(v.string()),
      tier: v.nullable(v.string()),
      quotas: v.array(QuotaUse),
    }),
  ),
  errors: [],
  needs: { rows: { quotas: ['GetItem'] }, tiers: true },
}));
