import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { functionRunners } from '../infra/local/functions.ts';
import { gateway } from '../infra/local/gateway.ts';
import { deliverMessages } from '../infra/local/queues.ts';
import { startServices } from '../infra/local/services.ts';
import { synthesize } from '../infra/local/synth.ts';
import type { KnowledgeBase } from '../shared/schemas/knowledge-base.ts';
import { documentOf, machine, quantile, queries } from './corpus.ts';
import { type Passed, watchedS3 } from './watched-s3.ts';

/**
 * How long a worker waits for a search over HTTP, with few or many knowledge bases attached: the first of a cold function,
 * its process included, and those after it. Prints a table. On
 * Linux only, which tells how long other processes compute.
 */

/** Characters of documents that become about so many passages. */
const characters = { 120: 100_000, 200: 167_500 } as const;

const cases = [
  { count: 1, each: 120 },
  { count: 10, each: 120 },
  { count: 50, each: 120 },
  { count: 50, each: 200 },
] as const;

const coldRuns = 20;

interface Line {
  request_id: string;
  duration_ms: number;
  round_trips: number;
  read_units: number;
}

/** What functions have logged, by the id of the request. */
const logged = new Map<string, Line>();
let unfinished = '';

function log(chunk: Buffer): void {
  const lines = (unfinished + chunk).split('\n');
  unfinished = lines.pop() ?? '';
  for (const line of lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))) {
    if (line.request_id) logged.set(line.request_id, line);
  }
}

/** What one search took: milliseconds of the whole request, and those that the function's process was computing. */
type Search = Line & { ms: number; processor: number };

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-bench-'));
const services = await startServices(dir, await synthesize());
const token = await services.issuer.token({ sub: 'bench', ttl: 7200 });

/** Serves the API by functions of which none runs yet. */
async function serve(endpoints = services.endpoints) {
  const runners = functionRunners({ ...services, gates: { endpointsOf: () => endpoints } }, log);
  const server = createServer(gateway(services.assembly, runners, () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await Promise.all([...runners.values()].map((runner) => runner.stop()));
  };
  const runner = [...runners.values()].find(({ spec }) => spec.description === 'knowledge-bases/search');
  if (!runner) throw new Error('The template has no function that searches');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, runners, runner, stop };
}

async function call<T>(url: string, method: string, body?: FormData | object) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
  };
  const sent = body instanceof FormData || !body ? body : JSON.stringify(body);
  const startedAt = performance.now();
  const response = await fetch(url, { method, headers, body: sent ?? null });
  const answer = (await response.json()) as T;
  const ms = performance.now() - startedAt;
  if (!response.ok) throw new Error(`${method} ${url}: ${JSON.stringify(answer)}`);
  await sleep(20); // the API takes 100 requests a second
  return { answer, ms, id: response.headers.get('x-request-id') ?? '' };
}

/** Uploads a document, and waits until it can be searched. */
async function uploaded(url: string, number: number, length: number): Promise<KnowledgeBase> {
  const form = new FormData();
  form.set('file', new Blob([documentOf(number, length)]), `tales-${number}.txt`);
  const made = await call<{ data: KnowledgeBase }>(`${url}/assistants/knowledge-base`, 'POST', form);
  for (let { data } = made.answer; ; ) {
    if (data.status === 'ready') return data;
    if (data.status === 'failed') throw new Error(data.status_reason?.msg);
    await sleep(100);
    ({ data } = (await call<typeof made.answer>(`${url}/assistants/knowledge-base/${data.id}`, 'GET')).answer);
  }
}

/** Milliseconds for which the processes of a bundle have been computing, in all their threads. */
function processorOf(entry: string): number {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  const ours = pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(entry));
  const threads = ours.flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}`));
  return threads.reduce((sum, path) => sum + Number(readFileSync(`${path}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0);
}

type Served = Awaited<ReturnType<typeof serve>>;

