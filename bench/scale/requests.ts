import type { APIGatewayProxyEvent } from 'aws-lambda';
import { toCursor } from '../../shared/domain/cursor.ts';
import { type Asked, eventOf } from './event.ts';
import { roomOf } from './rows.ts';
import type { World } from './world.ts';

/** What is to be expected of a request when there is more data. */
export type Kind =
  | 'read' // by key: takes the same
  | 'write' // likewise
  | 'list' // takes the same for the same page
  | 'whole'; // looks at what it does not show, up to a bound of its own

/** A request of a route, and others like it. */
export interface Asking {
  route: string;
  /** What is asked for, in a few words. */
  what: string;
  kind: Kind;
  /** Items on the page, of a list that has pages. */
  page?: number;
  /** The n-th of them, from 0: each names another thing, and each can be sent once. */
  event(n: number): APIGatewayProxyEvent;
}

/** Pages that are asked for: one, and one twice as long. */
export const pages = [20, 40] as const;

/**
 * Requests of every route, of those who have most. In this order each finds what it asks for, and lists are read before they
 * change. Of each, at most 44 can be sent where the builder has 100 of each thing.
 */
export function askingsOf({ builder, callCentre }: World): Asking[] {
  const worker = builder.apiKeys[0]?.secret ?? '';
  const asking =
    (bearer: string) =>
    (route: string, kind: Kind, what: string, asked: (n: number) => Asked = () => ({}), page?: number): Asking => ({
      route,
      what,
      kind,
      ...(page && { page }),
      event: (n) => eventOf(route, bearer, asked(n)),
    });
  const ofBuilder = asking(builder.token);
  const ofCalls = asking(callCentre.token);
  const listed = (of: typeof ofBuilder, route: string) =>
    pages.map((page) => of(route, 'list', `a page of ${page}`, () => ({ query: { limit: String(page) } }), page));
  const [page] = pages;
  const limit = String(page);

  const one = (ids: string[], n: number) => ids.at(n) ?? '';
  const assistant = (n: number) => ({ assistant_id: one(builder.assistants, n) });
  const document = (n: number) => ({ knowledge_base_id: one(builder.knowledgeBases, n) });
  const attachment = (n: number) => ({ params: { ...assistant(1 + n), ...document(1 + n) } });
  const service = (n: number) => ({ params: { service_type: one(builder.services, n) }, query: { name: 'clinic' } });
  const apiKey = (n: number) => builder.apiKeys.at(n)?.id ?? '';
  const session = (n: number) => ({ params: { session_id: one(callCentre.sessions, n) } });
  const middle = one(callCentre.sessions, callCentre.sessions.length >> 1);
  const cursor = toCursor(callCentre.owner, 'logs/sessions', middle);

  return [
    ofBuilder('protected/check', 'read', 'with a JWT'),
    ofBuilder('assistants/get', 'read', 'one', (n) => ({ params: assistant(1 + n) })),
    ofBuilder('assistants/language-config', 'read', 'one', (n) => ({ params: assistant(1 + n) })),
    asking(worker)('assistants/runtime-config', 'read', 'one, with three keys', (n) => ({ params: assistant(1 + n) })),
    ofBuilder('knowledge-bases/get', 'read', 'one', (n) => ({ params: document(1 + n) })),
    ofBuilder('knowledge-bases/search', 'read', 'one attached', () => ({ params: assistant(0) })),
    ofCalls('logs/get', 'read', 'one', (n) => session(-1 - n)),

    ...listed(ofBuilder, 'assistants/list'),
    ...listed(ofBuilder, 'knowledge-bases/list'),
    ...listed(ofBuilder, 'credentials/list'),
    ofBuilder('api-keys/list', 'list', 'all, 90'),
    ...listed(ofCalls, 'logs/sessions'),
    ofCalls('logs/sessions', 'list', `a page of ${page} of a room`, () => ({ query: { limit, room_name: roomOf(0) } })),
    ofCalls('logs/sessions', 'list', `a page of ${page} from the middle`, () => ({ query: { limit, cursor } })),
    ...listed(ofCalls, 'logs/list'),
    ...listed(ofCalls, 'chats/list'),
    ofBuilder('assistants/list', 'whole', 'a name that none has', () => ({ query: { limit, name: 'Nobody' } })),
    ofCalls('chats/list', 'whole', `${page} after 10,000`, () => ({ query: { limit, skip: '10000' } })),

    ofBuilder('assistants/create', 'write', 'one'),
    ofBuilder('assistants/update', 'write', 'one', (n) => ({
      params: assistant(1 + n),
      fields: { description: `Changed ${n} times` },
    })),
    ofBuilder('credentials/upsert', 'write', 'new', (n) => ({ fields: { service_type: `new-vendor-${n}` } })),
    ofBuilder('knowledge-bases/create', 'write', 'a short text'),
    ofBuilder('knowledge-bases/create-upload', 'write', 'a form'),
    ofBuilder('knowledge-bases/create-attached', 'write', 'a short text', (n) => ({ params: assistant(1 + n) })),
    ofBuilder('knowledge-bases/attach', 'write', 'new', attachment),
    ofCalls('logs/create', 'write', 'a short call', (n) => ({
      fields: { assistant_id: callCentre.assistants[0], room_name: `new room ${n}` },
    })),

    ofBuilder('knowledge-bases/detach', 'write', 'one', attachment),
    ofBuilder('assistants/delete', 'write', 'one', (n) => ({ params: assistant(-1 - n) })),
    ofBuilder('knowledge-bases/delete', 'write', 'one', (n) => ({ params: document(-1 - n) })),
    ofBuilder('credentials/delete', 'write', 'by name', (n) => service(-1 - n)),
    ofCalls('logs/delete', 'write', 'one', session),
    // Of API keys there is room for a hundred: what is made last stands in the place of what was deleted.
    ofBuilder('api-keys/delete', 'write', 'one of 90', (n) => ({ params: { api_key_id: apiKey(-1 - n) } })),
    ofBuilder('api-keys/rotate', 'write', 'one of 90', (n) => ({ fields: { id: apiKey(1 + n), grace_seconds: 0 } })),
    ofBuilder('api-keys/create', 'write', 'beside 90'),
  ];
}
