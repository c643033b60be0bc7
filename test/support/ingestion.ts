import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { functionRunners } from '../../infra/local/functions.ts';
import { gateway } from '../../infra/local/gateway.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import type { FoundPassage, KnowledgeBase } from '../../shared/schemas/knowledge-base.ts';
import { knowledgeBaseKey, userKey } from '../../shared/store/keys.ts';
import { type Client, clientWith } from './api.ts';
import { minimal } from './assistants.ts';
import { breakable } from './breakable.ts';
import { type Disturb, DisturbedRunner } from './disturbed.ts';
import { formOf, record } from './knowledge-bases.ts';
import { eventually } from './patience.ts';

/** The ways by which a document comes. */
export type Way = 'multipart' | 'presigned';

interface Announced {
  data: { knowledge_base: KnowledgeBase; upload: { url: string; fields: Record<string, string> } };
}

const path = '/assistants/knowledge-base';

/** As the template has it, but for fewer at once, and retries that nobody has to wait for. */
const delivery = { batchSize: 1, concurrency: 6, reportsFailures: true, retrySeconds: 0.02, log: () => {} };

/**
 * A host of its own, with a user, whose function that reads documents can be disturbed. Nothing is read until `run`: it
 * delivers what has arrived, and ends when no message is left. `lanes` of the user's documents are read at once.
 */
