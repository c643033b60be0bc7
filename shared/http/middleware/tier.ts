import { findTier, listTierLimits, type QuotaRules } from '../../domain/quota.ts';
import type { User } from '../../user.ts';

/** Rules of quotas. Undefined if none are set, or if the function's route does not need them. */
export const quotaRules: QuotaRules | undefined =
  process.env.QUOTAS === undefined ? undefined : JSON.parse(process.env.QUOTAS);

/** Returns the tier that a claim or an API key names, or the default one, with its limits. Neither without rules. */
export function findLimits(named: unknown): Pick<User, 'tier' | 'limits'> {
  if (!quotaRules) return { limits: [] };
  const tier = findTier(quotaRules, named);
  return { tier, limits: listTierLimits(quotaRules, tier) };
}
