import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHost } from '../infra/local/host.ts';
import { createFunctionRunners } from '../infra/local/lambda/functions.ts';
import { startReceiver } from '../test/support/receiver.ts';
import { eventStream, listEvents } from '../test/support/vendor.ts';
import { describeMachine, quantile } from './corpus.ts';
import { listProcesses, readResidentMb } from './processes.ts';

/**
 * Measures what the service adds to a streamed answer of a vendor on this machine: the time until its first word, in a warm function, and
 * the memory of the function while it passes a long answer on. Prints two tables. Only ratios apply to other machines. Linux only.
 */

/** Times until the first word that the vendor takes, in milliseconds, and the number of measurements. */
const cases = [
  { thinkMs: 0, rounds: 200 },
  { thinkMs: 300, rounds: 50 },
];

/** Rounds that warm the functions up before the first measurement. */
const warmUps = 20;

/** Length of a long answer in characters, of one of its pieces, and the number of long answers. */
const [longAnswer, pieceSize, longAnswers] = [200_000, 20, 10];

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-chat-'));
const host = await startHost({ dir, port: 0 });
const vendor = await startReceiver();
const vendorUrl = new URL('/v1', vendor.url).href;
const token = await host.issuer.token({ sub: 'bench', ttl: 7200 });

const post = (url: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function create(path: string, body: object): Promise<{ id: string }> {
  const response = await post(host.url + path, body);
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json() as Promise<{ id: string }>;
}

await create('/user-credentials', { service_type: 'openai', api_key: 'sk-any' });
const llm = { model: 'any', base_url: vendorUrl };
const { id } = await create('/assistants', { name: 'Receptionist', system_instruction: 'You answer the phone.', llm });

const messages = [{ role: 'user', content: 'Hello' }];
const askVendor = () => post(`${vendorUrl}/chat/completions`, { model: 'any', messages, stream: true });
const askService = () => post(`${host.url}/chat/completions`, { model: id, messages, stream: true });
const readAssistant = () => fetch(`${host.url}/assistants/${id}`, { headers: { authorization: `Bearer ${token}` } });

/** Returns the milliseconds until a response has a text, and reads it to its end. Throws if it never has. */
async function measureUntil(wanted: string, ask: () => Promise<Response>, onFound = () => {}): Promise<number> {
  const startedAt = performance.now();
  const { body } = await ask();
  let text = '';
  let ms: number | undefined;
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    if (ms !== undefined) continue;
    text += piece;
    if (!text.includes(wanted)) continue;
    ms = performance.now() - startedAt;
    onFound();
  }
  if (ms === undefined) throw new Error(`"${wanted}" is missing: ${text}`);
  return ms;
}

const word = 'Good';
const median = (numbers: number[]) => quantile(numbers, 0.5);

async function measureFirstWord({ thinkMs, rounds }: (typeof cases)[number]): Promise<string> {
  vendor.script = async (response) => {
    await sleep(thinkMs);
    response.writeHead(200, eventStream).end(listEvents({ text: `${word} morning.` }, word.length).join(''));
  };
  const measured: { own: number; ours: number; read: number }[] = [];
  for (let round = -warmUps; round < rounds; round++) {
    const own = await measureUntil(word, askVendor);
    const ours = await measureUntil(word, askService);
    const read = await measureUntil(id, readAssistant);
    if (round >= 0) measured.push({ own, ours, read });
  }
  const own = median(measured.map((one) => one.own));
  const ours = median(measured.map((one) => one.ours));
  const read = median(measured.map((one) => one.read));
  const added = ours - own;
  const times = [own, ours, added].map((ms) => ms.toFixed(1)).join(' | ');
  return `| ${thinkMs} | ${times} | ${(ours / own).toFixed(2)} | ${(added / read).toFixed(2)} |`;
}

/** Measures the memory of the function when a long answer begins, and before it ends. */
async function measureMemory(entry: string): Promise<{ start: number; end: number }> {
  const [processId = '', ...others] = listProcesses(entry);
  if (others.length > 0) throw new Error('Several processes answer');
  const memory = { start: 0, end: 0 };
  vendor.script = (response) => {
    const events = listEvents({ text: word + 'x'.repeat(longAnswer - word.length) }, pieceSize);
    response.writeHead(200, eventStream);
    for (const event of events) response.write(event);
    response.end();
  };
  await measureUntil(word, askService, () => {
    memory.start = readResidentMb(processId);
  });
  memory.end = readResidentMb(processId);
  return memory;
}

try {
  console.log(`${describeMachine()}\n`);
  console.log(
    '| The vendor thinks, ms | First word directly, ms | Through the service, ms | Added, ms | Ratio | Added, in warm reads of an assistant |',
  );
  console.log('|---:|---:|---:|---:|---:|---:|');
  for (const one of cases) console.log(await measureFirstWord(one));
  const specs = [...createFunctionRunners(host, () => {}).values()].map(({ spec }) => spec);
  const entry = specs.find(({ description }) => description === 'completions/create')?.entry ?? '';
  const all: { start: number; end: number }[] = [];
  for (let number = 0; number < longAnswers; number++) all.push(await measureMemory(entry));
  const growth = all.map(({ start, end }) => end / start);
  console.log(
    '\n| Answer of 200 KB | First, MB | Last, MB | Last / first | End / start, median | Largest |\n|---|---:|---:|---:|---:|---:|',
  );
  const [first, last] = [all[0]?.end ?? 0, all.at(-1)?.end ?? 0];
  const figures = [last / first, median(growth), Math.max(...growth)].map((ratio) => ratio.toFixed(2));
  console.log(`| ${longAnswers} times | ${first.toFixed(0)} | ${last.toFixed(0)} | ${figures.join(' | ')} |`);
} finally {
  vendor.stop();
  await host.stop();
  rmSync(dir, { recursive: true });
}
