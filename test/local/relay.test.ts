import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AttributeValue, DeleteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, it } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { startEventSources } from '../../infra/local/lambda/event-sources.ts';
import type { FunctionRunner } from '../../infra/local/lambda/function-runner.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import type { JournalEvent } from '../../shared/schemas/event.ts';
import { toEventKey, toUserKey, toWebhooksPrefix } from '../../shared/store/table/keys.ts';
import { deployed } from '../support/api.ts';
import type { Fault } from '../support/faulty-proxy.ts';
import { ProxiedRunner } from '../support/proxied-runner.ts';
import { eventually } from '../support/timeouts.ts';

interface BusEvent {
  source: string;
  'detail-type': string;
  detail: JournalEvent;
}

let stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

/** Starts services with the function `relay`, which receives new events after `deliver`. */
async function startRelay() {
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-relay-'));
  const services = await startServices(dir, await synthesize());
  const runners = createFunctionRunners(services, () => {});
  const template = [...runners.values()].find(({ spec }) => spec.description === 'relay')?.spec;
  if (!template) throw new Error('The template has no function relay');
  const relay = await ProxiedRunner.create(template, () => {});
  runners.set(template.name, relay);
  const { TABLE_NAME: TableName = '' } = template.environment;
  const endpoint = services.endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '';
  const table = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const owner = toUserKey(services.issuer.url, randomUUID());
  const toKey = (id: string) => {
    const { pk, sk } = toEventKey(owner, id);
    return { pk: { S: pk }, sk: { S: sk } };
  };
  const busLog = join(dir, 'logs', 'bus.log');
  stops.push(async () => {
    await Promise.all([...runners.values()].map((runner: FunctionRunner) => runner.stop()));
    table.destroy();
    await services.stop();
    rmSync(dir, { recursive: true });
  });
  return {
    relay,
    /** Writes the row of an event, as a change would. Returns the event's id. */
    async tell(id = uuidv7(), changes: Record<string, AttributeValue> = {}): Promise<string> {
      const row = {
        ...toKey(id),
        type: { S: 'assistant.deleted' },
        subject_id: { S: 'a' },
        data: { S: '{}' },
        actor: { M: { kind: { S: 'user' }, id: { S: 'alice' } } },
        user_id: { S: 'alice' },
        request_id: { S: 'r' },
        created_at: { S: new Date().toISOString() },
        ...changes,
      };
      await table.send(new PutItemCommand({ TableName, Item: row }));
      return id;
    },
    forget: (id: string) => table.send(new DeleteItemCommand({ TableName, Key: toKey(id) })),
    deliver() {
      stops.push(startEventSources(services, runners, () => {}));
    },
    /** Lists the events on the bus. */
    read: (): BusEvent[] =>
      existsSync(busLog)
        ? readFileSync(busLog, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line))
        : [],
  };
}

/** Returns a decision that lets requests of one operation fail the first times. */
function failFirst(operation: string, times: number, fault: Fault) {
  let left = times;
  return (asked: string): Fault => (asked === operation && left-- > 0 ? fault : 'pass');
}

/** A user whose partition DynamoDB throttles. */
const throttled = toUserKey('https://issuer.example', randomUUID());

const listIds = (events: BusEvent[]) => events.map(({ detail }) => detail.id);

