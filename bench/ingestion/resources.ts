import { type ChildProcess, fork } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { marshall } from '@aws-sdk/util-dynamodb';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { buildKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { toKnowledgeBaseKey, toUserKey } from '../../shared/store/table/keys.ts';
import { buildDocument, describeMachine } from '../corpus.ts';
import { startS3Proxy } from '../s3-proxy.ts';

/**
 * Measures the time and memory that documents take to ingest, with the deployed bundles: the first and the second document of a fresh
 * function. The time is from the last byte read from S3 to the first byte of the index written. Prints a table. Linux only, because it
 * reads the memory of other processes.
 */

const runs = 3;

interface Document {
  name: string;
  bytes: Uint8Array;
}

/** Measurements of one ingestion. */
interface IngestionResult {
  outcome: string;
  passages: number;
  seconds: number;
  /** CPU time in seconds. Other load on a shared machine hardly affects it. */
  processor: number;
  /** Peak resident memory. */
  megabytes: number;
  /** Size of the stored index in bytes. */
  stored: number;
}

const folder = 'test/data/documents';
const samples = readdirSync(folder).filter((name) => name !== 'README.md');
const documents: Document[] = [
  ...samples.sort().map((name) => ({ name, bytes: readFileSync(join(folder, name)) })),
  { name: '4 MB of text', bytes: Buffer.from(buildDocument(0, 4 * 2 ** 20)).subarray(0, 4 * 2 ** 20) },
];

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-bench-'));
const services = await startServices(dir, await synthesize());
const s3 = await startS3Proxy(services.endpoints.AWS_ENDPOINT_URL_S3 ?? '');
const endpoints = { ...services.endpoints, AWS_ENDPOINT_URL_S3: s3.url };
const specs = [
  ...createFunctionRunners({ ...services, proxies: { getEndpoints: () => endpoints } }, () => {}).values(),
].map(({ spec }) => spec);
const ingest = specs.find(({ name }) => name.endsWith('-ingest'));
if (!ingest) throw new Error('The template has no ingest function');
const { entry, environment, memoryMb, timeoutSeconds } = ingest;

const region = 'us-east-1';
const table = new DynamoDBClient({ endpoint: services.endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '', region, credentials });
const bucket = new S3Client({ endpoint: services.endpoints.AWS_ENDPOINT_URL_S3 ?? '', region, credentials });
const owner = toUserKey('bench', 'user');

/** Uploads a document with its record in the table. Returns the key of the file. */
async function uploadDocument({ name, bytes }: Document): Promise<string> {
  const record = buildKnowledgeBase('alice', {
    file_name: name.replace(/ of text$/, '.txt'),
    content_type: '',
    size_bytes: bytes.length,
    sha256: hash('sha256', bytes),
  });
  const Item = marshall({ ...toKnowledgeBaseKey(owner, record.id), ...record });
  await table.send(
    new BatchWriteItemCommand({ RequestItems: { [environment.TABLE_NAME ?? '']: [{ PutRequest: { Item } }] } }),
  );
  const Key = `uploads/${owner}/${record.id}`;
  await bucket.send(new PutObjectCommand({ Bucket: environment.BUCKET_NAME, Key, Body: bytes }));
  return Key;
}

/** Returns the fields of `/proc/<pid>/stat` after the name, or none if the process has exited. */
function readStat(pid: number | string | undefined): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  } catch {
    return [];
  }
}

/** Returns the resident megabytes of a process and its children. */
function getResidentMb({ pid }: ChildProcess): number {
  const started = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && readStat(name)[1] === String(pid));
  const pages = [String(pid), ...started].map((name) => Number(readStat(name)[21] ?? 0));
  return (pages.reduce((sum, count) => sum + count, 0) * 4096) / 2 ** 20;
}

/** Returns the CPU seconds of a process and its finished children. The kernel counts in hundredths. */
function getProcessorSeconds({ pid }: ChildProcess): number {
  const times = readStat(pid).slice(11, 15).map(Number);
  return times.reduce((sum, time) => sum + time, 0) / 100;
}

/** Uploads a document and measures its ingestion by a process. */
async function measureIngestion(
  child: ChildProcess,
  lines: AsyncIterator<string>,
  document: Document,
): Promise<IngestionResult> {
  const key = await uploadDocument(document);
  const before = getProcessorSeconds(child);
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, getResidentMb(child));
  }, 20);
  s3.requests.length = 0;
  const event = {
    Records: [
      {
        messageId: randomUUID(),
        body: JSON.stringify({ detail: { object: { key } } }),
        attributes: { ApproximateReceiveCount: '1' },
      },
    ],
  };
  child.send({ event, awsRequestId: randomUUID(), deadline: Date.now() + timeoutSeconds * 1000 });
  await once(child, 'message');
  clearInterval(watch);
  const logged = JSON.parse((await lines.next()).value);
  const got = s3.requests.find(({ method }) => method === 'GET');
  const put = s3.requests.find(({ method }) => method === 'PUT');
  return {
    outcome: logged.outcome ?? JSON.stringify(logged),
    passages: logged.chunk_count,
    seconds: ((put?.startedAt ?? Number.NaN) - (got?.endedAt ?? Number.NaN)) / 1000,
    processor: getProcessorSeconds(child) - before,
    megabytes: peak,
    stored: put?.sent ?? 0,
  };
}

/** Measures two ingestions of a document in a fresh process. */
async function measureTwice(document: Document): Promise<[IngestionResult, IngestionResult]> {
  const child = fork('infra/local/lambda/runtime.mjs', [entry], {
    env: environment,
    execArgv: [`--max-old-space-size=${memoryMb}`],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (!child.stdout) throw new Error('The process has no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await once(child, 'message');
    return [await measureIngestion(child, lines, document), await measureIngestion(child, lines, document)];
  } finally {
    child.kill();
  }
}

/** Formats the shortest times of some runs, which other load disturbs least, and the maximum memory. */
function formatCells(taken: IngestionResult[]): string {
  const least = (of: (one: IngestionResult) => number) => Math.min(...taken.map(of)).toFixed(2);
  const most = Math.max(...taken.map(({ megabytes }) => megabytes)).toFixed(0);
  return `${least(({ seconds }) => seconds)} | ${least((one) => one.processor)} | ${most}`;
}

try {
  console.log(`${describeMachine()}; shortest times and maximum memory of ${runs} fresh processes each\n`);
  console.log(
    '| Document | KB | Passages | Stored, KB | First, s | Processor, s | Peak, MB | Again, s | Processor, s | Peak, MB |',
  );
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|');
  for (const document of documents) {
    const all: [IngestionResult, IngestionResult][] = [];
    for (let run = 0; run < runs; run++) all.push(await measureTwice(document));
    const [[one]] = all as [[IngestionResult, IngestionResult]];
    const size = (document.bytes.length / 1000).toFixed(0);
    const facts =
      one.outcome === 'ready' ? `${one.passages} | ${(one.stored / 1000).toFixed(1)}` : `${one.outcome} | –`;
    const times = [all.map(([first]) => first), all.map(([, again]) => again)].map(formatCells).join(' | ');
    console.log(`| ${document.name} | ${size} | ${facts} | ${times} |`);
  }
} finally {
  s3.stop();
  table.destroy();
  bucket.destroy();
  await services.stop();
  rmSync(dir, { recursive: true });
}
