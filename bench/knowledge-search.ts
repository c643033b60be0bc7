import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGateway } from '../infra/local/gateway/gateway.ts';
import { startEventSources } from '../infra/local/lambda/event-sources.ts';
import { createFunctionRunners } from '../infra/local/lambda/functions.ts';
import { startServices } from '../infra/local/services.ts';
import { synthesize } from '../infra/local/synth.ts';
import type { KnowledgeBase } from '../shared/schemas/knowledge-base.ts';
import { buildDocument, describeMachine, quantile, queries } from './corpus.ts';
import { listProcesses } from './processes.ts';
import { type ProxiedRequest, startS3Proxy } from './s3-proxy.ts';

/**
 * Measures searches over HTTP with few or many attached knowledge bases: the first search of a cold function, including the start of
 * its process, and later ones. Prints a table. Linux only, because it reads the CPU time of other processes.
 */

/** Length of a document in characters, by its approximate number of passages. */
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

/** Log lines of the functions, by request id. */
const logged = new Map<string, Line>();
let unfinished = '';

function log(chunk: Buffer): void {
  const lines = (unfinished + chunk).split('\n');
  unfinished = lines.pop() ?? '';
  for (const line of lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))) {
    if (line.request_id) logged.set(line.request_id, line);
  }
}

/** Measurements of one search: wall time of the request and CPU time of the function, in milliseconds. */
type Search = Line & { ms: number; processor: number };

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-bench-'));
const services = await startServices(dir, await synthesize());
const token = await services.issuer.token({ sub: 'bench', ttl: 7200 });

/** Serves the API with cold functions. */
async function serve(endpoints = services.endpoints) {
  const runners = createFunctionRunners({ ...services, proxies: { getEndpoints: () => endpoints } }, log);
  const server = createServer(createGateway(services.assembly, runners, () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await Promise.all([...runners.values()].map((runner) => runner.stop()));
  };
  const runner = [...runners.values()].find(({ spec }) => spec.description === 'knowledge-bases/search');
  if (!runner) throw new Error('The template has no search function');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, runners, runner, stop };
}

async function sendRequest<T>(url: string, method: string, body?: FormData | object) {
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
  await sleep(20); // the API accepts 100 requests a second
  return { answer, ms, id: response.headers.get('x-request-id') ?? '' };
}

/** Uploads a document and waits until it is searchable. */
async function uploadDocument(url: string, number: number, length: number): Promise<KnowledgeBase> {
  const form = new FormData();
  form.set('file', new Blob([buildDocument(number, length)]), `tales-${number}.txt`);
  const made = await sendRequest<{ data: KnowledgeBase }>(`${url}/assistants/knowledge-base`, 'POST', form);
  for (let { data } = made.answer; ; ) {
    if (data.status === 'ready') return data;
    if (data.status === 'failed') throw new Error(data.status_reason?.msg);
    await sleep(100);
    ({ data } = (await sendRequest<typeof made.answer>(`${url}/assistants/knowledge-base/${data.id}`, 'GET')).answer);
  }
}

/** Returns the CPU milliseconds of a bundle's processes, in all their threads. */
function getProcessorMs(entry: string): number {
  const threads = listProcesses(entry).flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}`),
  );
  return threads.reduce((sum, path) => sum + Number(readFileSync(`${path}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0);
}

type RunningApi = Awaited<ReturnType<typeof serve>>;

async function measureSearch({ url, runner }: RunningApi, assistant: string, number: number): Promise<Search> {
  const body = { query: queries[number % queries.length] };
  const before = getProcessorMs(runner.spec.entry);
  const { ms, id } = await sendRequest(`${url}/assistants/${assistant}/search`, 'POST', body);
  const processor = getProcessorMs(runner.spec.entry) - before;
  for (let line: Line | undefined; ; await sleep(5)) {
    line = logged.get(id);
    if (line) return { ...line, ms, processor };
  }
}

