import { v7 as uuidv7 } from 'uuid';
import { Conflict } from '../errors.ts';
import { type DisabledReason, requestTypes } from '../events.ts';
import { toEnvelope } from '../schemas/common.ts';
import type { NewWebhook, Webhook, WebhookFailure, WebhookUpdate } from '../schemas/webhook.ts';
import { parseDueTime } from './due.ts';
import { toEtag } from './etag.ts';

/** A webhook as stored. Its secrets and headers are stored encrypted (shared/store/webhooks/webhook-secrets.ts). */
export interface StoredWebhook {
  id: string;
  url: string;
  description: string | null;
  events: string[];
  include: string[];
  /** Names of the extra headers. */
  header_names: string[];
  enabled: boolean;
  /** Why the service has disabled it. Null if its user did. */
  disabled_reason: DisabledReason | null;
  masked_secret: string;
  secret_encoding: 'base64' | 'utf8';
  /** Attempts that have failed since the last success. */
  consecutive_failures: number;
  failing_since: string | null;
  last_failure: WebhookFailure | null;
  /** Set while the receiver is only probed and all deliveries wait. */
  resting_since: string | null;
  /** Failed probes of this rest. */
  probes: number;
  /** When the next probe, or the next look for deliveries that wait for the receiver, is due (due.ts). */
  due?: string;
  revision: number;
  created_at: string;
  updated_at: string;
}

/** A webhook that works. */
export const healthy = {
  consecutive_failures: 0,
  failing_since: null,
  resting_since: null,
  probes: 0,
} as const satisfies Partial<StoredWebhook>;

type SecretFacts = Pick<StoredWebhook, 'masked_secret' | 'secret_encoding'>;

/** Creates the record of a new webhook. */
export function buildWebhook(
  { url, events, description, include, headers }: NewWebhook,
  secret: SecretFacts,
): StoredWebhook {
  const now = new Date().toISOString();
  return {
    id: uuidv7(),
    url: new URL(url).href,
    description: description ?? null,
    events,
    include,
    header_names: Object.keys(headers),
    enabled: true,
    disabled_reason: null,
    ...secret,
    ...healthy,
    last_failure: null,
    revision: 1,
    created_at: now,
    updated_at: now,
  };
}

/**
 * Applies an update. `enabled: true` forgets failures, and another origin forgets the headers, which may be secrets of the
 * former receiver. Returns the same object if nothing changes.
 */
export function applyWebhookUpdate(current: StoredWebhook, update: WebhookUpdate): StoredWebhook {
  const { url, headers, enabled, ...rest } = update;
  const changes = {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(url !== undefined && { url: new URL(url).href }),
    ...(url !== undefined && new URL(url).origin !== toOrigin(current) && { header_names: [] }),
    ...(headers && { header_names: Object.keys(headers) }),
    ...(enabled !== undefined && { enabled, disabled_reason: null }),
    ...(enabled && healthy),
    ...(enabled === false && { resting_since: null }),
  };
  const isRepair = enabled === true && (current.failing_since !== null || current.resting_since !== null);
  const isChange =
    headers !== undefined || isRepair || listChangedWebhookFields(current, { ...current, ...changes }).length > 0;
  if (!isChange) return current;
  return toNextRevision(current, changes);
}

/** Returns the next revision of a webhook. */
export const toNextRevision = (current: StoredWebhook, changes: Partial<StoredWebhook>): StoredWebhook => ({
  ...current,
  ...changes,
  revision: current.revision + 1,
  updated_at: new Date().toISOString(),
});

const comparedFields = ['url', 'description', 'events', 'include', 'header_names', 'enabled'] as const;

/** Lists the fields that differ between two versions of a webhook. */
export const listChangedWebhookFields = (before: StoredWebhook, after: StoredWebhook): string[] =>
  comparedFields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => (field === 'header_names' ? 'headers' : field));

function getHealthStatus({ enabled, resting_since, failing_since }: StoredWebhook): Webhook['health']['status'] {
  if (!enabled) return 'disabled';
  if (resting_since) return 'resting';
  return failing_since ? 'failing' : 'healthy';
}

/** Converts a stored webhook to its API representation. */
export const toWebhook = (webhook: StoredWebhook): Webhook => ({
  id: webhook.id,
  url: webhook.url,
  description: webhook.description,
  events: webhook.events,
  include: webhook.include,
  headers: webhook.header_names,
  enabled: webhook.enabled,
  disabled_reason: webhook.disabled_reason,
  masked_secret: webhook.masked_secret,
  secret_encoding: webhook.secret_encoding,
  health: {
    status: getHealthStatus(webhook),
    failing_since: webhook.failing_since,
    consecutive_failures: webhook.consecutive_failures,
    next_probe_at: webhook.resting_since && webhook.due ? parseDueTime(webhook.due) : null,
    last_failure: webhook.last_failure,
  },
  created_at: webhook.created_at,
  updated_at: webhook.updated_at,
});

/** Returns the entity tag of a webhook. Deliveries do not change it. */
export const toWebhookEtag = ({ id, revision }: StoredWebhook): string => toEtag(revision, id);

/** Returns the part of a URL that an event may show: a path or query may hold a secret. */
export const toOrigin = ({ url }: StoredWebhook): string => new URL(url).origin;

/** Events that `*` leaves out, because they come with every call or serve the webhooks themselves. */
const quietTypes = ['credential.leased', ...requestTypes];

/** True if one of the patterns covers a type of events: the type itself, all types of its subject, or all. */
export function isSubscribed(patterns: readonly string[], type: string): boolean {
  if (patterns.includes(type)) return true;
  if (quietTypes.includes(type)) return false;
  return patterns.includes('*') || patterns.includes(`${type.split('.', 1)[0]}.*`);
}

/** Failed attempts in a row after which a receiver rests: it is then probed, and its deliveries wait. */
const failuresBeforeRest = 10;

/** Pauses before each probe of a resting receiver, in seconds. The last one repeats. */
const probePauses = [60, 120, 300, 600, 1_800, 3_600];

/** Time that a receiver may fail before its webhook is disabled, in milliseconds. */
const maxFailingMs = 5 * 86_400_000;

export const shouldRest = ({ consecutive_failures }: Pick<StoredWebhook, 'consecutive_failures'>): boolean =>
  consecutive_failures >= failuresBeforeRest;

/** True if a resting receiver has failed for so long that its webhook is disabled. */
export const shouldDisable = ({ failing_since }: StoredWebhook, now: number): boolean =>
  failing_since !== null && now - Date.parse(failing_since) > maxFailingMs;

/** Returns the time of the next probe after `probes` failed ones, RFC 3339. */
export const toNextProbe = (probes: number, now: number): string =>
  new Date(now + (probePauses[Math.min(probes, probePauses.length - 1)] ?? 0) * 1000).toISOString();

/** Builds the result of creating or rotating a webhook. The secret is null in the remembered result, which a retry gets. */
export const toIssuedWebhook = (message: string, webhook: StoredWebhook, secret: string | null) => ({
  body: toEnvelope(message, { ...toWebhook(webhook), secret }),
  etag: toWebhookEtag(webhook),
});

/** Builds the result of reading or changing a webhook. */
export const toWebhookResult = (message: string, webhook: StoredWebhook) => ({
  body: toEnvelope(message, toWebhook(webhook)),
  etag: toWebhookEtag(webhook),
});

/** Throws Conflict if a webhook is disabled, so that nothing could be sent to it. */
export function checkEnabled({ enabled }: StoredWebhook): void {
  if (!enabled) throw new Conflict(['path', 'webhook_id'], 'This webhook is disabled: enable it first');
}
