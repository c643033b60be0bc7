import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Deployment } from '../../infra/commands/data/deployment/deployment.ts';
import type { Kind } from '../../infra/commands/data/deployment/kinds.ts';
import { serializeRow } from '../../infra/commands/data/deployment/row.ts';
import { loadInventory } from '../../infra/commands/data/verify/inventory.ts';
import type { KnowledgeBase } from '../../shared/schemas/knowledge-base.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';
import type { SendRequest } from './event.ts';

/** Row as a line of an export, and its attributes. */
interface SampleRow {
  line: string;
  row: Record<string, unknown>;
}

/** One row of each kind that users can have many of, written by the service. */
export interface Sample {
  sub: string;
  owner: string;
  /** Returns the row of a kind. Throws if it does not exist. */
  getRow(kind: Kind): SampleRow;
  /** Search index of its document. */
  passages: Uint8Array;
  /** Environment in the prefix of API keys. */
  environment: string;
}

/** Table to fill. */
export interface ScaleTarget {
  place: Deployment;
  tokenFor(sub: string): Promise<string>;
  /** Sends requests to the service, for changes that rows alone cannot make. */
  ask: SendRequest;
}

/** Unique names that occur nowhere else in a row, so that copies can replace them. */
const sub = 'specimen-of-everything';
const service_type = 'specimen-vendor';

/** Prompt of a realistic length. */
const system_instruction = 'You answer the phone of a dental clinic. '.repeat(30);

/** Lets the service create one resource of each kind for a separate user, and reads the rows. */
export async function createSample({ place, tokenFor, ask }: ScaleTarget): Promise<Sample> {
  const token = await tokenFor(sub);
  const make = async (route: string, fields?: object) => JSON.parse(await ask(route, token, fields && { fields }));
  const { id: assistant_id } = await make('assistants/create', { system_instruction });
  await ask('versions/publish', token, { params: { assistant_id }, fields: { live: false } });
  await make('logs/create', { assistant_id });
  await make('credentials/upsert', { service_type });
  const { data: key } = await make('api-keys/create');
  const [, environment] = key.secret.split('_');
  const { data: document } = await make('knowledge-bases/create');
  await waitUntilReady(ask, token, document.id);

  await deliverTest(ask, token);
  await make('jobs/create');

  const owner = toUserKey(place.issuer, sub);
  const written = new Map<Kind, SampleRow>();
  await loadInventory(
    place,
    owner,
    (_, kind, row) => void written.set(kind, { line: serializeRow(row), row: unmarshall(row) }),
  );
  const getRow = (kind: Kind) => {
    const found = written.get(kind);
    if (!found) throw new Error(`The service has written no row of the kind ${kind}`);
    return found;
  };
  const Key = String(getRow('knowledge base').row.passages);
  const { Body } = await place.s3.send(new GetObjectCommand({ Bucket: place.bucket, Key }));
  return { sub, owner, getRow, environment, passages: (await Body?.transformToByteArray()) ?? new Uint8Array() };
}

/** Creates a webhook on this machine, and delivers a test event to it. */
async function deliverTest(ask: SendRequest, token: string): Promise<void> {
  const receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const created = JSON.parse(await ask('webhooks/create', token, { fields: { url, events: ['assistant.deleted'] } }));
  const params = { webhook_id: created.data.id };
  await ask('webhooks/test', token, { params });
  const isDelivered = async () => (await ask('webhooks/deliveries', token, { params })).includes('"delivered"');
  while (!(await isDelivered())) await sleep(100);
  receiver.closeAllConnections();
  receiver.close();
}

async function waitUntilReady(ask: SendRequest, token: string, knowledge_base_id: string): Promise<void> {
  for (;;) {
    const read = await ask('knowledge-bases/get', token, { params: { knowledge_base_id } });
    const { status, status_reason }: KnowledgeBase = JSON.parse(read).data;
    if (status === 'ready') return;
    if (status === 'failed') throw new Error(`The document cannot be read: ${status_reason?.msg}`);
    await sleep(100);
  }
}
