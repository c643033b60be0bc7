import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { JournalEvent } from '../../shared/schemas/event.ts';
import { toDeliveryKey } from '../../shared/store/table/keys.ts';
import { type Client, deployed } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { buildTurns } from '../support/create-everything.ts';
import {
  createWebhook,
  type DeliveryHost,
  getWebhook,
  listDeliveries,
  startDeliveryHost,
  waitForDelivery,
} from '../support/delivery-host.ts';
import { answer, failures, type Receiver, startReceiver } from '../support/receiver.ts';
import { eventually, scaleTimeout } from '../support/timeouts.ts';

let host: DeliveryHost;
beforeAll(async () => {
  if (!deployed) host = await startDeliveryHost();
});
afterAll(() => host?.stop());

const receivers: Receiver[] = [];
afterEach(() => {
  for (const { stop } of receivers.splice(0)) stop();
});

const openReceiver = async (script = answer(200)): Promise<Receiver> => {
  const receiver = await startReceiver(script);
  receivers.push(receiver);
  return receiver;
};

/** Creates an assistant, which writes one event. Returns its id. */
const tell = async (user: Client, name = 'Ada'): Promise<string> =>
  (await user.post<{ id: string }>('/assistants', { ...minimal, name })).body.id;

/** Waits until a receiver has got a number of requests, and returns them. */
const waitForRequests = (receiver: Receiver, count: number) =>
  eventually(() => {
    if (receiver.requests.length < count) throw new Error(`${receiver.requests.length} of ${count} requests`);
    return receiver.requests;
  });

/** Fails ten deliveries in a row, so that the receiver rests. Returns the ids of the assistants. */
async function makeRest(user: Client, webhookId: string): Promise<string[]> {
  const names = Array.from({ length: 10 }, (_, i) => `failing ${i}`);
  const ids: string[] = [];
  for (const name of names) ids.push(await tell(user, name));
  await eventually(async () => expect((await getWebhook(user, webhookId)).health.status).toBe('resting'));
  return ids;
}

