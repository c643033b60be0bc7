import { randomUUID } from 'node:crypto';
import { type Route, supportsIdempotencyKey } from '../../shared/route.ts';
import type { IssuedApiKey } from '../../shared/schemas/api-key.ts';
import { type Client, createClient, type Reply } from '../support/api.ts';
import { buildTurns, createEverything } from '../support/create-everything.ts';
import { callRoute, type OwnedValues } from '../support/tenancy.ts';
import type { ChaosHost, Lane } from './host.ts';
import { readStreamedReply } from './streamed-reply.ts';

/**
 * Variant of a route's request. Routes of calls also have one with a large transcript, stored in S3, and one that continues a call. Routes
 * that ask language models have one with a streamed answer, to a question that is stored in S3 if it is stored.
 */
export type Variant = 'sample event' | 'large call' | 'continued call' | 'streamed answer';

export function listVariants({ needs, body, streamSeconds }: Route): Variant[] {
  if (streamSeconds) return ['sample event', 'streamed answer'];
  if (!needs.files?.transcripts) return ['sample event'];
  return ['sample event', 'large call', ...(body ? (['continued call'] as const) : [])];
}

/** A user with one of every resource, and the request to disturb. `send` sends the same request each time. */
export interface Subject {
  owner: string;
  send(lane: Lane): Promise<Reply>;
}

/** True if a trial calls the route with an API key: worker routes, and those that accept every key. */
const isWorkerRoute = ({ workersOnly, scope }: Route) => workersOnly || scope === 'any';

/** Returns the user's token, or creates an API key if the route needs one. */
async function createBearer(user: Client, route: Route): Promise<string> {
  if (!isWorkerRoute(route)) return user.token;
  const { body } = await user.post<IssuedApiKey>('/api-keys', { name: 'Worker', scopes: ['read', 'runtime'] });
  return body.data.secret ?? '';
}

/** True if a request changes neither the data nor the state of its function, so that trials can share a user. */
export const isReadOnly = (route: Route): boolean => route.method === 'GET' && !isWorkerRoute(route);

/** Maximum attempts to create a subject. An overloaded machine may answer 503 before the trial begins. */
const maxAttempts = 10;

/** Creates a new user with a request to a route. */
export async function createSubject(host: ChaosHost, route: Route, variant: Variant): Promise<Subject> {
  for (let left = maxAttempts - 1; ; left--) {
    try {
      return await tryCreateSubject(host, route, variant);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

async function tryCreateSubject(host: ChaosHost, route: Route, variant: Variant): Promise<Subject> {
  const { user, owner } = await host.newUser();
  const transcript = buildTurns(variant === 'sample event' ? 1 : 300);
  const { cursor: _, 'idempotency-key': __, ...owned } = await createEverything(user, transcript);
  const bearer = await createBearer(user, route);
  if (route.streamSeconds) await giveModel(user, owned, host.modelUrl);
  if (route.id === 'web-calls/create') await giveVoiceServer(user);
  const isContinued = variant === 'continued call';
  const key = supportsIdempotencyKey(route) && !isContinued && { 'idempotency-key': randomUUID() };
  const values: OwnedValues = { ...owned, force: 'true', ...key };
  const nextTranscript = variant === 'large call' ? buildTurns(300) : [...transcript, ...buildTurns(300)];
  const others = route.streamSeconds
    ? buildQuestion(variant)
    : route.body && variant !== 'sample event'
      ? { transcript: nextTranscript, ...(isContinued && omittedFields) }
      : {};
  return {
    owner,
    send: ({ url }) => readStreamedReply(callRoute(createClient(user.sub, bearer, url), route, values, others)),
  };
}

/** Gives the assistant of a user a language model. */
async function giveModel(user: Client, { assistant_id }: OwnedValues, base_url: string): Promise<void> {
  await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-any' });
  await user.put(`/assistants/${assistant_id}`, { llm: { llm_provider: 'openai', model: 'any', base_url } });
}

/** Gives a user a LiveKit server. Its tokens are signed without a request to it. */
async function giveVoiceServer(user: Client): Promise<void> {
  const server = { url: 'wss://voice.example.com', api_key: 'any', api_secret: 'secret-of-32-characters-or-longer' };
  await user.post('/user-credentials', { service_type: 'livekit', api_key: JSON.stringify(server) });
}

/** Builds the fields of a question to a language model, for a search and for a chat. */
function buildQuestion(variant: Variant): object {
  const query = 'Where is the archive?';
  const stream = variant === 'streamed answer';
  return { query, messages: [{ role: 'user', content: stream ? query.repeat(3_000) : query }], stream };
}

/** Fields of the sample event that identify a call. The first save in support/everything.ts omits them. */
const omittedFields = { started_at: undefined, participant_name: undefined };
