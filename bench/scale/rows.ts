import { hash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Kind } from '../../infra/commands/data/deployment/kinds.ts';
import { parseRow, type Row, toAttributes } from '../../infra/commands/data/deployment/row.ts';
import { getIdTime } from '../../shared/domain/time-id.ts';
import { toCountKey, toCountsRange, toRoomKey } from '../../shared/store/table/keys.ts';
import type { Sample } from './sample.ts';
import type { TestUser } from './test-user.ts';

/** Pairs of a unique value in the sample rows and its replacement in a copy. */
type Replacements = [name: unknown, other: string][];

/** Number of rooms per user. */
const roomCount = 3;

/** Number of versions of a user's first assistant: more than a page. Others have one. */
const versionCount = 50;

/** Returns the room of a user's n-th session. */
export const toRoomName = (n: number): string => `room ${n % roomCount}`;

/** Yields all rows of a user: copies of the sample rows with other ids and names. */
export function* copyRows(specimen: Sample, person: TestUser): Generator<Row> {
  const { owner } = person;
  const copies = (kinds: Kind[], replacements: Replacements): Row[] =>
    kinds.map((kind) =>
      parseRow(
        [...replacements, [specimen.owner, owner] as const].reduce(
          (line, [name, other]) => line.replaceAll(String(name), other),
          specimen.getRow(kind).line,
        ),
      ),
    );
  const { row: assistant } = specimen.getRow('assistant');
  for (const [n, id] of person.assistants.entries()) {
    const count = n === 0 ? versionCount : 1;
    const toCount = (name: string): [string, string] => [`"${name}":{"N":"1"}`, `"${name}":{"N":"${count}"}`];
    yield* copies(['assistant'], [[assistant.id, id], toCount('count'), toCount('last')]);
    for (let version = 1; version <= count; version++)
      yield* copies(
        ['version'],
        [
          [`${assistant.id}#000001`, `${id}#${String(version).padStart(6, '0')}`],
          ['"version":{"N":"1"}', `"version":{"N":"${version}"}`],
        ],
      );
  }

  const { row: job } = specimen.getRow('job');
  const ended = `"ended_at":{"S":"${new Date().toISOString()}"}`;
  for (const id of person.assistants)
    yield* copies(
      ['job'],
      [
        [job.id, id],
        ['"ended_at":{"NULL":true}', ended],
      ],
    );

  const { row: knowledgeBase } = specimen.getRow('knowledge base');
  for (const id of person.knowledgeBases) yield* copies(['knowledge base'], [[knowledgeBase.id, id]]);

  const { row: credential } = specimen.getRow('credential');
  for (const service of person.services)
    yield* copies(
      ['credential'],
      [
        [credential.id, uuidv7()],
        [credential.service_type, service],
      ],
    );

  const { row: key } = specimen.getRow('API key');
  for (const { id, hash: digest } of person.apiKeys)
    yield* copies(
      ['API key', 'listed API key'],
      [
        [key.id, id],
        [key.hash, digest],
        [specimen.sub, person.sub],
      ],
    );

  const { row: head } = specimen.getRow('session');
  const [telling] = String(head.telling).split('#');
  const { row: event } = specimen.getRow('event');
  const { row: webhook } = specimen.getRow('webhook');
  for (const id of person.webhooks) yield* copies(['webhook'], [[webhook.id, id]]);
  const { row: delivery } = specimen.getRow('delivery');
  for (const [n, id] of person.sessions.entries()) {
    yield* copies(['event'], [[event.sk, `EVENT#${id}`]]);
    const [webhookId] = person.webhooks;
    if (webhookId !== undefined)
      yield* copies(
        ['delivery'],
        [
          [delivery.webhook_id, webhookId],
          [delivery.event_id, id],
        ],
      );
    yield* copies(
      ['session', 'transcript', 'call version'],
      [
        [head.sk, id],
        [head.created_at, new Date(getIdTime(id)).toISOString()],
        [head.assistant_id, person.assistants[0] ?? ''],
        [head['by-room'], toRoomKey(owner, toRoomName(n))],
        [head.room_name, toRoomName(n)],
        [telling, hash('sha256', id, 'base64url')],
      ],
    );
  }
  yield* buildCounts(person);
}

/** Yields the rows that count a user's sessions per day. */
function* buildCounts({ owner, sessions }: TestUser): Generator<Row> {
  const days = Map.groupBy(sessions, (id) => toCountKey(owner, id).sk);
  for (const [sk, { length }] of days)
    yield { ...toAttributes({ pk: toCountsRange(owner, 0).pk, sk }), sessions: { N: String(length) } };
}