describe.skipIf(deployed)('a delivery', () => {
  it('carries the event with its headers, and is signed as Standard Webhooks has it', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver(answer(202, 'thanks'));
    const { id, secret } = await createWebhook(user, {
      url: `${receiver.url}?tenant=7`,
      headers: { Authorization: 'Bearer of-the-receiver' },
    });
    const assistant = await tell(user);
    const [request] = await waitForRequests(receiver, 1);
    expect(request?.path).toBe('/hook?tenant=7');
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer of-the-receiver',
      'content-type': 'application/json',
    });
    const event = new Verifier(secret).verify(request?.body ?? '', request?.headers ?? {});
    expect(event).toEqual({
      type: 'assistant.created',
      timestamp: expect.stringMatching(/Z$/),
      id: request?.headers['webhook-id'],
      user_id: user.sub,
      actor: { kind: 'user', id: user.sub },
      data: { id: assistant, name: 'Ada', revision: 1, knowledge_base_ids: [] },
    });
    const delivery = await waitForDelivery(user, id, 'delivered');
    expect(delivery).toMatchObject({
      event_id: request?.headers['webhook-id'],
      type: 'assistant.created',
      attempts: 1,
      next_attempt_at: null,
      history: [{ status: 202, error: null, answer: 'thanks' }],
      payload: event,
    });
    expect(await getWebhook(user, id)).toMatchObject({ health: { status: 'healthy', consecutive_failures: 0 } });
  });

  it.each([
    [
      'whole',
      ({ authorization, 'x-team': team }: Record<string, string>) => `got ${authorization}, team ${team}`,
      'got ****, team red',
    ],
    ['cut', ({ authorization }: Record<string, string>) => 'x'.repeat(480) + authorization, `${'x'.repeat(480)}****`],
    [
      'without its scheme',
      ({ authorization = '' }: Record<string, string>) => authorization.split(' ')[1] ?? '',
      '****',
    ],
    // Hidden, they leave room for the end of what was read, which goes.
    ['many times', ({ authorization }: Record<string, string>) => `${authorization} `.repeat(600), ''],
    [
      'after a long text in another script',
      ({ authorization }: Record<string, string>) => '声'.repeat(20_000) + authorization,
      '声'.repeat(500),
    ],
  ])('keeps no value of its headers that the answer repeats: %s', async (_, echo, kept) => {
    const user = await host.newUser();
    const receiver = await openReceiver((response, { headers }) => void response.end(echo(headers)));
    const secret = `sk-of-the-${'receiver'.repeat(40)}`;
    const headers = { Authorization: `Bearer ${secret}`, 'x-team': 'red' };
    const { id } = await createWebhook(user, { url: receiver.url, headers });
    await tell(user);
    const { history } = await waitForDelivery(user, id, 'delivered');
    expect(receiver.requests[0]?.headers.authorization).toBe(headers.Authorization);
    expect(history[0]?.answer).toBe(kept);
    const rows = JSON.stringify(await host.listRows());
    expect(rows).toContain(kept);
    expect(rows).not.toContain(secret);
  });

  it('cannot reach the services of the local host, although receivers may run on this machine', async () => {
    const user = await host.newUser();
    const headers = { 'x-amz-target': 'TrentService.Encrypt' };
    for (const [url, more] of [
      [`${inject('s3')}/${inject('bucketName')}?list-type=2`, {}],
      [inject('kms'), { headers }],
    ] as const) {
      const { id } = await createWebhook(user, { url, ...more });
      await user.post(`/webhooks/${id}/test`, {});
      const { history } = await waitForDelivery(user, id, 'pending', 1);
      expect(history).toMatchObject([{ status: 403, error: null, answer: expect.not.stringContaining('Key') }]);
    }
  });

  it('goes to each enabled webhook of the user that subscribes to its type, and to no other', async () => {
    const [user, other] = [await host.newUser(), await host.newUser()];
    const receiver = await openReceiver();
    const create = (path: string, events: string[], who = user) =>
      createWebhook(who, { url: `${receiver.url}/${path}`, events });
    await create('exact', ['assistant.created']);
    await create('subject', ['assistant.*']);
    await create('all', ['*']);
    await create('deleted', ['assistant.deleted']);
    await create('other', ['*'], other);
    const { id } = await create('disabled', ['*']);
    await user.put(`/webhooks/${id}`, { enabled: false });
    await tell(user);
    await eventually(() => {
      const paths = receiver.requests.filter(({ event }) => event.type === 'assistant.created').map(({ path }) => path);
      expect(paths.toSorted()).toEqual(['/hook/all', '/hook/exact', '/hook/subject']);
    });
  });

  it('has the transcript of a call if the webhook includes it', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver();
    const fields = { events: ['call.*'] };
    await createWebhook(user, { url: `${receiver.url}/with`, ...fields, include: ['transcript'] });
    await createWebhook(user, { url: `${receiver.url}/without`, ...fields });
    const assistant_id = await tell(user);
    await user.post('/logs/call-logs', { assistant_id, room_name: 'r', transcript: buildTurns(3) });
    await user.post('/logs/call-logs', { assistant_id, room_name: 's', transcript: buildTurns(9_000) });
    const requests = await waitForRequests(receiver, 4);
    const transcripts = requests
      .filter(({ path }) => path === '/hook/with')
      .map(({ event }) => event.data.transcript as unknown[] | null);
    expect(transcripts.map((items) => items?.length ?? 0).toSorted()).toEqual([0, 3]);
    const truncated = requests.find(({ event }) => event.data.transcript === null);
    expect(truncated?.event.data).toMatchObject({ transcript_truncated: true, message_count: 9_000 });
    for (const { path, event } of requests)
      if (path === '/hook/without') expect(Object.keys(event.data)).not.toContain('transcript');
  });

  it('has null for a transcript whose file is gone', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver();
    const { id } = await createWebhook(user, { url: receiver.url, events: ['call.*'], include: ['transcript'] });
    const call = { assistant_id: await tell(user), room_name: 'r', transcript: buildTurns(300) };
    await user.post('/logs/call-logs', call);
    const { event_id } = await waitForDelivery(user, id, 'delivered');
    expect(await host.deleteTranscripts(user.owner)).toBe(1);
    await user.post(`/webhooks/${id}/deliveries/${event_id}`, {});
    const [first, second] = await waitForRequests(receiver, 2);
    expect([first, second].map((request) => (request?.event.data.transcript as unknown[] | null)?.length)).toEqual([
      300,
      undefined,
    ]);
  });

  it.each(Object.entries(failures))('is sent again under its id after a failure: %s', async (name, failure) => {
    const user = await host.newUser();
    const receiver = await openReceiver((response, request, number) =>
      (number === 0 ? failure : answer(200))(response, request, number),
    );
    const { id } = await createWebhook(user, { url: receiver.url });
    await tell(user);
    const pending = await waitForDelivery(user, id, 'pending', 1);
    expect(pending.history[0]?.status ?? pending.history[0]?.error).toBe(
      { 'status 500': 500, redirect: 302, 'not HTTP': 'HPE_INVALID_CONSTANT' }[name] ?? 'ECONNRESET',
    );
    expect(await getWebhook(user, id)).toMatchObject({
      health: { status: 'failing', consecutive_failures: 1, last_failure: { at: pending.history[0]?.at } },
    });
    await host.expireDelivery(user.owner, id, pending.event_id);
    await host.sweep();
    expect(await waitForDelivery(user, id, 'delivered')).toMatchObject({ attempts: 2 });
    const [first, second] = receiver.requests;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    await eventually(async () => expect((await getWebhook(user, id)).health.status).toBe('healthy'));
  });

  it('is tried again after five seconds', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver((response, request, number) =>
      answer(number === 0 ? 503 : 200)(response, request, number),
    );
    const { id } = await createWebhook(user, { url: receiver.url });
    await tell(user);
    const { history } = await waitForDelivery(user, id, 'delivered');
    const [first = 0, second = 0] = history.map(({ at }) => Date.parse(at));
    expect(second - first).toBeGreaterThan(4_400);
  });

  it('waits as long as Retry-After says, up to a day', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver(answer(429, '', { 'retry-after': '7200' }));
    const { id } = await createWebhook(user, { url: receiver.url });
    await tell(user);
    const { history, next_attempt_at } = await waitForDelivery(user, id, 'pending', 1);
    const waited = Date.parse(next_attempt_at ?? '') - Date.parse(history[0]?.at ?? '');
    expect(waited).toBeGreaterThanOrEqual(7_200_000);
    expect(waited).toBeLessThan(7_300_000);
  });

  it('fails after 15 seconds without an answer, and reads no more of an endless one than it shows', async () => {
    const user = await host.newUser();
    const chunk = 'x'.repeat(2 ** 16);
    const receiver = await openReceiver((response, { path }) => {
      if (path === '/hook/silent') return;
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    });
    const silent = await createWebhook(user, { url: `${receiver.url}/silent` });
    const endless = await createWebhook(user, { url: `${receiver.url}/endless` });
    await tell(user);
    const { history } = await waitForDelivery(user, endless.id, 'delivered');
    expect(history[0]?.answer).toBe('x'.repeat(500));
    const pending = await waitForDelivery(user, silent.id, 'pending', 1);
    expect(pending.history[0]).toMatchObject({ status: null, error: 'timeout', answer: null });
    expect(pending.history[0]?.duration_ms).toBeGreaterThanOrEqual(14_900);
  });

  it('fails for good if the receiver is gone, which disables the webhook and is told', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver(answer(410));
    const { id } = await createWebhook(user, { url: receiver.url });
    await tell(user);
    expect(await waitForDelivery(user, id, 'failed')).toMatchObject({ reason: 'gone', next_attempt_at: null });
    expect(
      await eventually(async () => {
        const webhook = await getWebhook(user, id);
        expect(webhook.enabled).toBe(false);
        return webhook;
      }),
    ).toMatchObject({ disabled_reason: 'gone', health: { status: 'disabled' } });
    const { body } = await user.get<{ data: { events: JournalEvent[] } }>(
      '/events?settled=false&type=webhook.disabled',
    );
    expect(body.data.events).toMatchObject([
      { subject: { id }, data: { origin: new URL(receiver.url).origin, reason: 'gone' }, actor: { id: 'deliver' } },
    ]);
  });

  it('fails for good if its webhook was disabled or deleted meanwhile', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver(answer(500));
    const { id } = await createWebhook(user, { url: receiver.url });
    await tell(user);
    const { event_id } = await waitForDelivery(user, id, 'pending', 1);
    await user.put(`/webhooks/${id}`, { enabled: false });
    await host.expireDelivery(user.owner, id, event_id);
    await host.sweep();
    expect(await waitForDelivery(user, id, 'failed')).toMatchObject({ reason: 'webhook_disabled' });
  });
});

