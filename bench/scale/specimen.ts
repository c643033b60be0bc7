import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { heldBy } from '../../infra/data/held.ts';
import type { Kind } from '../../infra/data/kinds.ts';
import type { Place } from '../../infra/data/place.ts';
import { lineOf } from '../../infra/data/row.ts';
import type { KnowledgeBase } from '../../shared/schemas/knowledge-base.ts';
import { userKey } from '../../shared/store/keys.ts';
import type { Ask } from './event.ts';

/** A row as a line, and by its attributes. */
interface Written {
  line: string;
  row: Record<string, unknown>;
}

/** One of everything that somebody can have many of, as the service itself has written it. */
export interface Specimen {
  sub: string;
  owner: string;
  /** Its row of a kind. Throws where there is none. */
  of(kind: Kind): Written;
  /** What is searched of its document. */
  passages: Uint8Array;
  /** The environment, as API keys name it. */
  environment: string;
}

/** A table that is being filled. */
export interface Filling {
  place: Place;
  tokenFor(sub: string): Promise<string>;
  /** Has the service do what rows alone are not enough for. */
  ask: Ask;
}

/** Nobody else's, and nothing that stands in a row for something else. */
const sub = 'specimen-of-everything';
const service_type = 'specimen-vendor';

/** Two kilobytes, as a prompt of some care has. */
const system_instruction = 'You answer the phone of a dental clinic. '.repeat(30);

/** Has the service make one of everything for somebody of its own, by `ask`, and reads what that has left in the table. */
export async function specimenIn({ place, tokenFor, ask }: Filling): Promise<Specimen> {
  const token = await tokenFor(sub);
  const make = async (route: string, fields?: object) => JSON.parse(await ask(route, token, fields && { fields }));
  const { id: assistant_id } = await make('assistants/create', { system_instruction });
  await make('logs/create', { assistant_id });
  await make('credentials/upsert', { service_type });
  const { data: key } = await make('api-keys/create');
  const [, environment] = key.secret.split('_');
  const { data: document } = await make('knowledge-bases/create');
  await untilReady(ask, token, document.id);

  const owner = userKey(place.issuer, sub);
  const written = new Map<Kind, Written>();
  await heldBy(place, owner, (_, kind, row) => void written.set(kind, { line: lineOf(row), row: unmarshall(row) }));
  const of = (kind: Kind) => {
    const found = written.get(kind);
    if (!found) throw new Error(`The service has written no row that is called ${kind}`);
    return found;
  };
  const Key = String(of('knowledge base').row.passages);
  const { Body } = await place.s3.send(new GetObjectCommand({ Bucket: place.bucket, Key }));
  return { sub, owner, of, environment, passages: (await Body?.transformToByteArray()) ?? new Uint8Array() };
}

async function untilReady(ask: Ask, token: string, knowledge_base_id: string): Promise<void> {
  for (;;) {
    const read = await ask('knowledge-bases/get', token, { params: { knowledge_base_id } });
    const { status, status_reason }: KnowledgeBase = JSON.parse(read).data;
    if (status === 'ready') return;
    if (status === 'failed') throw new Error(`The document cannot be read: ${status_reason?.msg}`);
    await sleep(100);
  }
}
