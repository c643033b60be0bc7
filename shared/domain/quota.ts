import { QuotaExceeded } from '../errors.ts';
import { type Quota, type QuotaLimits, quotas } from '../quotas.ts';

/** Setting `quotas` (infra/settings.ts), as functions get it. */
export interface QuotaRules {
  /** Claim that names a person's tier: a string, or a list of strings. */
  tierClaim?: string;
  /** Tier of callers without the claim. */
  defaultTier: string;
  /** Limits of each tier, the lowest tier first. */
  tiers: Record<string, QuotaLimits>;
}

/** Returns the highest tier that a claim or an API key names, or the default one. Never throws: a claim may hold anything. */
export const findTier = ({ tiers, defaultTier }: QuotaRules, named: unknown): string =>
  Object.keys(tiers).findLast((tier) => [named].flat().includes(tier)) ?? defaultTier;

/** A limit that applies to a caller. */
export interface AppliedLimit {
  quota: Quota;
  /** `tier`: all requests of the owner count. `api_key`: those by the caller's API key. */
  setBy: 'tier' | 'api_key';
  limit: number;
  /** Attribute that holds the count, in the row of the day. */
  counter: string;
}

const listLimits = (limits: QuotaLimits, setBy: AppliedLimit['setBy'], suffix = ''): AppliedLimit[] =>
  quotas.flatMap((quota) => {
    const limit = limits[quota];
    return limit === undefined ? [] : [{ quota, setBy, limit, counter: quota + suffix }];
  });

/** Lists the limits of a tier. */
export const listTierLimits = ({ tiers }: QuotaRules, tier: string): AppliedLimit[] =>
  listLimits(tiers[tier] ?? {}, 'tier');

/** Lists the limits of an API key, in addition to those of the tier. */
export const listKeyLimits = (keyId: string, limits: QuotaLimits | null): AppliedLimit[] =>
  listLimits(limits ?? {}, 'api_key', `#${keyId}`);

const daySeconds = 86_400;

/** A UTC day, in milliseconds since 1970. */
export interface Day {
  startsAt: number;
  endsAt: number;
}

/** Returns the UTC day of a time. */
export function toDay(ms: number): Day {
  const startsAt = ms - (ms % (daySeconds * 1000));
  return { startsAt, endsAt: startsAt + daySeconds * 1000 };
}

/** Counts of a day, by counter. */
export type Counts = Record<string, unknown>;

const getCount = (counts: Counts, { counter }: AppliedLimit): number => Number(counts[counter] ?? 0);

/** Returns how much of a limit is used, as the API shows it. */
export const toQuotaUse = (applied: AppliedLimit, counts: Counts, { endsAt }: Day) => ({
  name: applied.quota,
  set_by: applied.setBy,
  limit: applied.limit,
  used: getCount(counts, applied),
  resets_at: new Date(endsAt).toISOString(),
});

/** Builds the headers of draft-ietf-httpapi-ratelimit-headers-10 for one limit. */
function buildRateLimitHeaders({ quota, setBy, limit }: AppliedLimit, used: number, seconds: number) {
  const policy = setBy === 'tier' ? `"${quota}"` : `"api_key.${quota}"`;
  return {
    'ratelimit-policy': `${policy};q=${limit};w=${daySeconds}`,
    ratelimit: `${policy};r=${Math.max(0, limit - used)};t=${seconds}`,
  };
}

/** Builds the error for requests that exceed one of the limits, given the counts of the day. */
export function buildQuotaExceeded(
  limits: readonly AppliedLimit[],
  counts: Counts,
  requests: number,
  { endsAt }: Day,
  now = Date.now(),
): QuotaExceeded {
  const exceeded =
    limits.find(({ limit }) => requests > limit) ??
    limits.find((one) => getCount(counts, one) + requests > one.limit) ??
    limits[0];
  if (!exceeded) throw new Error('No limit applies');
  const { quota, setBy, limit } = exceeded;
  const used = getCount(counts, exceeded);
  const seconds = Math.max(1, Math.ceil((endsAt - now) / 1000));
  const mayFitLater = requests <= limit;
  const advice = mayFitLater
    ? `try again after ${new Date(endsAt).toISOString()}`
    : `${limit > 0 ? 'send fewer, or ' : ''}get a higher limit`;
  const whose = setBy === 'tier' ? "Your tier's limit" : "This API key's limit";
  const use = limit > 0 ? `, and ${used} ${used === 1 ? 'is' : 'are'} used` : '';
  const need = requests > 1 ? `, and this needs ${requests}` : '';
  const msg = `${whose} of ${quota.replace('_', ' ')} is ${limit} a day${use}${need}: ${advice}`;
  return new QuotaExceeded(quota, msg, {
    ...buildRateLimitHeaders(exceeded, used, seconds),
    ...(mayFitLater && { 'retry-after': String(seconds) }),
  });
}

/** Builds the error for a day whose row has no room for the count of another API key. */
export function buildDayFull([limit]: readonly AppliedLimit[], { endsAt }: Day, now = Date.now()): QuotaExceeded {
  const msg = `Too many API keys with limits were used today: try again after ${new Date(endsAt).toISOString()}`;
  return new QuotaExceeded(limit?.quota ?? '', msg, { 'retry-after': String(Math.ceil((endsAt - now) / 1000)) });
}
