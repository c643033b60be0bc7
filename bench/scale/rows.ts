import { hash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Kind } from '../../infra/data/kinds.ts';
import { attributesOf, type Row, rowOf } from '../../infra/data/row.ts';
import { getSessionTime } from '../../shared/domain/session.ts';
import { countKey, roomKey } from '../../shared/store/keys.ts';
import type { Person } from './person.ts';
import type { Specimen } from './specimen.ts';

/** What stands in a copy in the place of what: names that stand for nothing else, wherever in a row they are. */
type Renaming = [name: unknown, other: string][];

/** The calls of a person are held in so many rooms. */
const rooms = 3;

/** The room of a person's session, by its number. */
export const roomOf = (n: number): string => `room ${n % rooms}`;

/** All rows of a person: those that the service has written for the specimen, but for the names in them. */
export function* rowsOf(specimen: Specimen, person: Person): Generator<Row> {
  const { owner } = person;
  const copies = (kinds: Kind[], renaming: Renaming): Row[] =>
    kinds.map((kind) =>
      rowOf(
        [...renaming, [specimen.owner, owner] as const].reduce(
          (line, [name, other]) => line.replaceAll(String(name), other),
          specimen.of(kind).line,
        ),
      ),
    );
  const { row: assistant } = specimen.of('assistant');
  for (const id of person.assistants) yield* copies(['assistant'], [[assistant.id, id]]);

  const { row: knowledgeBase } = specimen.of('knowledge base');
  for (const id of person.knowledgeBases) yield* copies(['knowledge base'], [[knowledgeBase.id, id]]);

  const { row: credential } = specimen.of('credential');
  for (const service of person.services)
    yield* copies(
      ['credential'],
      [
        [credential.id, uuidv7()],
        [credential.service_type, service],
      ],
    );

  const { row: key } = specimen.of('API key');
  for (const { id, hash: digest } of person.apiKeys)
    yield* copies(
      ['API key', 'listed API key'],
      [
        [key.id, id],
        [key.hash, digest],
        [specimen.sub, person.sub],
      ],
    );

  const { row: head } = specimen.of('session');
  const [telling] = String(head.telling).split('#');
  for (const [n, id] of person.sessions.entries())
    yield* copies(
      ['session', 'transcript', 'telling'],
      [
        [head.sk, id],
        [head.created_at, new Date(getSessionTime(id)).toISOString()],
        [head.assistant_id, person.assistants[0] ?? ''],
        [head['by-room'], roomKey(owner, roomOf(n))],
        [head.room_name, roomOf(n)],
        [telling, hash('sha256', id, 'base64url')],
      ],
    );
  yield* countsOf(person);
}

/** How many sessions were made on each day. */
function* countsOf({ owner, sessions }: Person): Generator<Row> {
  const days = Map.groupBy(sessions, (id) => countKey(owner, getSessionTime(id)).sk);
  for (const [sk, { length }] of days)
    yield { ...attributesOf({ pk: countKey(owner, 0).pk, sk }), sessions: { N: String(length) } };
}