describe.skipIf(deployed)('the relay', () => {
  it('sends each event to the bus, as GET /events shows it', async () => {
    const { tell, deliver, read } = await startRelay();
    const ids: string[] = [];
    for (let count = 0; count < 25; count++) ids.push(await tell());
    deliver();
    await eventually(() => expect(listIds(read()).toSorted()).toEqual(ids));
    expect(read()[0]).toMatchObject({ source: 'voice-assistants.dev', 'detail-type': 'assistant.deleted' });
    expect(Object.keys(read()[0]?.detail ?? {})).toEqual([
      'id',
      'type',
      'subject',
      'data',
      'actor',
      'user_id',
      'request_id',
      'created_at',
    ]);
  });

  it.each<[string, Fault]>([
    ['PutEvents', 'throttle'],
    ['PutEvents', 'fail'],
    ['PutEvents', 'lose'],
    ['PutEvents', 'reset'],
    ['BatchGetItem', 'throttle'],
    ['BatchGetItem', 'reset'],
  ])('loses nothing if %s ends with: %s', async (operation, fault) => {
    const { relay, tell, deliver, read } = await startRelay();
    const ids = [await tell(), await tell(), await tell()];
    relay.proxy.decide = failFirst(operation, 4, fault); // one more than the client tries
    deliver();
    await eventually(() => expect([...new Set(listIds(read()))].toSorted()).toEqual(ids));
  });

  it('tells again what it told before it was killed, under the same id', async () => {
    const { relay, tell, deliver, read } = await startRelay();
    const id = await tell();
    let kills = 1;
    relay.proxy.decide = (operation) =>
      operation === 'PutEvents' && kills-- > 0 ? { answerAfter: () => relay.kill() } : 'pass';
    deliver();
    await eventually(() => expect(listIds(read())).toEqual([id, id]));
  });

  it('catches up after it was broken', async () => {
    const { relay, tell, deliver, read } = await startRelay();
    let broken = true;
    relay.proxy.decide = () => (broken ? 'fail' : 'pass');
    deliver();
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) ids.push(await tell());
    await eventually(() => expect(relay.proxy.seen.length).toBeGreaterThan(6));
    expect(read()).toEqual([]);
    broken = false;
    await eventually(() => expect(new Set(listIds(read()))).toEqual(new Set(ids)));
  });

  it('does not tell an event that was forgotten or restored, and goes on', async () => {
    const { tell, forget, deliver, read } = await startRelay();
    await forget(await tell());
    await tell(uuidv7({ msecs: Date.now() - 2 * 3_600_000 }));
    const id = await tell();
    deliver();
    await eventually(() => expect(listIds(read())).toEqual([id]));
  });

  it('skips an event that cannot be read', async () => {
    const { tell, deliver, read } = await startRelay();
    await tell(uuidv7(), { data: { S: '{' } });
    const id = await tell();
    deliver();
    await eventually(() => expect(listIds(read())).toEqual([id]));
  });

  it('sends what the bus rejects again, without holding others', async () => {
    const { relay, tell, deliver, read } = await startRelay();
    const ids: string[] = [];
    for (let count = 0; count < 13; count++) ids.push(await tell());
    const [rejected = '', ...others] = ids;
    let isRejecting = true;
    relay.proxy.decide = (operation, body) =>
      isRejecting && operation === 'PutEvents' && body.includes(rejected) ? 'fail' : 'pass';
    deliver();
    await eventually(() => expect(listIds(read()).toSorted()).toEqual(others));
    isRejecting = false;
    await eventually(() => expect(listIds(read()).toSorted()).toEqual(ids));
  });

  it.each([
    ['events', toEventKey(throttled, '').pk],
    ['webhooks', toWebhooksPrefix(throttled).pk],
  ])('sends the events of others, once, while the %s of a user are throttled', async (_, pk) => {
    const { relay, tell, deliver, read } = await startRelay();
    relay.proxy.decide = (_, body) => (body.includes(`"${pk}"`) ? { throttle: pk } : 'pass');
    const late: string[] = [];
    for (let count = 0; count < 40; count++)
      late.push(await tell(uuidv7(), { pk: { S: toEventKey(throttled, '').pk } }));
    const ids: string[] = [];
    for (let count = 0; count < 10; count++) ids.push(await tell());
    deliver();
    await eventually(() => expect(listIds(read()).toSorted()).toEqual(ids));
    relay.proxy.decide = () => 'pass';
    await eventually(() => expect(listIds(read()).toSorted()).toEqual([...late, ...ids]));
  });
});
