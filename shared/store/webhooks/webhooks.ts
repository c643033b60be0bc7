import { formatDue } from '../../domain/due.ts';
import type { Precondition } from '../../domain/etag.ts';
import { takeFirst } from '../../domain/page.ts';
import { getTimeIn } from '../../domain/time.ts';
import { type StoredWebhook, toNextProbe } from '../../domain/webhook.ts';
import { Conflict, PreconditionFailed } from '../../errors.ts';
import type { DisabledReason } from '../../events.ts';
import type { WebhookFailure } from '../../schemas/webhook.ts';
import { clearDue, toDue } from '../due.ts';
import { toWebhookKey, toWebhookSetKey, toWebhooksPrefix } from '../table/keys.ts';
import { webhookNotFound } from '../table/not-found.ts';
import { Outdated, retryOnConflict } from '../table/retry-on-conflict.ts';
import { get as getItem, query, type Row } from '../table/table.ts';
import { updateRow, type Write, write, writeIf } from '../table/writes.ts';

/** Maximum number of webhooks of a user. */
const maxWebhooks = 20;

/** Encrypted parts of a webhook: its signing keys, and its extra headers if it has any (webhook-secrets.ts). */
export interface Sealed {
  signing_keys: Uint8Array;
  sealed_headers?: Uint8Array | undefined;
}

/** A webhook with its encrypted parts. */
export type SealedWebhook = StoredWebhook & Sealed;

/** Attributes that a healthy webhook lacks. */
const missing = { failing_since: null, resting_since: null, last_failure: null };

const fromRow = ({ pk: _, sk: __, ...rest }: Row): SealedWebhook =>
  ({ ...missing, ...rest }) as unknown as SealedWebhook;

/** Drops null values that mean that a webhook is healthy, so that conditions can test if an attribute exists. */
const toRow = ({ failing_since, resting_since, last_failure, ...rest }: StoredWebhook): Row => ({
  ...rest,
  failing_since: failing_since ?? undefined,
  resting_since: resting_since ?? undefined,
  last_failure: last_failure ?? undefined,
});

/** Lists the webhooks of a user, newest first. One round trip. */
export async function list(owner: string): Promise<SealedWebhook[]> {
  return (await takeFirst(query(toWebhooksPrefix(owner)), Number.POSITIVE_INFINITY)).map(fromRow);
}

/** Finds a webhook. One round trip. */
export async function find(owner: string, id: string): Promise<SealedWebhook | undefined> {
  const row = await getItem(toWebhookKey(owner, id));
  return row && fromRow(row);
}

/** Returns a webhook. One round trip. Throws NotFound. */
export async function get(owner: string, id: string): Promise<SealedWebhook> {
  const webhook = await find(owner, id);
  if (!webhook) throw webhookNotFound();
  return webhook;
}

/** Builds the write that changes the set of a user's webhooks, which limits their number exactly. */
const buildSetWrite = (owner: string, action: 'ADD' | 'DELETE', id: string): Write => ({
  Update: {
    Key: toWebhookSetKey(owner),
    UpdateExpression: `${action} ids :ids`,
    ExpressionAttributeValues: { ':ids': new Set([id]), ...(action === 'ADD' && { ':max': maxWebhooks }) },
    ...(action === 'ADD' && { ConditionExpression: 'attribute_not_exists(ids) OR size(ids) < :max' }),
  },
  toError: () => new Conflict(['service'], `You have ${maxWebhooks} webhooks: delete one that you do not need`),
});

/** Stores a new webhook, in one transaction with the extra writes. One round trip. Throws Conflict at the limit. */
export async function insert(
  owner: string,
  webhook: StoredWebhook,
  sealed: Sealed,
  extraWrites: Write[],
): Promise<void> {
  await write(
    { Put: { Item: { ...toWebhookKey(owner, webhook.id), ...toRow(webhook), ...sealed } } },
    buildSetWrite(owner, 'ADD', webhook.id),
    ...extraWrites,
  );
}

/** Fields that requests change. All others describe the webhook's health, which deliveries change concurrently. */
const requestedFields = [
  'url',
  'description',
  'events',
  'include',
  'header_names',
  'enabled',
  'disabled_reason',
  'masked_secret',
  'secret_encoding',
  'revision',
  'updated_at',
] as const;

/**
 * Builds the write of a new revision. Of the health, it ends a rest and forgets failures if the revision does, and plans
 * a look for deliveries that wait.
 */
