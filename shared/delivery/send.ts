import { buildBody, maxAnswerCharacters, type Outcome } from '../domain/delivery.ts';
import type { OutgoingEvent } from '../domain/event.ts';
import { countUnsafe, hideEscapedSecrets, hideSecretsInCut, maxEscapeCharacters } from '../domain/hide-secrets.ts';
import { type SigningKey, sign } from '../domain/signature.ts';
import { NotFound } from '../errors.ts';
import { TtlCache } from '../http/middleware/ttl-cache.ts';
import { ForbiddenAddress, NoAnswer } from '../outbound/errors.ts';
import { sendRequest } from '../outbound/send-request.ts';
import { userAgents } from '../outbound/user-agents.ts';
import * as calls from '../store/sessions/stored-calls.ts';
import { openHeaders, openKeys, Undecryptable } from '../store/webhooks/webhook-secrets.ts';
import type { SealedWebhook } from '../store/webhooks/webhooks.ts';

/** Time that a receiver has for its answer, in milliseconds. */
export const timeoutMs = 15_000;

/** Maximum bytes of UTF-8 per character of JavaScript's strings. */
const maxBytesPerCharacter = 3;

interface OpenedWebhook {
  keys: SigningKey[];
  headers: Record<string, string>;
}

/** Decrypted secrets, by webhook and ciphertext, so that KMS is asked once in five minutes. */
const opened = new TtlCache<Promise<OpenedWebhook>>(1_000);
const openedMs = 300_000;

async function openWebhook(owner: string, webhook: SealedWebhook): Promise<OpenedWebhook> {
  const [keys, headers] = await Promise.all([
    openKeys(owner, webhook.id, webhook),
    openHeaders(owner, webhook.id, webhook),
  ]);
  return { keys, headers };
}

/** Decrypts the secrets of a webhook. Up to two concurrent KMS round trips every five minutes. Throws Undecryptable. */
function openOnce(owner: string, webhook: SealedWebhook): Promise<OpenedWebhook> {
  const ciphertexts = [webhook.signing_keys, webhook.sealed_headers ?? []];
  const key = [owner, webhook.id, ...ciphertexts.map((bytes) => Buffer.from(bytes).toString('base64'))].join(' ');
  const found = opened.get(key) ?? openWebhook(owner, webhook);
  opened.set(key, found, Date.now() + openedMs);
  found.catch(() => opened.delete(key));
  return found;
}

/** Events of a call that exists. */
const callEvents = ['call.completed', 'call.updated'];

/** Returns the transcript of a call. Null if it was deleted. Up to two round trips. */
async function loadTranscript(owner: string, sessionId: string): Promise<readonly unknown[] | null> {
  try {
    return (await calls.get(owner, sessionId)).items;
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

/** Lists what receivers must not make us keep: the values of headers, also without a scheme such as `Bearer`. */
const listSecrets = (headers: Record<string, string>): string[] =>
  Object.values(headers).flatMap((value) => [value, value.replace(/^\S+ +/, '')]);

/** Describes a failure without an answer by a stable name. */
function toErrorName(error: unknown): string {
  if (error instanceof Undecryptable) return 'undecryptable_secret';
  if (error instanceof ForbiddenAddress) return 'forbidden_address';
  if (error instanceof NoAnswer) return error.code;
  throw error;
}

/**
 * Sends an event to the receiver of a webhook, signed, and returns the outcome. Throws Unavailable if the event could
 * not be sent for reasons of our own.
 */
export async function sendEvent(owner: string, webhook: SealedWebhook, event: OutgoingEvent): Promise<Outcome> {
  const wantsTranscript = webhook.include.includes('transcript') && callEvents.includes(event.type);
  const body = buildBody(event, wantsTranscript ? await loadTranscript(owner, event.subject.id) : undefined);
  const startedAt = Date.now();
  const toOutcome = (result: Pick<Outcome, 'status' | 'error' | 'answer' | 'retryAfter'>): Outcome => ({
    at: new Date(startedAt).toISOString(),
    duration_ms: Date.now() - startedAt,
    ...result,
  });
  try {
    const { keys, headers } = await openOnce(owner, webhook);
    const secrets = listSecrets(headers);
    const { status, text, isCut, retryAfter } = await sendRequest({
      method: 'POST',
      url: webhook.url,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': userAgents.webhooks,
        ...sign(keys, event.id, startedAt, body),
      },
      body,
      timeoutMs,
      maxAnswerBytes: maxBytesPerCharacter * (maxEscapeCharacters * maxAnswerCharacters + countUnsafe(secrets)), // the end of a cut answer goes
    });
    const hidden = isCut ? hideSecretsInCut(text, secrets) : hideEscapedSecrets(text, secrets);
    const answer = hidden.slice(0, maxAnswerCharacters).toWellFormed();
    return toOutcome({ status, error: null, answer, retryAfter });
  } catch (error) {
    return toOutcome({ status: null, error: toErrorName(error), answer: null });
  }
}
