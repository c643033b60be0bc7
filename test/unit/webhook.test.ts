import fc from 'fast-check';
import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { checkSignature } from '../../infra/commands/local/check-signature.ts';
import { applyOutcome, buildBody, type Outcome, type StoredDelivery } from '../../shared/domain/delivery.ts';
import type { OutgoingEvent } from '../../shared/domain/event.ts';
import { generateWebhookSecret, parseWebhookSecret, replaceKey, sign } from '../../shared/domain/signature.ts';
import { deriveId, getIdTime } from '../../shared/domain/time-id.ts';
import { isSubscribed, toNextProbe } from '../../shared/domain/webhook.ts';
import { subscriptions } from '../../shared/schemas/webhook.ts';

const now = Date.parse('2026-11-22T10:00:00Z');

describe('npm run listen', () => {
  it.each([generateWebhookSecret(), 'a text of my own, with ü', 'whsec_not base64 either'])(
    'checks signatures of a secret of any encoding: %s',
    (secret) => {
      const headers = sign([{ key: parseWebhookSecret(secret).key }], 'id', Date.now(), '{}');
      expect(checkSignature(secret, '{}', headers)).toBe('signature is valid');
      expect(checkSignature(secret, '{"a":1}', headers)).toContain('INVALID');
      expect(checkSignature(generateWebhookSecret(), '{}', headers)).toContain('INVALID');
    },
  );
});

describe('a subscription', () => {
  it.each([
    [['call.completed'], 'call.completed', true],
    [['call.completed'], 'call.updated', false],
    [['call.*'], 'call.updated', true],
    [['call.*'], 'assistant.updated', false],
    [['*'], 'search.updated', true],
    [['*'], 'credential.leased', false],
    [['credential.*'], 'credential.leased', false],
    [['credential.leased'], 'credential.leased', true],
    [['*', 'webhook.*'], 'webhook.test', false],
    [['webhook.*'], 'webhook.disabled', true],
  ])('to %j covers %s: %s', (patterns, type, expected) => {
    expect(isSubscribed(patterns, type)).toBe(expected);
  });

  it('can name neither a test nor a request for deliveries', () => {
    expect(subscriptions.filter((one) => /test|requested/.test(one))).toEqual([]);
    expect(subscriptions).toEqual(expect.arrayContaining(['*', 'call.*', 'search.*', 'search.updated']));
  });
});

describe('a signature', () => {
  const body = '{"type":"call.completed"}';
  const headersFor = (secret: string) => sign([{ key: parseWebhookSecret(secret).key }], 'id', Date.now(), body);

  it('is accepted by the library of Standard Webhooks, for generated secrets and for any other', () => {
    const secret = generateWebhookSecret();
    expect(new Verifier(secret).verify(body, headersFor(secret))).toEqual(JSON.parse(body));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 16, maxLength: 64 }), (secret) => {
        const { secret_encoding } = parseWebhookSecret(secret);
        const verifier =
          secret_encoding === 'base64' ? new Verifier(secret) : new Verifier(Buffer.from(secret), { format: 'raw' });
        expect(() => verifier.verify(body, headersFor(secret))).not.toThrow();
        expect(() => verifier.verify(`${body} `, headersFor(secret))).toThrow();
      }),
    );
  });

  it('is made with the former key, too, until its grace period ends', () => {
    const keys = replaceKey([{ key: 'b2xk', until: '2026-01-01T00:00:00Z' }, { key: 'Y3VycmVudA==' }], 'bmV3', 60, now);
    expect(keys).toEqual([{ key: 'bmV3' }, { key: 'Y3VycmVudA==', until: '2026-11-22T10:01:00.000Z' }]);
    const count = (at: number) => sign(keys, 'id', at, body)['webhook-signature']?.split(' ').length;
    expect([count(now), count(now + 61_000)]).toEqual([2, 1]);
    expect(replaceKey(keys, 'bmV3ZXI=', 0, now)).toEqual([{ key: 'bmV3ZXI=' }]);
  });
});

const delivery = (attempts = 0): StoredDelivery => ({
  webhook_id: 'w',
  event_id: 'e',
  source_id: 'e',
  type: 'call.completed',
  status: 'pending',
  reason: null,
  attempts,
  history: [],
  delivered_at: null,
  next_attempt_at: null,
  created_at: '2026-11-22T09:00:00Z',
});

const outcome = (fields: Partial<Outcome> = {}): Outcome => ({
  at: '2026-11-22T10:00:00Z',
  duration_ms: 5,
  status: 500,
  error: null,
  answer: '',
  ...fields,
});

