import { randomUUID } from 'node:crypto';
import { isKeyed, type Route } from '../../shared/route.ts';
import type { IssuedApiKey } from '../../shared/schemas/api-key.ts';
import { type Client, clientWith, type Reply } from '../support/api.ts';
import { everythingOf, turns } from '../support/everything.ts';
import { ask, type Things } from '../support/tenancy.ts';
import type { ChaosHost, Lane } from './host.ts';

/** A way of asking a route. Those of calls have a large one too, which lies in S3, and one that is told further. */
export type Variant = 'as in its event' | 'a large call' | 'a call told further';

export function variantsOf({ needs, body }: Route): Variant[] {
  if (!needs.files?.transcripts) return ['as in its event'];
  return ['as in its event', 'a large call', ...(body ? (['a call told further'] as const) : [])];
}

/** Somebody with one of everything, and the request that is to be disturbed; it is the same each time it is sent. */
export interface Subject {
  owner: string;
  send(lane: Lane): Promise<Reply>;
}

/** Workers ask what only they may ask, and what anybody may. */
const isWorkers = ({ workersOnly, scope }: Route) => workersOnly || scope === 'any';

/** The token or API key by which a route is asked. */
async function bearerOf(user: Client, route: Route): Promise<string> {
  if (!isWorkers(route)) return user.token;
  const { body } = await user.post<IssuedApiKey>('/api-keys', { name: 'Worker', scopes: ['read', 'runtime'] });
  return body.data.secret ?? '';
}

/** Whether a request leaves everything as it was, in the table and in its function: many can be sent by the same person. */
export const changesNothing = (route: Route): boolean => route.method === 'GET' && !isWorkers(route);

/** How often somebody new is made: a machine that is too busy answers 503, and this is not yet the trial. */
const tries = 3;

/** Somebody new who is about to ask a route. */
export async function subjectOf(host: ChaosHost, route: Route, variant: Variant): Promise<Subject> {
  for (let left = tries - 1; ; left--) {
    try {
      return await newSubject(host, route, variant);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

async function newSubject(host: ChaosHost, route: Route, variant: Variant): Promise<Subject> {
  const { user, owner } = await host.newUser();
  const transcript = turns(variant === 'as in its event' ? 1 : 300);
  const { cursor: _, 'idempotency-key': __, ...has } = await everythingOf(user, transcript);
  const bearer = await bearerOf(user, route);
  const isToldOn = variant === 'a call told further';
  const key = isKeyed(route) && !isToldOn && { 'idempotency-key': randomUUID() };
  const things: Things = { ...has, force: 'true', ...key };
  const said = variant === 'a large call' ? turns(300) : [...transcript, ...turns(300)];
  const others = route.body && variant !== 'as in its event' ? { transcript: said, ...(isToldOn && toldOn) } : {};
  return { owner, send: ({ url }) => ask(clientWith(user.sub, bearer, url), route, things, others) };
}

/** What else tells a call from others, as it was told first (support/everything.ts). */
const toldOn = { started_at: undefined, participant_name: undefined };
