import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { type Client, deployed, type Reply } from './api.ts';

export const minimal = { name: 'Receptionist', system_instruction: 'You answer the phone of a dental clinic.' };

const created: [Client, string][] = [];

/**
 * Creates an assistant, deleted after the tests of the file. Sends the request again after a 503, since a busy machine
 * may make DynamoDB too slow for one; the key keeps it from being created twice.
 */
export async function createAssistant(
  user: Client,
  fields: object = {},
  headers: Record<string, string> = {},
): Promise<Reply<Assistant>> {
  const allHeaders = { 'idempotency-key': randomUUID(), ...headers };
  const create = () => user.post<Assistant>('/assistants', { ...minimal, ...fields }, allHeaders);
  let reply = await create();
  for (let tries = 1; reply.status === 503 && tries < 5; tries++) reply = await create();
  if (reply.status === 200) created.push([user, reply.body.id]);
  return reply;
}

if (deployed)
  afterAll(async () => {
    for (const [user, id] of created) await user.delete(`/assistants/${id}`);
  });
