import { afterAll } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { type Client, deployed, type Reply } from './api.ts';

export const minimal = { name: 'Receptionist', system_instruction: 'You answer the phone of a dental clinic.' };

const created: [Client, string][] = [];

/** Creates an assistant. It is deleted after the tests of the file. */
export async function createAssistant(
  user: Client,
  fields: object = {},
  headers: Record<string, string> = {},
): Promise<Reply<Assistant>> {
  const reply = await user.post<Assistant>('/assistants', { ...minimal, ...fields }, headers);
  if (reply.status === 200) created.push([user, reply.body.id]);
  return reply;
}

if (deployed)
  afterAll(async () => {
    for (const [user, id] of created) await user.delete(`/assistants/${id}`);
  });
