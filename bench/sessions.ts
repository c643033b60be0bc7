import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { credentials } from '../infra/local/emulators/emulator.ts';
import { type Host, startHost } from '../infra/local/host.ts';
import { toCursor } from '../shared/domain/cursor.ts';
import { sessionIdAt } from '../shared/domain/session.ts';
import { assistantSessionsKey, countKey, roomKey, sessionKey, userKey } from '../shared/store/keys.ts';
import { spoken } from './corpus.ts';

/**
 * How the listings of sessions behave for a user who has very many, against one who has few, and how large transcripts are,
 * each turn of which says something else. Prints two tables.
 */

const sizes = [100, 100_000];
const assistant = '01a1fce7-9d80-7c4e-9b2f-5d8a3e6f1c07';
const firstMs = Date.parse('2026-01-01T00:00:00Z');

/** A session id that sorts by its number. */
const idOf = (n: number) => sessionIdAt(firstMs + n * 1000, '0');

function headOf(owner: string, n: number) {
  const room = `room ${n % 10}`;
  return {
    ...sessionKey(owner, idOf(n)),
    assistant_id: assistant,
    assistant_name: 'Receptionist',
    room_name: room,
    channel: 'voice',
    message_count: 24,
    preview: 'Good morning, how may I help you today?',
    created_at: new Date(firstMs + n * 1000).toISOString(),
    'by-assistant': assistantSessionsKey(owner, assistant),
    'by-room': roomKey(owner, room),
  };
}

async function seed(client: DynamoDBClient, table: string, owner: string, count: number): Promise<void> {
  const put = (items: Record<string, unknown>[]) =>
    client.send(
      new BatchWriteItemCommand({
        RequestItems: { [table]: items.map((item) => ({ PutRequest: { Item: marshall(item) } })) },
      }),
    );
  for (let from = 0; from < count; from += 25) {
    await put(Array.from({ length: Math.min(25, count - from) }, (_, i) => headOf(owner, from + i)));
  }
  const days = new Map<string, Record<string, unknown>>();
  for (let n = 0; n < count; n++) {
    const key = countKey(owner, firstMs + n * 1000);
    days.set(key.sk, { ...key, sessions: Number(days.get(key.sk)?.sessions ?? 0) + 1 });
  }
  await put([...days.values()]);
}

/** Median milliseconds of nine calls as a client sees them, with what the function logged of the last. */
async function measure(host: Host, dir: string, token: string, path: string): Promise<string[]> {
  const times: number[] = [];
  let id = '';
  let items = 0;
  for (let i = 0; i < 10; i++) {
    const startedAt = performance.now();
    const response = await fetch(host.url + path, { headers: { authorization: `Bearer ${token}` } });
    const { data } = (await response.json()) as { data: { sessions?: object[]; chats?: object[] } };
    if (i > 0) times.push(performance.now() - startedAt); // the first may start the function
    id = response.headers.get('x-request-id') ?? '';
    items = (data.sessions ?? data.chats ?? []).length;
    await sleep(20);
  }
  const log = readFileSync(join(dir, 'logs', 'functions.log'), 'utf8');
  const line = log.split('\n').find((text) => text.includes(id) && text.includes('"route"')) ?? '{}';
  const { round_trips, read_units } = JSON.parse(line);
  const median = times.toSorted((a, b) => a - b)[4] ?? 0;
  return [String(items), String(round_trips), String(read_units), median.toFixed(1)];
}

const turns = 1_000;

/** A number from 0 to 1 that looks like any other, the same in each run. */
const random = (seed: string) => createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32;

/** Turns as LiveKit sends them: a caller and an assistant, with ids, times and measurements of their own. */
function asLiveKit(said: string[]): object[] {
  let at = 1_763_708_402.113;
  return said.map((text, i) => {
    at += 1 + text.length / 15 + random(`pause ${i}`);
    const seconds = (what: string) => Math.round((0.2 + random(`${what} ${i}`)) * 1000) / 1000;
    const isAssistant = i % 2 === 0;
    return {
      id: `item_${createHash('sha256').update(`${i}`).digest('hex').slice(0, 12)}`,
      type: 'message',
      role: isAssistant ? 'assistant' : 'user',
      content: [text],
      interrupted: isAssistant && random(`interrupted ${i}`) < 0.1,
      ...(!isAssistant && { transcript_confidence: Math.round((0.9 + random(`heard ${i}`) / 10) * 100) / 100 }),
      created_at: Math.round(at * 1000) / 1000,
      ...(isAssistant && { metrics: { llm_node_ttft: seconds('model'), tts_node_ttfb: seconds('voice') } }),
    };
  });
}

const asPlain = (said: string[]) => said.map((text, i) => ({ speaker: i % 2 ? 'caller' : 'assistant', text }));

/** What a long call takes, before and after its compression. */
function printTranscripts(): void {
  const said = spoken(turns);
  console.log(`\n| ${turns.toLocaleString('en')} turns | Bytes | Bytes, compressed |\n|---|---:|---:|`);
  for (const [name, items] of [
    ['as LiveKit sends them', asLiveKit(said)],
    ['`{speaker, text}`', asPlain(said)],
  ] as const) {
    const json = Buffer.from(JSON.stringify(items));
    const [before, after] = [json, zstdCompressSync(json)].map(({ length }) => length.toLocaleString('en'));
    console.log(`| ${name} | ${before} | ${after} |`);
  }
}

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-bench-'));
const host = await startHost({ dir, port: 0 });
try {
  const endpoint = host.endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '';
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const [table] = host.assembly.resources('AWS::DynamoDB::GlobalTable');
  console.log(
    '| Listing | Sessions of the user | Items | Round trips | Read units | ms |\n|---|---:|---:|---:|---:|---:|',
  );
  for (const size of sizes) {
    const sub = `user-${size}`;
    const owner = userKey(host.issuer.url, sub);
    await seed(client, `${table?.stack}-${table?.id}`, owner, size);
    const token = await host.issuer.token({ sub, ttl: 3600 });
    const last = toCursor(owner, 'logs/sessions', idOf(20));
    for (const [name, path] of [
      ['first page of 20', '/logs/chat-sessions?limit=20'],
      ['first page of 20 of a room', '/logs/chat-sessions?limit=20&room_name=room%203'],
      ['last page of 20, by cursor', `/logs/chat-sessions?limit=20&cursor=${last}`],
      ['`/chat`, 20', '/chat?limit=20'],
      ['`/chat`, 20 after 10,000', '/chat?limit=20&skip=10000'],
    ] as const) {
      console.log(
        `| ${name} | ${size.toLocaleString('en')} | ${(await measure(host, dir, token, path)).join(' | ')} |`,
      );
    }
  }
  printTranscripts();
  client.destroy();
} finally {
  await host.stop();
  rmSync(dir, { recursive: true });
}