/** Measures the first search of cold functions, each with another question. */
async function measureColdSearches(assistant: string): Promise<Search[]> {
  const found: Search[] = [];
  for (let run = 0; run < coldRuns; run++) {
    const served = await serve();
    const startedAt = performance.now();
    await served.runner.warm();
    const start = performance.now() - startedAt;
    const search = await measureSearch(served, assistant, run * 9);
    found.push({ ...search, ms: start + search.ms });
    await served.stop();
  }
  return found;
}

/** Measures each question twice in a warm function. */
async function measureWarmSearches(assistant: string): Promise<Search[]> {
  const served = await serve();
  await measureSearch(served, assistant, 0);
  const found: Search[] = [];
  for (let number = 0; number < queries.length * 2; number++)
    found.push(await measureSearch(served, assistant, number));
  await served.stop();
  return found;
}

const sumReceived = (passed: ProxiedRequest[]) => passed.reduce((sum, { received }) => sum + received, 0);

/** Measures the kilobytes that a cold search reads from S3, and those of the next search. */
async function measureKilobytes(assistant: string): Promise<{ cold: number; warm: number }> {
  const s3 = await startS3Proxy(services.endpoints.AWS_ENDPOINT_URL_S3 ?? '');
  const served = await serve({ ...services.endpoints, AWS_ENDPOINT_URL_S3: s3.url });
  await measureSearch(served, assistant, 0);
  const cold = sumReceived(s3.requests);
  await measureSearch(served, assistant, 1);
  const warm = sumReceived(s3.requests) - cold;
  await served.stop();
  s3.stop();
  return { cold: cold / 1000, warm: warm / 1000 };
}

function formatRow(what: string, all: Search[], kilobytes: number): string {
  const both = (of: (one: Search) => number) =>
    [0.5, 0.95].map((share) => quantile(all.map(of), share).toFixed(0)).join(' | ');
  const most = (of: (one: Search) => number) => Math.max(...all.map(of));
  const times = `${both(({ ms }) => ms)} | ${both((one) => one.duration_ms)} | ${both((one) => one.processor)}`;
  const costs = `${most((one) => one.round_trips)} | ${most((one) => one.read_units)} | ${kilobytes.toFixed(0)}`;
  return `| ${what} | ${times} | ${costs} |`;
}

try {
  const { url, runners, stop } = await serve();
  const stopSources = startEventSources(services, runners, console.error);
  const documents = new Map<number, KnowledgeBase[]>();
  for (const each of [120, 200] as const) {
    const made: KnowledgeBase[] = [];
    for (let number = 0; number < 50; number++) made.push(await uploadDocument(url, number, characters[each]));
    documents.set(each, made);
  }
  console.log(`${describeMachine()}\n`);
  console.log(
    '| Knowledge bases | Passages | Search | Request, ms | 95 % | Function, ms | 95 % | Computing, ms | 95 % | Round trips | Read units | S3, KB |',
  );
  console.log('|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|');
  for (const { count, each } of cases) {
    const attached = (documents.get(each) ?? []).slice(0, count);
    const assistant = { name: 'Receptionist', system_instruction: 'You answer the phone. '.repeat(70) };
    const { id } = (await sendRequest<{ id: string }>(`${url}/assistants`, 'POST', assistant)).answer;
    for (const one of attached) await sendRequest(`${url}/assistants/${id}/knowledge-bases/${one.id}`, 'PUT');
    const passages = attached.reduce((sum, { chunk_count }) => sum + (chunk_count ?? 0), 0);
    const bytes = await measureKilobytes(id);
    const begin = `${count} | ${passages.toLocaleString('en')}`;
    console.log(formatRow(`${begin} | first`, await measureColdSearches(id), bytes.cold));
    console.log(formatRow(`${begin} | next`, await measureWarmSearches(id), bytes.warm));
  }
  const sourcesStopped = stopSources();
  await stop();
  await sourcesStopped;
} finally {
  await services.stop();
  rmSync(dir, { recursive: true });
}
