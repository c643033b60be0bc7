import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AttributeValue, DynamoDBClient, paginateScan, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { createGateway } from '../../infra/local/gateway/gateway.ts';
import { startEventSources } from '../../infra/local/lambda/event-sources.ts';
import type { FunctionRunner } from '../../infra/local/lambda/function-runner.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { duePartitions, formatDue } from '../../shared/domain/due.ts';
import type { Delivery, Webhook } from '../../shared/schemas/webhook.ts';
import { findOwner, type Key, toDeliveryKey, toUserKey, toWebhookKey } from '../../shared/store/table/keys.ts';
import { type Client, createClient } from './api.ts';
import { reportPermissions } from './permissions-report.ts';
import { eventually } from './timeouts.ts';

type Item = Record<string, AttributeValue>;

export type CreatedWebhook = Webhook & { secret: string };

/**
 * Starts a separate host, so that tests can observe its webhooks. Its functions run as on the local host, but `sweep` only when a test runs it.
 * `wrap` may replace a function's runner.
 */
export async function startDeliveryHost(
  wrap: (runner: FunctionRunner) => FunctionRunner | Promise<FunctionRunner> = (runner) => runner,
) {
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-deliveries-'));
  const services = await startServices(dir, await synthesize());
  const { assembly, endpoints, issuer } = services;
  const log: Buffer[] = [];
  const runners = createFunctionRunners(services, (chunk) => log.push(chunk));
  for (const [name, runner] of runners)
    if (['relay', 'deliver', 'sweep'].includes(runner.spec.description)) runners.set(name, await wrap(runner));
  const findRunner = (id: string): FunctionRunner => {
    const found = [...runners.values()].find(({ spec }) => spec.description === id);
    if (!found) throw new Error(`The template has no function ${id}`);
    return found;
  };
  const server = createServer(createGateway(assembly, runners, () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stopSources = startEventSources(services, runners, (sentence) => log.push(Buffer.from(`${sentence}\n`)));
  const { TABLE_NAME: TableName = '', BUCKET_NAME: Bucket = '' } = findRunner('deliver').spec.environment;
  const s3 = new S3Client({ endpoint: endpoints.AWS_ENDPOINT_URL_S3 ?? '', region: 'us-east-1', credentials });
  const table = new DynamoDBClient({
    endpoint: endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    region: 'us-east-1',
    credentials,
  });

  const newUser = async (): Promise<Client & { owner: string }> => {
    const sub = `user-${randomUUID()}`;
    const client = createClient(sub, await issuer.token({ sub, ttl: 3600 }), url);
    return { ...client, owner: toUserKey(issuer.url, sub) };
  };

  /** Moves the time that a row waits for into the past. */
  async function expire({ pk, sk }: Key): Promise<void> {
    await table.send(
      new UpdateItemCommand({
        TableName,
        Key: { pk: { S: pk }, sk: { S: sk } },
        UpdateExpression: 'SET due = :past',
        ExpressionAttributeValues: { ':past': { S: formatDue(findOwner(pk) ?? '', new Date(0).toISOString()) } },
      }),
    );
  }

  /** Lists all rows of the table. */
  async function listRows(): Promise<Item[]> {
    const rows: Item[] = [];
    for await (const { Items = [] } of paginateScan({ client: table }, { TableName })) rows.push(...Items);
    return rows;
  }

  return {
    url,
    newUser,
    listRows,
    /** Deletes the transcripts of a user that are files. Returns their number. */
    async deleteTranscripts(owner: string): Promise<number> {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `transcripts/${owner}/` }));
      for (const { Key } of Contents) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
      return Contents.length;
    },
    readLog: () => String(Buffer.concat(log)),
    sweep: () => findRunner('sweep').invoke({}),
    /** Ends the wait of a delivery, or of a receiver that rests, when `sweep` runs next. */
    expireDelivery: (owner: string, webhookId: string, eventId: string) =>
      expire(toDeliveryKey(owner, webhookId, eventId)),
    expireWebhook: (owner: string, webhookId: string) => expire(toWebhookKey(owner, webhookId)),
    expire,
    /** Ends the wait of all rows of a user, except of deliveries that wait for their receiver. */
    async expireAll(owner: string): Promise<void> {
      for (const { pk, sk, ...row } of await listRows())
        if (pk?.S?.startsWith(`USER#${owner}#`) && duePartitions.includes(row['by-due']?.S ?? ''))
          await expire({ pk: pk.S, sk: sk?.S ?? '' });
    },
    /** Sets attributes of a webhook's row. */
    async setWebhook(owner: string, webhookId: string, changes: Item): Promise<void> {
      const { pk, sk } = toWebhookKey(owner, webhookId);
      const names = Object.keys(changes);
      await table.send(
        new UpdateItemCommand({
          TableName,
          Key: { pk: { S: pk }, sk: { S: sk } },
          UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
          ExpressionAttributeValues: Object.fromEntries(
            Object.entries(changes).map(([name, value]) => [`:${name}`, value]),
          ),
        }),
      );
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      const sourcesStopped = stopSources();
      await Promise.all([...runners.values()].map((runner) => runner.stop()));
      await sourcesStopped;
      table.destroy();
      s3.destroy();
      reportPermissions(services.proxies);
      await services.stop();
      rmSync(dir, { recursive: true });
    },
  };
}

export type DeliveryHost = Awaited<ReturnType<typeof startDeliveryHost>>;

/** Creates a webhook, by default of all events of assistants. */
export async function createWebhook(
  user: Client,
  fields: { url: string; [field: string]: unknown },
): Promise<CreatedWebhook> {
  const { status, body, text } = await user.post<{ data: CreatedWebhook }>('/webhooks', {
    events: ['assistant.*'],
    ...fields,
  });
  if (status !== 200) throw new Error(text);
  return body.data;
}

export const getWebhook = async (user: Client, id: string): Promise<Webhook> =>
  (await user.get<{ data: Webhook }>(`/webhooks/${id}`)).body.data;

/** Lists the newest deliveries of a webhook. */
export async function listDeliveries(user: Client, id: string, query = 'limit=100'): Promise<Delivery[]> {
  const { body } = await user.get<{ data: { deliveries: Delivery[] } }>(`/webhooks/${id}/deliveries?${query}`);
  return body.data.deliveries;
}

/** Waits until the newest delivery of a webhook has a status, and returns it. */
export const waitForDelivery = (user: Client, id: string, status: Delivery['status'], attempts?: number) =>
  eventually(async () => {
    const [delivery] = await listDeliveries(user, id);
    if (delivery?.status !== status || delivery.attempts !== (attempts ?? delivery.attempts))
      throw new Error(`Not ${status}: ${JSON.stringify(delivery)}`);
    return delivery;
  });
