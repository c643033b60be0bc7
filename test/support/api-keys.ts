import { afterAll } from 'vitest';
import type { IssuedApiKey } from '../../shared/schemas/api-key.ts';
import { type Client, clientWith, deployed, type Reply } from './api.ts';

const made: [Client, string][] = [];

/** Has a user make an API key, which is revoked after the tests of the file. */
export async function makeKey(user: Client, scopes: string[], fields: object = {}): Promise<Reply<IssuedApiKey>> {
  const reply = await user.post<IssuedApiKey>('/api-keys', { name: 'Worker', scopes, ...fields });
  if (reply.status === 200) made.push([user, reply.body.data.id]);
  return reply;
}

/** A worker with a key of these scopes. */
export async function workerOf(user: Client, scopes: string[]): Promise<Client> {
  const { body } = await makeKey(user, scopes);
  return clientWith(user.sub, body.data.secret ?? '');
}

if (deployed)
  afterAll(async () => {
    for (const [user, id] of made) await user.delete(`/api-keys/${id}`);
  });