describe.skipIf(deployed)('a receiver that fails ten times in a row', () => {
  it('rests: its deliveries wait, one probes it, and all are sent when it works, oldest first', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver(answer(500));
    const { id } = await createWebhook(user, { url: receiver.url });
    const failing = await makeRest(user, id);
    const { health } = await getWebhook(user, id);
    expect(Date.parse(health.next_probe_at ?? '') - Date.now()).toBeLessThanOrEqual(60_000);

    const countRequests = receiver.requests.length;
    const waiting: string[] = [];
    for (let i = 0; i < 25; i++) waiting.push(await tell(user, `waiting ${i}`));
    await eventually(async () => {
      const parked = (await listDeliveries(user, id)).filter(
        (one) => one.next_attempt_at === null && one.attempts === 0,
      );
      expect(parked).toHaveLength(25);
    });
    expect(receiver.requests).toHaveLength(countRequests);

    await host.expireWebhook(user.owner, id);
    await host.sweep();
    await waitForRequests(receiver, countRequests + 1);
    await eventually(async () => {
      const { next_probe_at } = (await getWebhook(user, id)).health;
      expect(Date.parse(next_probe_at ?? '') - Date.now()).toBeGreaterThan(90_000);
    });
    expect((await listDeliveries(user, id)).filter(({ attempts }) => attempts > 1)).toEqual([]);

    receiver.script = answer(200);
    await host.expireWebhook(user.owner, id);
    await host.sweep();
    const listAccepted = () => receiver.requests.slice(countRequests + 1).map(({ event }) => String(event.data.id));
    // Deliveries that failed before the rest are sent again, too, after five seconds.
    const accepted = () => listAccepted().filter((assistant) => waiting.includes(assistant));
    await eventually(() => expect(new Set(accepted())).toEqual(new Set(waiting)));
    // After the probe, they are sent in order, ten at a time.
    const order = accepted().slice(1);
    const expected = waiting.filter((assistant) => order.includes(assistant));
    for (const [i, assistant] of expected.entries()) expect(Math.abs(order.indexOf(assistant) - i)).toBeLessThan(10);
    expect(await getWebhook(user, id)).toMatchObject({ health: { status: 'healthy', next_probe_at: null } });

    for (const { event_id } of await listDeliveries(user, id, 'status=pending&limit=100'))
      await host.expireDelivery(user.owner, id, event_id);
    await host.sweep();
    await eventually(async () =>
      expect((await listDeliveries(user, id)).every(({ status }) => status === 'delivered')).toBe(true),
    );
    expect(new Set(listAccepted())).toEqual(new Set([...waiting, ...failing]));
  });

  it('is disabled after five days, and what waits for it fails', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver(answer(500));
    const { id } = await createWebhook(user, { url: receiver.url });
    await makeRest(user, id);
    await tell(user, 'waiting');
    await eventually(async () => expect((await listDeliveries(user, id))[0]?.next_attempt_at).toBeNull());
    await host.setWebhook(user.owner, id, {
      failing_since: { S: new Date(Date.now() - 6 * 86_400_000).toISOString() },
    });
    await host.expireWebhook(user.owner, id);
    await host.sweep();
    await eventually(async () => expect(await getWebhook(user, id)).toMatchObject({ disabled_reason: 'failing' }));
    await host.expireWebhook(user.owner, id);
    await host.sweep();
    await eventually(async () =>
      expect((await listDeliveries(user, id))[0]).toMatchObject({ reason: 'webhook_disabled' }),
    );

    receiver.script = answer(200);
    expect((await user.put<{ data: object }>(`/webhooks/${id}`, { enabled: true })).body.data).toMatchObject({
      enabled: true,
      disabled_reason: null,
      health: { status: 'healthy', consecutive_failures: 0 },
    });
    await tell(user);
    await waitForDelivery(user, id, 'delivered');
  });

  it('does not delay the deliveries of others', async () => {
    const [user, other] = [await host.newUser(), await host.newUser()];
    const silent = await openReceiver(() => {});
    const receiver = await openReceiver();
    for (let i = 0; i < 3; i++) await createWebhook(user, { url: silent.url });
    await createWebhook(other, { url: receiver.url });
    await Promise.all(Array.from({ length: 40 }, (_, i) => tell(user, `unheard ${i}`)));
    await waitForRequests(silent, 10);
    const startedAt = Date.now();
    await tell(other);
    await waitForRequests(receiver, 1);
    expect(Date.now() - startedAt).toBeLessThan(scaleTimeout(5_000));
  });
});

