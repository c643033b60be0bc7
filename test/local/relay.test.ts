import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AttributeValue,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, it } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { startEventSources } from '../../infra/local/lambda/event-sources.ts';
import type { FunctionRunner } from '../../infra/local/lambda/function-runner.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { formatDue } from '../../shared/domain/due.ts';
import type { JournalEvent } from '../../shared/schemas/event.ts';
import {
  type Key,
  toEventKey,
  toQuotaCountsKey,
  toUnsentEventKey,
  toUserKey,
  toWebhookKey,
} from '../../shared/store/table/keys.ts';
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
  const findRunner = (id: string): FunctionRunner => {
    const runner = [...runners.values()].find(({ spec }) => spec.description === id);
    if (!runner) throw new Error(`The template has no function ${id}`);
    return runner;
  };
  const relay = await ProxiedRunner.create(findRunner('relay').spec, () => {});
  runners.set(relay.spec.name, relay);
  const { TABLE_NAME: TableName = '' } = relay.spec.environment;
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
    owner,
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
    /** Stores that an event could not be sent when its row was added. */
    async leaveUnsent(id: string, addedAt: number): Promise<void> {
      const { pk, sk } = toUnsentEventKey(owner, id);
      const due = { 'by-due': { S: '0' }, due: { S: formatDue(owner, new Date().toISOString()) } };
      const Item = { pk: { S: pk }, sk: { S: sk }, added_at: { N: String(addedAt) }, ...due };
      await table.send(new PutItemCommand({ TableName, Item }));
    },
    /** Makes the event bus unreachable for the sweep. */
    cutOffSweep() {
      findRunner('sweep').spec.environment.AWS_ENDPOINT_URL_EVENTBRIDGE = 'http://127.0.0.1:1';
    },
    /** Runs the sweep, which sends events again. */
    sweep: () => findRunner('sweep').invoke({}),
    /** Counts the events of an owner that wait to be sent again. */
    async countUnsent(of = owner): Promise<number> {
      const ExpressionAttributeValues = { ':pk': { S: toUnsentEventKey(of, '').pk } };
      const KeyConditionExpression = 'pk = :pk';
      const query = new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues });
      return (await table.send(query)).Count ?? 0;
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

type Item = Record<string, AttributeValue>;

