import { afterAll } from 'vitest';
import type { IssuedApiKey } from '../../shared/schemas/api-key.ts';
import { type Client, createClient, deployed, type Reply } from './api.ts';

const created: [Client, string][] = [];

/** Creates an API key for a user. It is revoked after the tests of the file. */
export async function createKey(user: Client, scopes: string[], fields: object = {}): Promise<Reply<IssuedApiKey>> {
  const reply = await user.post<IssuedApiKey>('/api-keys', { name: 'Worker', scopes, ...fields });
  if (reply.status === 200) created.push([user, reply.body.data.id]);
  return reply;
}

/** Creates a client that authenticates with a new API key of these scopes. */
export async function createWorker(user: Client, scopes: string[]): Promise<Client> {
  const { body } = await createKey(user, scopes);
  return createClient(user.sub, body.data.secret ?? '');
}

if (deployed)
  afterAll(async () => {
    for (const [user, id] of created) await user.delete(`/api-keys/${id}`);
  });