describe.skipIf(deployed)('a request for deliveries', () => {
  it('sends a test event, whatever the webhook subscribes to', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver();
    const { id } = await createWebhook(user, { url: receiver.url });
    const { body } = await user.post<{ data: { event_id: string } }>(`/webhooks/${id}/test`, {});
    const [request] = await waitForRequests(receiver, 1);
    expect(request?.event).toMatchObject({ id: body.data.event_id, type: 'webhook.test', data: { id } });
    await waitForDelivery(user, id, 'delivered');
  });

  it('sends one again, whatever became of it', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver();
    const { id } = await createWebhook(user, { url: receiver.url });
    await tell(user);
    const { event_id } = await waitForDelivery(user, id, 'delivered');
    const again = await user.post(`/webhooks/${id}/deliveries/${event_id}`, {}, { 'idempotency-key': 'again' });
    const repeated = await user.post(`/webhooks/${id}/deliveries/${event_id}`, {}, { 'idempotency-key': 'again' });
    expect([again.status, repeated.body]).toEqual([200, again.body]);
    const [first, second] = await waitForRequests(receiver, 2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await waitForDelivery(user, id, 'delivered', 1);
    expect((await listDeliveries(user, id))[0]?.history).toHaveLength(2);
    expect(receiver.requests).toHaveLength(2);
  });

  it('replays a period to a new webhook, with the types that it selects', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver();
    const from = new Date().toISOString();
    const assistants: string[] = [];
    for (let i = 0; i < 5; i++) assistants.push(await tell(user, `before ${i}`));
    await user.delete(`/assistants/${assistants[0]}`);
    const { id } = await createWebhook(user, { url: receiver.url, events: ['*'] });
    await user.post(`/webhooks/${id}/replay`, { from, types: ['assistant.created'] });
    await waitForRequests(receiver, 6); // and webhook.created
    await eventually(async () => expect(await listDeliveries(user, id, 'status=delivered&limit=100')).toHaveLength(6));
    const replayed = receiver.requests.filter(({ event }) => event.type === 'assistant.created');
    expect(replayed.map(({ event }) => event.data.id).toSorted()).toEqual(assistants.toSorted());
  });

  it('replays only what has failed', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver((response, request, number) =>
      answer(number === 1 ? 410 : 200)(response, request, number),
    );
    const { id } = await createWebhook(user, { url: receiver.url });
    const from = new Date().toISOString();
    await tell(user, 'accepted');
    await waitForDelivery(user, id, 'delivered');
    const failed = await tell(user, 'refused');
    await waitForDelivery(user, id, 'failed');
    await eventually(async () => expect((await getWebhook(user, id)).enabled).toBe(false));
    await user.put(`/webhooks/${id}`, { enabled: true });
    await user.post(`/webhooks/${id}/replay`, { from, only_failed: true });
    const requests = await waitForRequests(receiver, 3);
    expect(requests[2]?.event.data.id).toBe(failed);
    await waitForDelivery(user, id, 'delivered');
    expect(receiver.requests).toHaveLength(3);
  });
});

