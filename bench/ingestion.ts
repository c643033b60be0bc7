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
import { credentials } from '../infra/local/emulators/emulator.ts';
import { functionRunners } from '../infra/local/functions.ts';
import { startServices } from '../infra/local/services.ts';
import { synthesize } from '../infra/local/synth.ts';
import { newKnowledgeBase } from '../shared/domain/knowledge-base.ts';
import { knowledgeBaseKey, userKey } from '../shared/store/keys.ts';
import { documentOf, machine } from './corpus.ts';
import { watchedS3 } from './watched-s3.ts';

/**
 * How long documents take to read, and how much memory: by the bundles that are deployed, in a fresh function with its parsers, the
 * first and the second time. The time is that from a file's last byte to the first of its index, as S3 sees it. Prints a table. On
 * Linux only, which tells of the memory of other processes.
 */

const runs = 3;

interface Document {
  name: string;
  bytes: Uint8Array;
}

/** What one reading took. */
interface Taken {
  outcome: string;
  passages: number;
  seconds: number;
  /** Of the processor, in seconds: what the neighbours on a shared machine do not change. */
  processor: number;
  /** Resident, at its peak, in megabytes. */
  megabytes: number;
  /** Bytes of what is stored. */
  stored: number;
}

const folder = 'test/data/documents';
const samples = readdirSync(folder).filter((name) => name !== 'README.md');
const documents: Document[] = [
  ...samples.sort().map((name) => ({ name, bytes: readFileSync(join(folder, name)) })),
  { name: '4 MB of text', bytes: Buffer.from(documentOf(0, 4 * 2 ** 20)).subarray(0, 4 * 2 ** 20) },
];

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-bench-'));
const services = await startServices(dir, await synthesize());
const s3 = await watchedS3(services.endpoints.AWS_ENDPOINT_URL_S3 ?? '');
const endpoints = { ...services.endpoints, AWS_ENDPOINT_URL_S3: s3.url };
const specs = [...functionRunners({ ...services, gates: { endpointsOf: () => endpoints } }, () => {}).values()].map(
  ({ spec }) => spec,
);
const ingest = specs.find(({ name }) => name.endsWith('-ingest'));
if (!ingest) throw new Error('The template has no function that reads documents');
const { entry, environment, memoryMb, timeoutSeconds } = ingest;

const region = 'us-east-1';
const table = new DynamoDBClient({ endpoint: services.endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '', region, credentials });
const bucket = new S3Client({ endpoint: services.endpoints.AWS_ENDPOINT_URL_S3 ?? '', region, credentials });
const owner = userKey('bench', 'user');

/** Puts a document where uploads are, with a record that waits for it. Gives its key. */
async function arrive({ name, bytes }: Document): Promise<string> {
  const record = newKnowledgeBase({
    file_name: name.replace(/ of text$/, '.txt'),
    content_type: '',
    size_bytes: bytes.length,
    sha256: hash('sha256', bytes),
  });
  const Item = marshall({ ...knowledgeBaseKey(owner, record.id), ...record });
  await table.send(
    new BatchWriteItemCommand({ RequestItems: { [environment.TABLE_NAME ?? '']: [{ PutRequest: { Item } }] } }),
  );
  const Key = `uploads/${owner}/${record.id}`;
  await bucket.send(new PutObjectCommand({ Bucket: environment.BUCKET_NAME, Key, Body: bytes }));
  return Key;
}

/** Fields of `/proc/<pid>/stat` behind the name, from the third on; none where the process is gone. */
function statusOf(pid: number | string | undefined): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  } catch {
    return [];
  }
}

/** Resident megabytes of a process and of those that it has started, where the system tells (Linux). */
function resident({ pid }: ChildProcess): number {
  const started = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statusOf(name)[1] === String(pid));
  const pages = [String(pid), ...started].map((name) => Number(statusOf(name)[21] ?? 0));
  return (pages.reduce((sum, count) => sum + count, 0) * 4096) / 2 ** 20;
}

/** Seconds of the processor so far, with those of the processes that have ended; the kernel counts hundredths. */
function processor({ pid }: ChildProcess): number {
  const times = statusOf(pid).slice(11, 15).map(Number);
  return times.reduce((sum, time) => sum + time, 0) / 100;
}

/** Has a process read a document that has arrived. */
async function ingested(child: ChildProcess, lines: AsyncIterator<string>, document: Document): Promise<Taken> {
  const key = await arrive(document);
  const before = processor(child);
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, resident(child));
  }, 20);
  s3.passed.length = 0;
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
  const got = s3.passed.find(({ method }) => method === 'GET');
  const put = s3.passed.find(({ method }) => method === 'PUT');
  return {
    outcome: logged.outcome ?? JSON.stringify(logged),
    passages: logged.chunk_count,
    seconds: ((put?.startedAt ?? Number.NaN) - (got?.endedAt ?? Number.NaN)) / 1000,
    processor: processor(child) - before,
    megabytes: peak,
    stored: put?.sent ?? 0,
  };
}

/** A document, read twice in a fresh process. */
async function twice(document: Document): Promise<[Taken, Taken]> {
  const child = fork('infra/local/runtime.mjs', [entry], {
    env: environment,
    execArgv: [`--max-old-space-size=${memoryMb}`],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (!child.stdout) throw new Error('A process without output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await once(child, 'message');
    return [await ingested(child, lines, document), await ingested(child, lines, document)];
  } finally {
    child.kill();
  }
}

/** The shortest times of some runs, which the neighbours disturb least, and the most memory. */
function cells(taken: Taken[]): string {
  const least = (of: (one: Taken) => number) => Math.min(...taken.map(of)).toFixed(2);
  const most = Math.max(...taken.map(({ megabytes }) => megabytes)).toFixed(0);
  return `${least(({ seconds }) => seconds)} | ${least((one) => one.processor)} | ${most}`;
}

try {
  console.log(`${machine()}; the shortest of ${runs} fresh processes each, and the most memory of them\n`);
  console.log(
    '| Document | KB | Passages | Stored, KB | First, s | Processor, s | Peak, MB | Again, s | Processor, s | Peak, MB |',
  );
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|');
  for (const document of documents) {
    const all: [Taken, Taken][] = [];
    for (let run = 0; run < runs; run++) all.push(await twice(document));
    const [[one]] = all as [[Taken, Taken]];
    const size = (document.bytes.length / 1000).toFixed(0);
    const facts =
      one.outcome === 'ready' ? `${one.passages} | ${(one.stored / 1000).toFixed(1)}` : `${one.outcome} | –`;
    const times = [all.map(([first]) => first), all.map(([, again]) => again)].map(cells).join(' | ');
    console.log(`| ${document.name} | ${size} | ${facts} | ${times} |`);
  }
} finally {
  s3.stop();
  table.destroy();
  bucket.destroy();
  await services.stop();
  rmSync(dir, { recursive: true });
}
