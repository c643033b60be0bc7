import type { APIGatewayProxyEvent } from 'aws-lambda';
import { toCursor } from '../../shared/domain/cursor.ts';
import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
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

/** Routes that need an API or a vendor of the user, which the scale test has none of. */
export const asksOthers = [
  'assistants/call-tool',
  'completions/create',
  'search/answer',
  'vision/analyze',
  'web-calls/create',
];

/** Page sizes to measure: one, and its double. */
export const pageSizes = [20, 40] as const;

const toPages = (make: (page: number) => ScaleRequest): ScaleRequest[] => pageSizes.map(make);

/**
 * Builds requests for every route, from the two largest users. A route that is not listed here gets its sample request from
 * `events/`. In this order, each request finds its resource, and lists are read before they change. With 100 resources of each kind,
 * each request can be sent at most 44 times.
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
  const [page] = pageSizes;
  const limit = String(page);

  const one = (ids: string[], n: number) => ids.at(n) ?? '';
  const assistant = (n: number) => ({ assistant_id: one(builder.assistants, n) });
  const document = (n: number) => ({ knowledge_base_id: one(builder.knowledgeBases, n) });
  const attachment = (n: number) => ({ params: { ...assistant(1 + n), ...document(1 + n) } });
  const service = (n: number) => ({ params: { service_type: one(builder.services, n) }, query: { name: 'clinic' } });
  const apiKey = (n: number) => builder.apiKeys.at(n)?.id ?? '';
  const webhook = (n: number) => ({ params: { webhook_id: one(callCentre.webhooks, n) } });
  const delivery = (n: number) => ({ params: { ...webhook(0).params, event_id: one(callCentre.sessions, n) } });
  const middle = one(callCentre.sessions, callCentre.sessions.length >> 1);
  const cursor = toCursor(callCentre.owner, 'logs/sessions', middle);

  const reads = [
    createRequestFor(worker)('assistants/runtime-config', 'read', 'one, with three keys', (n) => ({
      params: assistant(1 + n),
    })),
    createRequestFor(worker)('assistants/start-call', 'read', 'one, with three keys', (n) => ({
      params: assistant(1 + n),
    })),
    asBuilder('knowledge-bases/search', 'read', 'one attached', () => ({ params: assistant(0) })),
    asBuilder('search/passages', 'list', 'the 50 newest', () => ({ fields: { filters: null } })),
    asBuilder('completions/models', 'list', 'the 100 newest'),
    asBuilder('api-keys/list', 'list', 'all, 90'),
    asCallCentre('webhooks/list', 'list', 'all'),
    ...toPages((page) =>
      asCallCentre(
        'webhooks/deliveries',
        'list',
        `a page of ${page}`,
        () => ({ ...webhook(0), query: { limit: String(page) } }),
        page,
      ),
    ),
    asCallCentre('logs/sessions', 'list', `a page of ${page} of a room`, () => ({
      query: { limit, room_name: toRoomName(0) },
    })),
    asCallCentre('logs/sessions', 'list', `a page of ${page} from the middle`, () => ({ query: { limit, cursor } })),
    asBuilder('assistants/list', 'whole', 'filter by name, no match', () => ({ query: { limit, name: 'Nobody' } })),
    asCallCentre('chats/list', 'whole', `${page} after 10,000`, () => ({ query: { limit, skip: '10000' } })),
  ];
  const writes = [
    asBuilder('assistants/update', 'write', 'one', (n) => ({
      params: assistant(1 + n),
      fields: { description: `Changed ${n} times` },
    })),
    asBuilder('credentials/upsert', 'write', 'new', (n) => ({ fields: { service_type: `new-vendor-${n}` } })),
    asBuilder('knowledge-bases/attach', 'write', 'new', attachment),
    asCallCentre('logs/create', 'write', 'a short call', (n) => ({
      fields: { assistant_id: callCentre.assistants[0], room_name: `new room ${n}` },
    })),
    { ...asCallCentre('webhooks/create', 'write', 'one'), isLimited: true },
    asCallCentre('webhooks/update', 'write', 'its types', (n) => ({
      ...webhook(n),
      fields: { events: [n % 2 ? 'call.*' : 'assistant.*'] },
    })),
    asCallCentre('webhooks/retry', 'write', 'one', delivery),
    asCallCentre('webhooks/replay', 'write', 'the last minute', (n) => ({
      ...webhook(n),
      fields: { from: new Date().toISOString(), to: null },
    })),
  ];
  const deletions = [
    asBuilder('versions/delete', 'write', 'one', (n) => ({ params: { ...assistant(-1 - n), version: '1' } })),
    asBuilder('knowledge-bases/detach', 'write', 'one', attachment),
    asBuilder('credentials/delete', 'write', 'by name', (n) => service(-1 - n)),
    asCallCentre('logs/delete', 'write', 'one', (n) => ({ params: { session_id: one(callCentre.sessions, n) } })),
    // A user has at most 100 API keys: deleting comes first, to make room for new ones.
    asBuilder('api-keys/delete', 'write', 'one of 90', (n) => ({ params: { api_key_id: apiKey(-1 - n) } })),
    asBuilder('api-keys/rotate', 'write', 'one of 90', (n) => ({ fields: { id: apiKey(1 + n), grace_seconds: 0 } })),
    asBuilder('api-keys/create', 'write', 'with 90 existing'),
  ];

  /** Builds the sample requests of a route: two pages of a list, or one with the ids of the n-th resources in its path. */
  function buildSampleRequests({ id, method, path, query }: Route): ScaleRequest[] {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const isOfCalls = /^(logs|chats|events|webhooks)\//.test(id);
    const [user, as] = isOfCalls ? [callCentre, asCallCentre] : [builder, asBuilder];
    const ids: Record<string, string[]> = {
      assistant_id: user.assistants,
      knowledge_base_id: user.knowledgeBases,
      session_id: user.sessions,
      webhook_id: user.webhooks,
      job_id: user.assistants, // each has one of its id
      version: user.assistants.map(() => '1'), // each has one
    };
    const params = (n: number) => Object.fromEntries(names.map((name) => [name, one(ids[name] ?? [], n)]));
    if ('limit' in ((query as { entries?: object } | undefined)?.entries ?? {}))
      return toPages((page) =>
        as(id, 'list', `a page of ${page}`, () => ({ params: params(0), query: { limit: String(page) } }), page),
      );
    if (method === 'GET') return [as(id, 'read', 'one', (n) => ({ params: params(1 + n) }))];
    return [as(id, 'write', 'one', (n) => ({ params: params(method === 'DELETE' ? -1 - n : 1 + n) }))];
  }
  const own = [...reads, ...writes, ...deletions];
  const samples = routes
    .filter(({ id }) => !asksOthers.includes(id))
    .flatMap(buildSampleRequests)
    .filter(({ route, page }) => !own.some((one) => one.route === route && (!page || one.page)));
  const isDeletion = ({ route }: ScaleRequest) => route.endsWith('/delete');
  return [
    ...reads,
    ...samples.filter(({ kind }) => kind !== 'write'),
    ...writes,
    ...samples.filter((one) => one.kind === 'write' && !isDeletion(one)),
    ...deletions,
    ...samples.filter(isDeletion),
  ];
}
