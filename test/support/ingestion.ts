import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { SQSEvent } from 'aws-lambda';
import type { Deployment } from '../../infra/commands/data/deployment/deployment.ts';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { createGateway } from '../../infra/local/gateway/gateway.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { formatDue } from '../../shared/domain/due.ts';
import type { FoundPassage, KnowledgeBase } from '../../shared/schemas/knowledge-base.ts';
import { toKnowledgeBaseKey, toUserKey } from '../../shared/store/table/keys.ts';
import { type Client, createClient } from './api.ts';
import { minimal } from './assistants.ts';
import { makeBreakable } from './breakable-function.ts';
import { type Disturb, DisturbedRunner } from './disturbed-runner.ts';
import { buildForm, getKnowledgeBase } from './knowledge-bases.ts';
import { reportPermissions } from './permissions-report.ts';
import { eventually } from './timeouts.ts';

/** Ways to upload a document. */
export type UploadMethod = 'multipart' | 'presigned';

interface Announced {
  data: { knowledge_base: KnowledgeBase; upload: { url: string; fields: Record<string, string> } };
}

const path = '/assistants/knowledge-base';

/** The template's delivery settings, with less concurrency and short retry delays. */
const defaults = { concurrency: 6, reportsFailures: true, retrySeconds: 0.02, log: () => {} };

/**
 * Starts a separate host with a user. Tests can inject faults into its ingestion function. It parses nothing until `deliverAll`, which
 * delivers all messages until none is left. It parses at most `concurrency` documents in parallel, and `lanes` of one user.
 */