/** Returns what changes the answer of a BatchGetItem to one without the rows of a throttled partition. Undefined if it has no others. */
function withholdPartition(body: Buffer, pk: string) {
  const { RequestItems } = JSON.parse(body.toString()) as { RequestItems: Record<string, { Keys: Item[] }> };
  const isWithheld = (row: Item) => row.pk?.S === pk;
  const [[table, { Keys, ...options }] = ['', { Keys: [] }]] = Object.entries(RequestItems);
  if (Keys.every(isWithheld)) return undefined;
  return ({ Responses, ...rest }: Record<string, unknown>) => ({
    ...rest,
    Responses: { [table]: (Responses as Record<string, Item[]>)[table]?.filter((row) => !isWithheld(row)) },
    UnprocessedKeys: { [table]: { ...options, Keys: Keys.filter(isWithheld) } },
  });
}

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
    const { relay, tell, deliver, read, sweep } = await startRelay();
    const ids = [await tell(), await tell(), await tell()];
    relay.proxy.decide = failFirst(operation, 4, fault); // one more than the client tries
    deliver();
    await eventually(async () => {
      await sweep();
      expect([...new Set(listIds(read()))].toSorted()).toEqual(ids);
    });
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
    const { relay, tell, deliver, read, sweep } = await startRelay();
    let broken = true;
    relay.proxy.decide = () => (broken ? 'fail' : 'pass');
    deliver();
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) ids.push(await tell());
    await eventually(() => expect(relay.proxy.seen.length).toBeGreaterThan(6));
    expect(read()).toEqual([]);
    broken = false;
    await eventually(async () => {
      await sweep(); // for events that the relay could not read, though it could write that
      expect(new Set(listIds(read()))).toEqual(new Set(ids));
    });
  });

  it('does not tell an event that was forgotten or restored, and goes on', async () => {
    const { tell, forget, deliver, read } = await startRelay();
    await forget(await tell());
    await tell(uuidv7({ msecs: Date.now() - 2 * 3_600_000 }));
    const id = await tell();
    deliver();
    await eventually(() => expect(listIds(read())).toEqual([id]));
  });

  /** Builds a record of the table's stream for a new row. */
  const toRecord = ({ pk, sk }: Key) => ({
    dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, ApproximateCreationDateTime: Date.now() / 1_000 },
  });

  it('looks at no row elsewhere that is named like an event, and sends those beside it', async () => {
    const { relay, owner, tell, read, countUnsent } = await startRelay();
    const id = await tell();
    const key = toEventKey(owner, id);
    const elsewhere = { ...key, pk: toQuotaCountsKey(owner, 0).pk };
    const tooLong = { ...key, sk: `EVENT#${'x'.repeat(1_018)}` };
    await relay.invoke({ Records: [elsewhere, tooLong, key, key].map(toRecord) });
    expect(new Set(listIds(read()))).toEqual(new Set([id]));
    expect(await countUnsent()).toBe(0);
  });

  it('sends events beside damaged ones, and beside those of owners with damaged webhooks', async () => {
    const { relay, owner, tell, read, countUnsent } = await startRelay();
    const other = toUserKey('https://issuer.invalid', randomUUID());
    const toText = ({ pk, sk }: Key) => ({ pk: { S: pk }, sk: { S: sk } });
    await tell(uuidv7(), { ...toText(toWebhookKey(other, uuidv7())), enabled: { BOOL: true } });
    const [empty, ofOther] = [toEventKey(owner, uuidv7()), toEventKey(other, uuidv7())];
    await tell(uuidv7(), { ...toText(empty), type: { S: 'knowledge_base.attached' }, data: { S: 'null' } });
    await tell(uuidv7(), toText(ofOther));
    const odd = await tell(uuidv7(), {
      type: { S: 'webhook.retry_requested' },
      data: { S: '{"event_id":{"toString":1}}' },
    });
    const long = await tell(uuidv7(), {
      type: { S: 'webhook.retry_requested' },
      data: { S: JSON.stringify({ event_id: 'x'.repeat(300_000) }) },
    });
    const third = toUserKey('https://issuer.invalid', randomUUID());
    await tell(uuidv7(), {
      ...toText(toWebhookKey(third, uuidv7())),
      enabled: { BOOL: true },
      created_at: { M: { toString: { S: '' } } },
    });
    const ofThird = toEventKey(third, uuidv7());
    await tell(uuidv7(), toText(ofThird));
    const id = await tell();
    const keys = [empty, ofOther, toEventKey(owner, odd), toEventKey(owner, long), ofThird, toEventKey(owner, id)];
    await relay.invoke({ Records: keys.map(toRecord) });
    const parseId = ({ sk }: Key) => sk.slice('EVENT#'.length);
    expect(listIds(read()).toSorted()).toEqual([id, odd, long, parseId(ofOther), parseId(ofThird)].toSorted());
    expect([await countUnsent(), await countUnsent(other), await countUnsent(third)]).toEqual([0, 0, 0]);
  });

  it('sends both of two events with the same id, of two owners', async () => {
    const { relay, owner, tell, read } = await startRelay();
    const id = uuidv7();
    const other = toEventKey(toUserKey('https://issuer.invalid', randomUUID()), id);
    await tell(id, { user_id: { S: 'alice' } });
    await tell(id, { pk: { S: other.pk }, user_id: { S: 'bob' } });
    await relay.invoke({ Records: [toEventKey(owner, id), other].map(toRecord) });
    expect(
      read()
        .map(({ detail }) => detail.user_id)
        .toSorted(),
    ).toEqual(['alice', 'bob']);
  });

  it('skips an event that cannot be read', async () => {
    const { tell, deliver, read } = await startRelay();
    await tell(uuidv7(), { data: { S: '{' } });
    const id = await tell();
    deliver();
    await eventually(() => expect(listIds(read())).toEqual([id]));
  });

  it('sends again what the bus rejects, and nothing else', async () => {
    const { relay, tell, deliver, read, sweep } = await startRelay();
    const ids: string[] = [];
    for (let count = 0; count < 13; count++) ids.push(await tell());
    const [, rejected = ''] = ids;
    let isRejecting = true;
    relay.proxy.decide = (operation, body) => {
      if (operation !== 'PutEvents' || !isRejecting) return 'pass';
      const { Entries } = JSON.parse(body.toString()) as { Entries: { Detail: string }[] };
      const isRejected = ({ Detail }: { Detail: string }) => JSON.parse(Detail).id === rejected;
      isRejecting = !Entries.some(isRejected);
      const results = Entries.map((entry) =>
        isRejected(entry) ? { ErrorCode: 'ThrottlingException' } : { EventId: 'a' },
      );
      return { changeAnswer: () => ({ FailedEntryCount: isRejecting ? 0 : 1, Entries: results }) };
    };
    deliver();
    await eventually(() => expect(listIds(read()).toSorted()).toEqual(ids));
    await eventually(async () => {
      await sweep();
      expect(listIds(read()).toSorted()).toEqual([...ids, rejected].toSorted());
    });
  });

  it('sends no event twice to the bus while the webhooks cannot be reached', async () => {
    const { relay, tell, deliver, read, sweep, countUnsent } = await startRelay();
    relay.proxy.decide = (operation) => (operation === 'Query' ? 'throttle' : 'pass');
    const ids = [await tell(), await tell()];
    deliver();
    await eventually(() => expect(listIds(read()).toSorted()).toEqual(ids));
    await eventually(async () => expect(await countUnsent()).toBe(2));
    await sweep();
    expect(await countUnsent()).toBe(0);
    expect(listIds(read()).toSorted()).toEqual(ids);
  });

  it.each([
    [14, 'resolves'],
    [16, 'fails'],
  ])('is followed by a sweep that, after %i minutes without the bus, %s', async (minutes, outcome) => {
    const { tell, leaveUnsent, cutOffSweep, sweep, countUnsent } = await startRelay();
    const msecs = Date.now() - minutes * 60_000;
    for (let count = 0; count < 3; count++) await leaveUnsent(await tell(uuidv7({ msecs })), msecs);
    cutOffSweep();
    const failure = await sweep().then(
      () => 'resolves',
      (error: Error) => error.message,
    );
    expect(failure).toMatch(outcome === 'fails' ? /Events cannot be sent, .*: 3$/ : outcome);
    expect(await countUnsent()).toBe(3);
  });

  it('sends the events of others while those of a user are throttled', async () => {
    const { relay, tell, deliver, read, sweep } = await startRelay();
    const { pk } = toEventKey(toUserKey('https://issuer.example', randomUUID()), '');
    relay.proxy.decide = (operation, body) => {
      if (operation !== 'BatchGetItem' || !body.includes(`"${pk}"`)) return 'pass';
      const withheld = withholdPartition(body, pk);
      return withheld ? { changeAnswer: withheld } : 'throttle'; // as DynamoDB does if it reads no row at all
    };
    const late: string[] = [];
    for (let count = 0; count < 40; count++) late.push(await tell(uuidv7(), { pk: { S: pk } }));
    const ids: string[] = [];
    for (let count = 0; count < 10; count++) ids.push(await tell());
    deliver();
    await eventually(() => expect(listIds(read()).toSorted()).toEqual(ids));
    await eventually(async () => {
      await sweep();
      expect(listIds(read()).toSorted()).toEqual([...late, ...ids]);
    });
  });
});
