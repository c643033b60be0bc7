import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import { createProgressLine } from '../../infra/terminal/progress.ts';
import type { JournalEvent } from '../../shared/schemas/event.ts';
import type { Delivery } from '../../shared/schemas/webhook.ts';
import { type Client, createClient, deployed } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { createWebhook } from '../support/delivery-host.ts';
import { type KillableHost, startKillableHost } from '../support/killable-host.ts';
import { type Answer, answer, failures, type Receiver, startReceiver } from '../support/receiver.ts';
import { ignoreProgress } from '../support/recovery.ts';
import { scaleTimeout } from '../support/timeouts.ts';
import { writeReport } from './report.ts';
import { settings } from './settings.ts';

/** Numbers of webhooks, of events, and of times that the host is killed. */
const [webhookCount, eventCount, killCount] = settings.all ? [20, 2_000, 5] : [3, 20, 1];

/** One in so many requests to AWS of `relay`, `deliver` and `sweep` is their last. */
const requestsPerDeath = settings.all ? 1_000 : 60;

/** Maximum time until all deliveries have ended, in milliseconds. */
const maxSettlingMs = settings.all ? 6_000_000 : scaleTimeout(90_000);

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-chaos-webhooks-'));
const receivers: Receiver[] = [];
let host: KillableHost | undefined;
afterAll(async () => {
  await host?.kill();
  for (const { stop } of receivers) stop();
  rmSync(dir, { recursive: true, force: true });
});

const start = () => startKillableHost('test/chaos/webhooks-host.ts', dir, String(requestsPerDeath));

/** Never answers. */
const silence: Answer = () => {};
/** Fails with a body that ends when the client hangs up. */
const endlessAnswer: Answer = (response) => {
  response.writeHead(500);
  const chunk = Buffer.alloc(65_536, 'a');
  const write = () => {
    while (!response.destroyed) if (!response.write(chunk)) return void response.once('drain', write);
  };
  write();
};
/** Failures, as often as they are listed. */
const frequentFailures = [...Object.values(failures), ...Object.values(failures), endlessAnswer];

/** Share of requests that are not answered. Each takes 15 seconds, so a sample has none. */
const silentShare = settings.all ? 0.0005 : 0;

/** Starts a receiver that notes the events that it accepts. Unless it is healthy, it fails three of five requests. */
async function startNotingReceiver(isHealthy: boolean) {
  const accepted = new Set<string>();
  const receiver = await startReceiver((response, request, number) => {
    const pick = Math.random();
    const failure = pick < silentShare ? silence : frequentFailures[Math.floor((pick / 0.6) * frequentFailures.length)];
    if (failure && !isHealthy) return failure(response, request, number);
    accepted.add(request.event.id);
    return answer(200)(response, request, number);
  });
  receivers.push(receiver);
  return { url: receiver.url, accepted };
}

/** Reads all pages of a list. */
async function readAll<T>(read: (cursor: string) => Promise<{ items: T[]; next: string | null }>): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { items, next } = await read(cursor && `&cursor=${cursor}`);
    all.push(...items);
    cursor = next;
  }
  return all;
}

const listAllDeliveries = (user: Client, id: string) =>
  readAll(async (cursor) => {
    const path = `/webhooks/${id}/deliveries?limit=100${cursor}`;
    const { body } = await user.get<{ data: { deliveries: Delivery[]; next_cursor: string | null } }>(path);
    return { items: body.data.deliveries, next: body.data.next_cursor };
  });

const listAllEvents = (user: Client) =>
  readAll(async (cursor) => {
    const path = `/events?settled=false&limit=1000&type=assistant.updated${cursor}`;
    const { body } = await user.get<{ data: { events: JournalEvent[]; next_cursor: string | null } }>(path);
    const { events, next_cursor } = body.data;
    return { items: events, next: events.length > 0 ? next_cursor : null }; // the end of the journal has a cursor, too
  });

describe.skipIf(deployed)('webhooks of a host that is killed, with functions that die and receivers that fail', () => {
  it('each get every event, and every delivery ends', { timeout: 2 * maxSettlingMs }, async () => {
    const showProgress = settings.all ? createProgressLine() : ignoreProgress;
    host = await start();
    const sub = `user-${randomUUID()}`;
    const token = await (await LocalIssuer.open(dir)).token({ sub, ttl: 86_400 });
    const connect = () => createClient(sub, token, host?.url);
    const webhooks = await Promise.all(
      Array.from({ length: webhookCount }, async (_, i) => {
        const isHealthy = i % 2 === 0;
        const { url, accepted } = await startNotingReceiver(isHealthy);
        const { id } = await createWebhook(connect(), { url, events: ['assistant.updated'] });
        return { id, isHealthy, accepted };
      }),
    );
    const { body: assistant } = await connect().post<{ id: string }>('/assistants', minimal);

    const killHost = async () => {
      await host?.kill();
      host = await start();
    };
    const killTimes = Array.from({ length: killCount }, (_, i) => Math.ceil(((i + 1) * eventCount) / (killCount + 1)));
    let restart: Promise<void> | undefined;
    let sent = 0;
    const sendEvents = async () => {
      while (sent < eventCount) {
        const number = ++sent;
        if (killTimes.includes(number)) restart = killHost();
        for (;;) {
          await restart;
          const path = `/assistants/${assistant.id}`;
          const reply = await connect()
            .put(path, { description: `${number}` })
            .catch(() => undefined); // the host was killed
          if (reply?.status === 200) break;
        }
        showProgress(`${number} of ${eventCount} events sent`);
      }
    };
    await Promise.all(Array.from({ length: 6 }, sendEvents));
    await killHost(); // in the middle of deliveries

    const user = connect();
    const events = (await listAllEvents(user)).map(({ id }) => id).toSorted();
    expect(events.length).toBeGreaterThanOrEqual(eventCount);
    const countPending = async () => {
      const lists = await Promise.all(webhooks.map(({ id }) => listAllDeliveries(user, id)));
      const settled = lists.flat().filter(({ status }) => status !== 'pending').length;
      showProgress(`${settled} of ${events.length * webhookCount} deliveries ended`);
      return events.length * webhookCount - settled;
    };
    await expect.poll(countPending, { timeout: maxSettlingMs, interval: settings.all ? 10_000 : 500 }).toBe(0);

    const problems: string[] = [];
    for (const { id, isHealthy, accepted } of webhooks) {
      const deliveries = await listAllDeliveries(user, id);
      expect(deliveries.map(({ event_id }) => event_id).toSorted()).toEqual(events);
      for (const { event_id, status, reason } of deliveries) {
        if (status === 'delivered' && !accepted.has(event_id)) problems.push(`${event_id}: delivered to nobody`);
        if (status === 'failed' && (isHealthy || reason !== 'attempts_exhausted'))
          problems.push(`${event_id}: failed with ${reason}`);
      }
    }
    expect(problems).toEqual([]);
    writeReport({ what: 'webhooks', cases: events.length * webhookCount, failures: problems });
  });
});