describe.skipIf(deployed)('the secret of a webhook', () => {
  it('signs together with the former one while a grace period lasts', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver();
    const { id, secret } = await createWebhook(user, { url: receiver.url });
    const { body } = await user.post<{ data: { secret: string } }>(`/webhooks/${id}/secret`, { grace_seconds: 3600 });
    await tell(user);
    const [request] = await waitForRequests(receiver, 1);
    for (const one of [secret, body.data.secret])
      expect(() => new Verifier(one).verify(request?.body ?? '', request?.headers ?? {})).not.toThrow();
    await user.post(`/webhooks/${id}/secret`, { secret: 'not base64, but long enough!', grace_seconds: 0 });
    await tell(user);
    const [, next] = await waitForRequests(receiver, 2);
    const verify = (verifier: Verifier) => verifier.verify(next?.body ?? '', next?.headers ?? {});
    expect(() => verify(new Verifier(body.data.secret))).toThrow();
    expect(() => verify(new Verifier('not base64, but long enough!', { format: 'raw' }))).not.toThrow();
  });

  it('and its headers are in no row, log, event or response but the first', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver();
    const header = 'header-canary-0815';
    const { id, secret } = await createWebhook(user, { url: receiver.url, headers: { 'x-token': header } });
    const { body } = await user.post<{ data: { secret: string } }>(
      `/webhooks/${id}/secret`,
      {},
      { 'idempotency-key': 'rotation' },
    );
    await tell(user);
    await waitForDelivery(user, id, 'delivered');
    expect(receiver.requests[0]?.headers['x-token']).toBe(header);
    const responses = await Promise.all([
      user.get('/webhooks'),
      user.get(`/webhooks/${id}`),
      user.get(`/webhooks/${id}/deliveries`),
      user.get('/logs/audit'),
      user.put(`/webhooks/${id}`, { description: 'x' }),
      user.post(`/webhooks/${id}/secret`, {}, { 'idempotency-key': 'rotation' }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const places = [...responses.map(({ text }) => text), host.readLog(), JSON.stringify(await host.listRows())];
    for (const one of [secret, body.data.secret, header])
      for (const place of places) {
        expect(place).not.toContain(one);
        expect(place).not.toContain(Buffer.from(one.replace('whsec_', '')).toString('base64'));
      }
  });
});

describe.skipIf(deployed)('a delivery whose message is lost', () => {
  it('is sent by the sweep', async () => {
    const user = await host.newUser();
    const receiver = await openReceiver(answer(500));
    const { id } = await createWebhook(user, { url: receiver.url });
    await tell(user);
    const { event_id } = await waitForDelivery(user, id, 'pending', 1);
    receiver.script = answer(200);
    await host.expire(toDeliveryKey(user.owner, id, event_id));
    await host.sweep();
    await waitForDelivery(user, id, 'delivered', 2);
  });
});