async function searched({ url, runner }: Served, assistant: string, number: number): Promise<Search> {
  const body = { query: queries[number % queries.length] };
  const before = processorOf(runner.spec.entry);
  const { ms, id } = await call(`${url}/assistants/${assistant}/search`, 'POST', body);
  const processor = processorOf(runner.spec.entry) - before;
  for (let line: Line | undefined; ; await sleep(5)) {
    line = logged.get(id);
    if (line) return { ...line, ms, processor };
  }
}

/** The first search of cold functions, each with another question. */
async function coldSearches(assistant: string): Promise<Search[]> {
  const found: Search[] = [];
  for (let run = 0; run < coldRuns; run++) {
    const served = await serve();
    const startedAt = performance.now();
    await served.runner.warm();
    const start = performance.now() - startedAt;
    const search = await searched(served, assistant, run * 9);
    found.push({ ...search, ms: start + search.ms });
    await served.stop();
  }
  return found;
}

/** Each question twice, of a function that has searched before. */
async function warmSearches(assistant: string): Promise<Search[]> {
  const served = await serve();
  await searched(served, assistant, 0);
  const found: Search[] = [];
  for (let number = 0; number < queries.length * 2; number++) found.push(await searched(served, assistant, number));
  await served.stop();
  return found;
}

const read = (passed: Passed[]) => passed.reduce((sum, { received }) => sum + received, 0);

/** Kilobytes that a cold search reads from S3, and the one after it. */
async function kilobytes(assistant: string): Promise<{ cold: number; warm: number }> {
  const s3 = await watchedS3(services.endpoints.AWS_ENDPOINT_URL_S3 ?? '');
  const served = await serve({ ...services.endpoints, AWS_ENDPOINT_URL_S3: s3.url });
  await searched(served, assistant, 0);
  const cold = read(s3.passed);
  await searched(served, assistant, 1);
  const warm = read(s3.passed) - cold;
  await served.stop();
  s3.stop();
  return { cold: cold / 1000, warm: warm / 1000 };
}

function row(what: string, all: Search[], kilobytes: number): string {
  const both = (of: (one: Search) => number) =>
    [0.5, 0.95].map((share) => quantile(all.map(of), share).toFixed(0)).join(' | ');
  const most = (of: (one: Search) => number) => Math.max(...all.map(of));
  const times = `${both(({ ms }) => ms)} | ${both((one) => one.duration_ms)} | ${both((one) => one.processor)}`;
  const costs = `${most((one) => one.round_trips)} | ${most((one) => one.read_units)} | ${kilobytes.toFixed(0)}`;
  return `| ${what} | ${times} | ${costs} |`;
}

try {
  const { url, runners, stop } = await serve();
  deliverMessages(services, runners, console.error);
  const documents = new Map<number, KnowledgeBase[]>();
  for (const each of [120, 200] as const) {
    const made: KnowledgeBase[] = [];
    for (let number = 0; number < 50; number++) made.push(await uploaded(url, number, characters[each]));
    documents.set(each, made);
  }
  console.log(`${machine()}\n`);
  console.log(
    '| Knowledge bases | Passages | Search | Request, ms | 95 % | Function, ms | 95 % | Computing, ms | 95 % | Round trips | Read units | S3, KB |',
  );
  console.log('|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|');
  for (const { count, each } of cases) {
    const attached = (documents.get(each) ?? []).slice(0, count);
    const assistant = { name: 'Receptionist', system_instruction: 'You answer the phone. '.repeat(70) };
    const { id } = (await call<{ id: string }>(`${url}/assistants`, 'POST', assistant)).answer;
    for (const one of attached) await call(`${url}/assistants/${id}/knowledge-bases/${one.id}`, 'PUT');
    const passages = attached.reduce((sum, { chunk_count }) => sum + (chunk_count ?? 0), 0);
    const bytes = await kilobytes(id);
    const begin = `${count} | ${passages.toLocaleString('en')}`;
    console.log(row(`${begin} | first`, await coldSearches(id), bytes.cold));
    console.log(row(`${begin} | next`, await warmSearches(id), bytes.warm));
  }
  await stop();
} finally {
  await services.stop();
  rmSync(dir, { recursive: true });
}