export async function ingestionHost({ lanes = delivery.concurrency } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-ingestion-'));
  const services = await startServices(dir, await synthesize());
  const { assembly, endpoints, issuer, queues } = services;
  const log: Buffer[] = [];
  const runners = functionRunners(services, (chunk) => log.push(chunk));
  const runnerOf = (id: string) => [...runners.values()].find(({ spec }) => spec.description === id);
  const intake = runnerOf('intake');
  const spec = runnerOf('ingest')?.spec;
  const queueNamed = (id: string) => [...queues].find(([arn]) => new RegExp(`-${id}[0-9A-F]{8}$`).test(arn));
  const [arrivals, documents] = [queueNamed('Queue'), queueNamed('Documents')];
  const failed = [queueNamed('Failed'), queueNamed('FailedDocuments')].filter((queue) => queue !== undefined);
  if (!intake || !spec || !arrivals || !documents || failed.length < 2)
    throw new Error('The template has no function that reads documents, or no queue');
  const ingest = new DisturbedRunner(spec, (chunk) => log.push(chunk));
  intake.spec.environment.READING_LANES = String(lanes);
  const deletion = await breakable(runners, 'knowledge-bases/delete');
  const server = createServer(gateway(assembly, runners, () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const newUser = async () => {
    const sub = `user-${randomUUID()}`;
    const user = clientWith(sub, await issuer.token({ sub, ttl: 3600 }), url);
    return { user, owner: userKey(issuer.url, sub) };
  };
  const { user, owner } = await newUser();
  const { TABLE_NAME: TableName = '', BUCKET_NAME: Bucket = '' } = spec.environment;
  const s3 = new S3Client({ endpoint: endpoints.AWS_ENDPOINT_URL_S3 ?? '', region: 'us-east-1', credentials });
  const table = new DynamoDBClient({
    endpoint: endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    region: 'us-east-1',
    credentials,
  });

  /** The bodies of the messages that a queue keeps. */
  const kept = ([arn]: [string, unknown]): string[] => {
    const folder = join(dir, 'queues', arn.slice(arn.lastIndexOf(':') + 1));
    const messages = readdirSync(folder).filter((file) => file.endsWith('.json'));
    return messages.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).body);
  };

  const announce = async (content: string): Promise<Announced['data']> => {
    const file = { file_name: 'notes.txt', content_type: 'text/plain', size_bytes: Buffer.byteLength(content) };
    return (await user.post<Announced>(`${path}/uploads`, file)).body.data;
  };

  /** Sends a document by the form of its record. */
  const send = async ({ upload }: Announced['data'], content: string): Promise<void> => {
    const form = new FormData();
    for (const [name, value] of Object.entries(upload.fields)) form.set(name, value);
    form.set('file', new Blob([content]));
    const { ok } = await fetch(upload.url, { method: 'POST', body: form });
    if (!ok) throw new Error('The form is refused');
  };

  const post = async (content: string, { token }: Client = user): Promise<string> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(url + path, { method: 'POST', headers, body: formOf(content) });
    return ((await response.json()) as { data: KnowledgeBase }).data.id;
  };

  /** The files that have a text in their key. */
  const files = async (text: string): Promise<string[]> => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    return Contents.map(({ Key = '' }) => Key).filter((key) => key.includes(text));
  };

  /** What a search in a document alone finds. */
  const found = async (id: string): Promise<string[]> => {
    const knowledge_base = { vectorstore_index: 'builtin', vectorstore_namespace: id };
    const { body: assistant } = await user.post<{ id: string }>('/assistants', { ...minimal, knowledge_base });
    const search = { query: 'archive' };
    const { body } = await user.post<{ data: { passages: FoundPassage[] } }>(
      `/assistants/${assistant.id}/search`,
      search,
    );
    return body.data.passages.map(({ text }) => text);
  };

  return {
    user,
    owner,
    newUser,
    post,
    ingest,
    deletion,
    files,
    announce,
    send,
    /** Uploads a document that is to be disturbed. Gives its id. */
    async upload(way: Way, content: string, disturb: Disturb = () => 'pass'): Promise<string> {
      const announced = way === 'presigned' ? await announce(content) : undefined;
      if (announced) await send(announced, content);
      const id = announced?.knowledge_base.id ?? (await post(content));
      ingest.disturbances.set(id, disturb);
      return id;
    },
    /** Delivers all messages, and those that fail again, until there is none. */
    async run(): Promise<void> {
      arrivals[1].deliver({ ...delivery, handle: (event) => intake.invoke(event) });
      documents[1].deliver({ ...delivery, handle: (event) => ingest.invoke(event) });
      const none = () => {
        const left = [...kept(arrivals), ...kept(documents)];
        if (left.length > 0) throw new Error(`Still there: ${left}\n${Buffer.concat(log)}`);
      };
      await eventually(none);
      await Promise.all([arrivals[1].stop(), documents[1].stop()]);
    },
    /** Whether a document has a row, be it hidden. */
    async isStored(id: string): Promise<boolean> {
      const { pk, sk } = knowledgeBaseKey(owner, id);
      const { Item } = await table.send(new GetItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: sk } } }));
      return Item !== undefined;
    },
    /** Sends a message of any body to the queue. */
    tell: (body: string) => arrivals[1].send(body),
    /** The bodies of the messages that were given up. */
    givenUp: () => failed.flatMap(kept),
    /** Stores a file that nobody announced. */
    put: (Key: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body: 'text' })),
    /** What has become of a document. */
    async outcome(id: string) {
      const { status, status_reason, sha256 } = await record(user, id);
      const passages = (await files(`/${id}`)).filter((key) => key.startsWith('passages/')).length;
      return { status, reason: status_reason?.type ?? null, sha256, passages, found: await found(id) };
    },
    /** Deletes a document's record. Gives the files that are left of it. */
    async erased(id: string): Promise<string[]> {
      const { status, text } = await user.delete(`${path}/${id}?force=true`);
      if (status !== 200) throw new Error(text);
      return files(id);
    },
    /** Lets the time be over in which a document may be read. */
    async expire(id: string): Promise<void> {
      const { pk, sk } = knowledgeBaseKey(owner, id);
      await table.send(
        new UpdateItemCommand({
          TableName,
          Key: { pk: { S: pk }, sk: { S: sk } },
          UpdateExpression: 'SET deadline = :past',
          ExpressionAttributeValues: { ':past': { S: new Date(0).toISOString() } },
        }),
      );
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await Promise.all([...queues.values()].map((one) => one.stop()));
      await Promise.all([ingest, ...runners.values()].map((runner) => runner.stop()));
      s3.destroy();
      table.destroy();
      await services.stop();
      rmSync(dir, { recursive: true });
    },
  };
}

export type IngestionHost = Awaited<ReturnType<typeof ingestionHost>>;