describe('an attempt', () => {
  it.each([
    [200, 'delivered', null],
    [204, 'delivered', null],
    [299, 'delivered', null],
    [302, 'pending', null],
    [400, 'pending', null],
    [410, 'failed', 'gone'],
    [503, 'pending', null],
  ])('answered with %i leaves the delivery %s', (status, expected, reason) => {
    expect(applyOutcome(delivery(), outcome({ status }), now)).toMatchObject({ status: expected, reason, attempts: 1 });
  });

  it('to a forbidden address fails for good', () => {
    const failed = applyOutcome(delivery(), outcome({ status: null, error: 'forbidden_address' }), now);
    expect(failed).toMatchObject({ status: 'failed', reason: 'forbidden_address' });
  });

  it('is followed by others for 75 hours, ten in all', () => {
    const pauses: number[] = [];
    for (let attempts = 0; attempts < 9; attempts++)
      pauses.push(applyOutcome(delivery(attempts), outcome(), now).pause ?? Number.NaN);
    const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3600;
    expect(hours).toBeGreaterThan(75 * 0.9);
    expect(hours).toBeLessThan(78 * 1.1);
    expect(pauses[0]).toBeLessThan(6);
    expect(applyOutcome(delivery(9), outcome(), now)).toMatchObject({
      status: 'failed',
      reason: 'attempts_exhausted',
      attempts: 10,
    });
  });

  it.each([
    ['120', 120],
    ['Sun, 22 Nov 2026 10:02:00 GMT', 120],
    ['99999999', 86_400],
    ['-1', 0],
    ['soon', 0],
    ['Sun, 22 Nov 2020 10:02:00 GMT', 0],
  ])('heeds Retry-After: %s', (retryAfter, seconds) => {
    const { pause = 0 } = applyOutcome(delivery(), outcome({ retryAfter }), now);
    if (seconds > 0) expect(pause).toBe(seconds);
    else expect(pause).toBeLessThan(6);
  });

  it('keeps the last ten in the history', () => {
    const history = Array.from({ length: 10 }, (_, i) => outcome({ answer: String(i) }));
    const next = applyOutcome({ ...delivery(3), history }, outcome({ answer: 'last' }), now);
    expect(next.history.map(({ answer }) => answer)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', 'last']);
  });
});

describe('the pause before a probe', () => {
  it('grows from a minute to an hour', () => {
    const minutes = [0, 1, 2, 3, 4, 5, 6, 100].map((probes) => (Date.parse(toNextProbe(probes, now)) - now) / 60_000);
    expect(minutes).toEqual([1, 2, 5, 10, 30, 60, 60, 60]);
  });
});

describe('the body of a delivery', () => {
  const event: OutgoingEvent = {
    id: '01a20616-d18d-7365-81d3-ab8e1fa60927',
    type: 'call.completed',
    subject: { type: 'call', id: 's' },
    data: { room_name: 'r' },
    actor: { kind: 'service', id: 'x' },
    user_id: 'alice',
    request_id: 'q',
    created_at: '2026-11-22T10:00:00.000Z',
  };

  it('leaves out a transcript that makes it larger than 512 KB', () => {
    const items = (length: number) => [{ content: 'ä'.repeat(length) }];
    expect(JSON.parse(buildBody(event, items(200_000))).data.transcript).toHaveLength(1);
    const large = buildBody(event, items(300_000));
    expect(JSON.parse(large).data).toEqual({ id: 's', room_name: 'r', transcript: null, transcript_truncated: true });
    expect(JSON.parse(buildBody(event, null)).data).toEqual({ id: 's', room_name: 'r', transcript: null });
    expect(JSON.parse(buildBody(event)).data).toEqual({ id: 's', room_name: 'r' });
  });
});

describe('the id of an event that follows from another', () => {
  it('is a UUID that sorts with it, and is always the same', () => {
    const id = '01a20616-d18d-7365-81d3-ab8e1fa60927';
    const derived = deriveId(id, 'search.updated');
    expect(derived).toMatch(/^01a20616-d18d-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([deriveId(id, 'search.updated'), getIdTime(derived)]).toEqual([derived, getIdTime(id)]);
    expect(deriveId(id, 'other')).not.toBe(derived);
  });
});

it.each([
  ['aaaaaaaaaaaaaaaa😀abc', '****😀abc'],
  ['a secret of more than sixteen', '****teen'],
])('masks a secret but for its last four characters: %s', (secret, masked) => {
  expect(parseWebhookSecret(secret).masked_secret).toBe(masked);
});