function buildReplaceWrite(owner: string, current: SealedWebhook, next: StoredWebhook, sealed: Partial<Sealed>): Write {
  const endsRest = current.resting_since !== null && next.resting_since === null;
  const forgets = next.consecutive_failures < current.consecutive_failures;
  const set: Row = {
    ...Object.fromEntries(requestedFields.map((field) => [field, next[field]])),
    ...Object.fromEntries(Object.entries(sealed).filter(([, value]) => value !== undefined)),
    ...(endsRest && { probes: 0 }),
    ...(endsRest && { due: formatDue(owner, getTimeIn(lookPauseSeconds)) }),
    ...(forgets && { consecutive_failures: 0 }),
  };
  const remove = [
    ...('sealed_headers' in sealed && sealed.sealed_headers === undefined ? ['sealed_headers'] : []),
    ...(endsRest ? ['resting_since'] : []),
    ...(forgets ? ['failing_since'] : []),
  ];
  const names = Object.keys(set);
  const removeClause = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : '';
  return {
    Update: {
      Key: toWebhookKey(owner, next.id),
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}${removeClause}`,
      ConditionExpression: '#revision = :was',
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':was': current.revision,
        ...Object.fromEntries(names.map((name) => [`:${name}`, set[name]])),
      },
    },
    toError: (stored) => (stored ? new Outdated(stored) : webhookNotFound()),
  };
}

/** New revision of a webhook, with the encrypted parts that change, and writes for the same transaction. */
export interface Revision {
  next: StoredWebhook;
  sealed: Partial<Sealed>;
  extraWrites: Write[];
}

/**
 * Replaces a webhook with the revision that `change` returns for the current one. It runs again on a concurrent
 * update, and returns undefined if nothing changes. Two round trips, one if nothing changes, plus those of `change`.
 * Throws NotFound, errors of `change`, or Conflict after five conflicting writes.
 */
export async function update(
  owner: string,
  id: string,
  change: (current: SealedWebhook) => Promise<Revision | undefined>,
): Promise<StoredWebhook> {
  let current = await get(owner, id);
  const attempt = async () => {
    const revision = await change(current);
    if (!revision) return current;
    try {
      await write(buildReplaceWrite(owner, current, revision.next, revision.sealed), ...revision.extraWrites);
    } catch (error) {
      if (error instanceof Outdated && error.stored) current = fromRow(error.stored);
      throw error;
    }
    return revision.next;
  };
  return retryOnConflict(attempt, 'Too many other requests are changing this webhook: try again');
}

/**
 * Deletes a webhook, in one transaction with the extra writes. Its deliveries expire. One round trip. Throws NotFound or
 * PreconditionFailed.
 */
export async function remove(
  owner: string,
  id: string,
  { revisions }: Precondition,
  extraWrites: Write[],
): Promise<void> {
  await write(
    {
      Delete: {
        Key: toWebhookKey(owner, id),
        ConditionExpression: `attribute_exists(pk)${revisions ? ` AND revision IN (${revisions.map((_, i) => `:r${i}`)})` : ''}`,
        ...(revisions && {
          ExpressionAttributeValues: Object.fromEntries(revisions.map((revision, i) => [`:r${i}`, revision])),
        }),
      },
      toError: (stored) => (stored ? new PreconditionFailed() : webhookNotFound()),
    },
    buildSetWrite(owner, 'DELETE', id),
    ...extraWrites,
  );
}

/**
 * Time between the end of a rest and the last look for deliveries that wait, in seconds. Much longer than the index
 * takes to show them.
 */
export const lookPauseSeconds = 60;

/** Counts a failed attempt. Returns the webhook, or undefined if it was deleted. One round trip. */
export async function countFailure(
  owner: string,
  id: string,
  failure: WebhookFailure,
): Promise<StoredWebhook | undefined> {
  const row = await updateRow({
    Key: toWebhookKey(owner, id),
    UpdateExpression:
      'SET last_failure = :failure, failing_since = if_not_exists(failing_since, :at) ADD consecutive_failures :one',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':failure': failure, ':at': failure.at, ':one': 1 },
  });
  return row && fromRow(row);
}

/** Lets a receiver rest from now on, unless it already does. One round trip. */
export async function startRest(owner: string, id: string, now: number): Promise<void> {
  const { 'by-due': partition, due } = toDue(owner, toNextProbe(0, now), 'deliveries');
  await updateRow({
    Key: toWebhookKey(owner, id),
    UpdateExpression: 'SET resting_since = :now, probes = :zero, #byDue = :partition, due = :due',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(resting_since) AND enabled = :true',
    ExpressionAttributeNames: clearDue.names,
    ExpressionAttributeValues: {
      ':now': new Date(now).toISOString(),
      ':zero': 0,
      ':partition': partition,
      ':due': due,
      ':true': true,
    },
  });
}

/** Forgets the failures of a receiver that does not rest. False if it rests or was deleted. One round trip. */
export async function clearFailures(owner: string, id: string): Promise<boolean> {
  const row = await updateRow({
    Key: toWebhookKey(owner, id),
    UpdateExpression: 'SET consecutive_failures = :zero REMOVE failing_since',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(resting_since)',
    ExpressionAttributeValues: { ':zero': 0 },
  });
  return row !== undefined;
}

/**
 * Ends the rest of a receiver, and plans a look for the deliveries that wait. Its failures are forgotten if it `works`;
 * else the next one makes it rest again. Returns the new `due` of its row, or undefined if it does not rest. One
 * round trip.
 */
export async function endRest(owner: string, id: string, works: boolean): Promise<string | undefined> {
  const due = formatDue(owner, getTimeIn(lookPauseSeconds));
  const row = await updateRow({
    Key: toWebhookKey(owner, id),
    UpdateExpression: works
      ? 'SET consecutive_failures = :zero, probes = :zero, due = :due REMOVE failing_since, resting_since'
      : 'SET probes = :zero, due = :due REMOVE resting_since',
    ConditionExpression: 'attribute_exists(resting_since)',
    ExpressionAttributeValues: { ':zero': 0, ':due': due },
  });
  return row && due;
}

/** Counts a probe before it is sent, and plans the next one. One round trip. */
export async function startProbe(owner: string, { id, probes }: StoredWebhook): Promise<void> {
  const due = formatDue(owner, toNextProbe(probes + 1, Date.now()));
  await updateRow({
    Key: toWebhookKey(owner, id),
    UpdateExpression: 'SET probes = :probes, due = :due',
    ConditionExpression: 'attribute_exists(resting_since)',
    ExpressionAttributeValues: { ':probes': probes + 1, ':due': due },
  });
}

/** Stores the failure of a probe. One round trip. */
export async function storeFailure(owner: string, id: string, failure: WebhookFailure): Promise<void> {
  await updateRow({
    Key: toWebhookKey(owner, id),
    UpdateExpression: 'SET last_failure = :failure',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':failure': failure },
  });
}

/**
 * Moves the next look for waiting deliveries to a time, RFC 3339. Returns the new `due` of the row, or undefined if another run has moved it.
 * One round trip.
 */
export async function postpone(owner: string, id: string, due: string, time: string): Promise<string | undefined> {
  const next = formatDue(owner, time);
  const row = await updateRow({
    Key: toWebhookKey(owner, id),
    UpdateExpression: 'SET due = :next',
    ConditionExpression: 'due = :due',
    ExpressionAttributeValues: { ':due': due, ':next': next },
  });
  return row && next;
}

/** Ends the looks for waiting deliveries, unless another run has planned one since. One round trip. */
export async function stopWaiting(owner: string, id: string, due: string): Promise<void> {
  await updateRow({
    Key: toWebhookKey(owner, id),
    UpdateExpression: clearDue.clause,
    ConditionExpression: 'due = :due',
    ExpressionAttributeNames: clearDue.names,
    ExpressionAttributeValues: { ':due': due },
  });
}

/** Disables a webhook, in one transaction with its event. Does nothing if it is disabled or deleted. One round trip. */
export async function disable(owner: string, id: string, reason: DisabledReason, event: Write): Promise<void> {
  await writeIf(
    {
      Update: {
        Key: toWebhookKey(owner, id),
        UpdateExpression:
          'SET enabled = :false, disabled_reason = :reason, updated_at = :now ADD revision :one REMOVE resting_since',
        ConditionExpression: 'enabled = :true',
        ExpressionAttributeValues: {
          ':false': false,
          ':true': true,
          ':reason': reason,
          ':one': 1,
          ':now': new Date().toISOString(),
        },
      },
    },
    event,
  );
}