export async function startIngestionHost({
  concurrency = defaults.concurrency,
  lanes = concurrency,
  retrySeconds = defaults.retrySeconds,
}: {
  concurrency?: number;
  lanes?: number;
  retrySeconds?: number;
} = {}) {
  const delivery = { ...defaults, concurrency };
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-ingestion-'));
  const services = await startServices(dir, await synthesize());
  const { assembly, endpoints, issuer, queues } = services;
  const log: Buffer[] = [];
  const runners = createFunctionRunners(services, (chunk) => log.push(chunk));
  const findRunner = (id: string) => [...runners.values()].find(({ spec }) => spec.description === id);
  const intake = findRunner('intake');
  const eraser = findRunner('erase');
  const sweeper = findRunner('sweep');
  const spec = findRunner('ingest')?.spec;
  const findQueue = (id: string) => [...queues].find(([arn]) => new RegExp(`-${id}[0-9A-F]{8}$`).test(arn));
  const [arrivals, documents, deletions] = ['Queue', 'Documents', 'Erasures'].map(findQueue);
  const failed = ['Failed', 'FailedDocuments'].map(findQueue).filter((queue) => queue !== undefined);
  if (!intake || !eraser || !sweeper || !spec || !arrivals || !documents || !deletions || failed.length < 2)
    throw new Error('The template lacks a function or queue of the ingestion');
  const ingest = new DisturbedRunner(spec, (chunk) => log.push(chunk));
  intake.spec.environment.READING_LANES = String(lanes);
  const deletion = await makeBreakable(runners, 'knowledge-bases/delete');
  const server = createServer(createGateway(assembly, runners, () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const newUser = async () => {
    const sub = `user-${randomUUID()}`;
    const user = createClient(sub, await issuer.token({ sub, ttl: 3600 }), url);
    return { user, owner: toUserKey(issuer.url, sub) };
  };
  const { user, owner } = await newUser();
  const { TABLE_NAME: TableName = '', BUCKET_NAME: Bucket = '' } = spec.environment;
  const s3 = new S3Client({ endpoint: endpoints.AWS_ENDPOINT_URL_S3 ?? '', region: 'us-east-1', credentials });
  const table = new DynamoDBClient({
    endpoint: endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    region: 'us-east-1',
    credentials,
  });

  const place: Deployment = {
    ...{
      name: 'the tests',
      table: TableName,
      bucket: Bucket,
      issuer: issuer.url,
      key: 'test-key',
      elsewhere: 'nothing',
      dynamoDb: table,
      s3,
    },
    kms: new KMSClient({ endpoint: endpoints.AWS_ENDPOINT_URL_KMS ?? '', region: 'us-east-1', credentials }),
    scrub: () => {},
    close: async () => {},
  };

  /** Reads the bodies of all messages in a queue. */
  const readMessages = ([arn]: [string, unknown]): string[] => {
    const folder = join(dir, 'queues', arn.slice(arn.lastIndexOf(':') + 1));
    const messages = readdirSync(folder).filter((file) => file.endsWith('.json'));
    return messages.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).body);
  };

  const announce = async (content: string): Promise<Announced['data']> => {
    const file = { file_name: 'notes.txt', content_type: 'text/plain', size_bytes: Buffer.byteLength(content) };
    return (await user.post<Announced>(`${path}/uploads`, file)).body.data;
  };

  /** Uploads a document with the presigned form of its knowledge base. */
  const send = async ({ upload }: Announced['data'], content: string): Promise<void> => {
    const form = new FormData();
    for (const [name, value] of Object.entries(upload.fields)) form.set(name, value);
    form.set('file', new Blob([content]));
    const { ok } = await fetch(upload.url, { method: 'POST', body: form });
    if (!ok) throw new Error('S3 rejected the form');
  };

  const post = async (content: string, { token }: Client = user): Promise<string> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(url + path, { method: 'POST', headers, body: buildForm(content) });
    return ((await response.json()) as { data: KnowledgeBase }).data.id;
  };

  /** Lists the keys of the bucket that contain a text. */
  const files = async (text: string): Promise<string[]> => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    return Contents.map(({ Key = '' }) => Key).filter((key) => key.includes(text));
  };

  /** Searches in one document and returns the texts found. */
  const searchDocument = async (id: string): Promise<string[]> => {
    const knowledge_base = { vectorstore_index: 'builtin', vectorstore_namespace: id };
    const { body: assistant } = await user.post<{ id: string }>('/assistants', { ...minimal, knowledge_base });
    const search = { query: 'archive' };
    const { body } = await user.post<{ data: { passages: FoundPassage[] } }>(
      `/assistants/${assistant.id}/search`,
      search,
    );
    return body.data.passages.map(({ text }) => text);
  };

  /** Number of messages in each event of `intake`. */
  const taken: number[] = [];

  /** Deletions that the queue has begun to complete, by object key, and what they wait for. */
  const erasures = { begun: [] as string[], waitFor: async (_key: string): Promise<void> => {} };

  return {
    user,
    owner,
    newUser,
    place,
    post,
    taken,
    erasures,
    ingest,
    deletion,
    files,
    announce,
    send,
    /** Uploads a document and returns its id. `disturb` injects faults into its ingestion. */
    async upload(method: UploadMethod, content: string, disturb: Disturb = () => 'pass'): Promise<string> {
      const announced = method === 'presigned' ? await announce(content) : undefined;
      if (announced) await send(announced, content);
      const id = announced?.knowledge_base.id ?? (await post(content));
      ingest.disturbances.set(id, disturb);
      return id;
    },
    /** Delivers all messages, retrying failed ones, until no message is left. */
    async deliverAll(): Promise<void> {
      const take = (event: SQSEvent) => {
        taken.push(event.Records.length);
        return intake.invoke(event);
      };
      arrivals[1].deliver({ ...delivery, retrySeconds, batchSize: 10, handle: take });
      documents[1].deliver({ ...delivery, batchSize: 1, handle: (event) => ingest.invoke(event) });
      const erase = async (event: SQSEvent) => {
        const { key } = JSON.parse(event.Records[0]?.body ?? '').detail.object;
        erasures.begun.push(key);
        await erasures.waitFor(key);
        return eraser.invoke(event);
      };
      deletions[1].deliver({ ...delivery, retrySeconds, batchSize: 1, handle: erase });
      const expectEmpty = () => {
        const left = [arrivals, documents, deletions].flatMap(readMessages);
        if (left.length > 0) throw new Error(`Still there: ${left}\n${Buffer.concat(log)}`);
      };
      await eventually(expectEmpty);
      await Promise.all([arrivals, documents, deletions].map(([, queue]) => queue.stop()));
    },
    /** True if a document has a row, visible or hidden. */
    async isStored(id: string): Promise<boolean> {
      const { pk, sk } = toKnowledgeBaseKey(owner, id);
      const { Item } = await table.send(new GetItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: sk } } }));
      return Item !== undefined;
    },
    /** Sends a message with any body to the queue of arrivals. */
    sendMessage: (body: string) => arrivals[1].send(body),
    /** Lists the bodies of all messages in the dead-letter queues. */
    listDeadLetters: () => failed.flatMap(readMessages),
    /** Stores an object without creating a knowledge base. */
    put: (Key: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body: 'text' })),
    /** Returns the final state of a document, with the results of a search in it. */
    async getOutcome(id: string) {
      const { status, status_reason, sha256 } = await getKnowledgeBase(user, id);
      const passages = (await files(`/${id}`)).filter((key) => key.startsWith('passages/')).length;
      return { status, reason: status_reason?.type ?? null, sha256, passages, found: await searchDocument(id) };
    },
    /** Deletes a document through the API. Returns the keys of its remaining files. */
    async erase(id: string): Promise<string[]> {
      const remove = () => user.delete(`${path}/${id}?force=true`);
      let reply = await remove();
      const isRetry = reply.status === 503;
      while (reply.status === 503) reply = await remove(); // on a busy machine
      if (reply.status !== 200 && !(isRetry && reply.status === 404)) throw new Error(reply.text);
      return files(id);
    },
    /** Moves the ingestion deadline of a document into the past, so that `sweep` finds it. */
    async expire(id: string): Promise<void> {
      const { pk, sk } = toKnowledgeBaseKey(owner, id);
      const past = new Date(0).toISOString();
      await table.send(
        new UpdateItemCommand({
          TableName,
          Key: { pk: { S: pk }, sk: { S: sk } },
          UpdateExpression: 'SET deadline = :past, due = :due, #due = :partition',
          ExpressionAttributeNames: { '#due': 'by-due' },
          ExpressionAttributeValues: {
            ':past': { S: past },
            ':due': { S: formatDue(owner, past) },
            ':partition': { S: '0' },
          },
        }),
      );
    },
    /** Runs the function that acts on what is due. Returns the outcomes that it logs. */
    async sweep(): Promise<Record<string, number>> {
      const listLines = () =>
        String(Buffer.concat(log))
          .split('\n')
          .filter((line) => line.includes('"task":"sweep"'));
      const before = listLines().length;
      await sweeper.invoke({});
      // The output arrives by another channel than the answer.
      return await eventually(() => JSON.parse(listLines()[before] ?? '').outcomes);
    },
    /** Lists the ids of the documents that wait for a time. */
    async listWaiting(): Promise<string[]> {
      const { Items = [] } = await table.send(new ScanCommand({ TableName, IndexName: 'by-due' }));
      return Items.map(({ sk }) => sk?.S?.slice('KB#'.length) ?? '');
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await Promise.all([...queues.values()].map((one) => one.stop()));
      await Promise.all([ingest, ...runners.values()].map((runner) => runner.stop()));
      s3.destroy();
      table.destroy();
      reportPermissions(services.proxies);
      await services.stop();
      rmSync(dir, { recursive: true });
    },
  };
}

export type IngestionHost = Awaited<ReturnType<typeof startIngestionHost>>;
