import type { APIGatewayProxyEvent } from 'aws-lambda';
import { toCursor } from '../../shared/domain/cursor.ts';
import { buildEvent, type RequestOverrides } from './event.ts';
import { toRoomName } from './rows.ts';
import type { World } from './world.ts';

/** Kind of a request, by its expected cost with more data. */
export type RequestKind =
  | 'read' // reads by key: constant
  | 'write' // constant
  | 'list' // constant for the same page size
  | 'whole'; // reads items that it does not return, up to a limit

/** Series of similar requests of a route. */
export interface ScaleRequest {
  route: string;
  /** Short description of the request. */
  what: string;
  kind: RequestKind;
  /** Page size, for lists with pages. */
  page?: number;
  /** True if a user can have few of it, so that one process measures it. */
  isLimited?: boolean;
  /** Returns the n-th request, from 0. Each uses another resource and can be sent once. */
  event(n: number): APIGatewayProxyEvent;
}

/** Page sizes to measure: one, and its double. */
export const pageSizes = [20, 40] as const;

/**
 * Builds requests for every route, from the two largest users. In this order, each request finds its resource, and lists are read
 * before they change. With 100 resources of each kind, each request can be sent at most 44 times.
 */
export function buildRequests({ builder, callCentre }: World): ScaleRequest[] {
  const worker = builder.apiKeys[0]?.secret ?? '';
  const createRequestFor =
    (bearer: string) =>
    (
      route: string,
      kind: RequestKind,
      what: string,
      asked: (n: number) => RequestOverrides = () => ({}),
      page?: number,
    ): ScaleRequest => ({
      route,
      what,
      kind,
      ...(page && { page }),
      event: (n) => buildEvent(route, bearer, asked(n)),
    });
  const asBuilder = createRequestFor(builder.token);
  const asCallCentre = createRequestFor(callCentre.token);
  const listPages = (of: typeof asBuilder, route: string) =>
    pageSizes.map((page) => of(route, 'list', `a page of ${page}`, () => ({ query: { limit: String(page) } }), page));
  const [page] = pageSizes;
  const limit = String(page);

  const one = (ids: string[], n: number) => ids.at(n) ?? '';
  const assistant = (n: number) => ({ assistant_id: one(builder.assistants, n) });
  const document = (n: number) => ({ knowledge_base_id: one(builder.knowledgeBases, n) });
  const attachment = (n: number) => ({ params: { ...assistant(1 + n), ...document(1 + n) } });
  const service = (n: number) => ({ params: { service_type: one(builder.services, n) }, query: { name: 'clinic' } });
  const apiKey = (n: number) => builder.apiKeys.at(n)?.id ?? '';
  const session = (n: number) => ({ params: { session_id: one(callCentre.sessions, n) } });
  const webhook = (n: number) => ({ params: { webhook_id: one(callCentre.webhooks, n) } });
  const middle = one(callCentre.sessions, callCentre.sessions.length >> 1);
  const cursor = toCursor(callCentre.owner, 'logs/sessions', middle);

  return [
    asBuilder('protected/check', 'read', 'with a JWT'),
    asBuilder('assistants/get', 'read', 'one', (n) => ({ params: assistant(1 + n) })),
    asBuilder('assistants/language-config', 'read', 'one', (n) => ({ params: assistant(1 + n) })),
    createRequestFor(worker)('assistants/runtime-config', 'read', 'one, with three keys', (n) => ({
      params: assistant(1 + n),
    })),
    asBuilder('knowledge-bases/get', 'read', 'one', (n) => ({ params: document(1 + n) })),
    asBuilder('knowledge-bases/search', 'read', 'one attached', () => ({ params: assistant(0) })),
    asCallCentre('logs/get', 'read', 'one', (n) => session(-1 - n)),

    ...listPages(asBuilder, 'assistants/list'),
    ...listPages(asBuilder, 'knowledge-bases/list'),
    ...listPages(asBuilder, 'credentials/list'),
    asBuilder('api-keys/list', 'list', 'all, 90'),
    ...listPages(asCallCentre, 'logs/sessions'),
    asCallCentre('logs/sessions', 'list', `a page of ${page} of a room`, () => ({
      query: { limit, room_name: toRoomName(0) },
    })),
    asCallCentre('logs/sessions', 'list', `a page of ${page} from the middle`, () => ({ query: { limit, cursor } })),
    ...listPages(asCallCentre, 'logs/list'),
    ...listPages(asCallCentre, 'chats/list'),
    ...listPages(asCallCentre, 'logs/audit'),
    ...listPages(asCallCentre, 'events/list'),
    asCallCentre('webhooks/get', 'read', 'one', (n) => webhook(n)),
    asCallCentre('webhooks/list', 'list', 'all'),
    ...pageSizes.map((page) =>
      asCallCentre(
        'webhooks/deliveries',
        'list',
        `a page of ${page}`,
        () => ({ ...webhook(0), query: { limit: String(page) } }),
        page,
      ),
    ),
    asBuilder('assistants/list', 'whole', 'filter by name, no match', () => ({ query: { limit, name: 'Nobody' } })),
    asCallCentre('chats/list', 'whole', `${page} after 10,000`, () => ({ query: { limit, skip: '10000' } })),

    asBuilder('assistants/create', 'write', 'one'),
    asBuilder('assistants/update', 'write', 'one', (n) => ({
      params: assistant(1 + n),
      fields: { description: `Changed ${n} times` },
    })),
    asBuilder('credentials/upsert', 'write', 'new', (n) => ({ fields: { service_type: `new-vendor-${n}` } })),
    asBuilder('knowledge-bases/create', 'write', 'a short text'),
    asBuilder('knowledge-bases/create-upload', 'write', 'a form'),
    asBuilder('knowledge-bases/create-attached', 'write', 'a short text', (n) => ({ params: assistant(1 + n) })),
    asBuilder('knowledge-bases/attach', 'write', 'new', attachment),
    asCallCentre('logs/create', 'write', 'a short call', (n) => ({
      fields: { assistant_id: callCentre.assistants[0], room_name: `new room ${n}` },
    })),

    { ...asCallCentre('webhooks/create', 'write', 'one'), isLimited: true },
    asCallCentre('webhooks/update', 'write', 'its types', (n) => ({
      ...webhook(n),
      fields: { events: [n % 2 ? 'call.*' : 'assistant.*'] },
    })),
    asCallCentre('webhooks/test', 'write', 'one', (n) => webhook(n)),
    asCallCentre('webhooks/rotate', 'write', 'one', (n) => webhook(n)),
    asCallCentre('webhooks/retry', 'write', 'one', (n) => ({
      params: { ...webhook(0).params, event_id: one(callCentre.sessions, n) },
    })),
    asCallCentre('webhooks/replay', 'write', 'the last minute', (n) => ({
      ...webhook(n),
      fields: { from: new Date().toISOString(), to: null },
    })),
    asCallCentre('webhooks/delete', 'write', 'one', (n) => webhook(-1 - n)),

    asBuilder('knowledge-bases/detach', 'write', 'one', attachment),
    asBuilder('assistants/delete', 'write', 'one', (n) => ({ params: assistant(-1 - n) })),
    asBuilder('knowledge-bases/delete', 'write', 'one', (n) => ({ params: document(-1 - n) })),
    asBuilder('credentials/delete', 'write', 'by name', (n) => service(-1 - n)),
    asCallCentre('logs/delete', 'write', 'one', session),
    // A user has at most 100 API keys: deleting comes first, to make room for new ones.
    asBuilder('api-keys/delete', 'write', 'one of 90', (n) => ({ params: { api_key_id: apiKey(-1 - n) } })),
    asBuilder('api-keys/rotate', 'write', 'one of 90', (n) => ({ fields: { id: apiKey(1 + n), grace_seconds: 0 } })),
    asBuilder('api-keys/create', 'write', 'with 90 existing'),
  ];
}
