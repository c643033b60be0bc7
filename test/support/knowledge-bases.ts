import { afterAll, vi } from 'vitest';
import { fetchAgain } from '../../infra/fetch-again.ts';
import type { KnowledgeBase } from '../../shared/schemas/knowledge-base.ts';
import { type Client, deployed, type Reply } from './api.ts';
import { patient } from './patience.ts';

type Made = Reply<{ data: KnowledgeBase }>;

const made: [Client, string][] = [];

/** Sends a form. */
export async function post<T>(user: Client, path: string, form: FormData, headers: Record<string, string> = {}) {
  const response = await fetchAgain(user.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, ...headers },
    body: form,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as T };
}

/** A form with a document. */
export function formOf(
  content: string | Uint8Array<ArrayBuffer>,
  name = 'notes.txt',
  fields: Record<string, string> = {},
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([content]), name);
  return form;
}

/** Uploads a document, which is deleted after the tests of the file. */
export async function upload(
  user: Client,
  content: string | Uint8Array<ArrayBuffer>,
  name?: string,
  { path = '/assistants/knowledge-base', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Made> {
  const reply = await post<{ data: KnowledgeBase }>(user, path, formOf(content, name), headers);
  if (reply.status === 200) made.push([user, reply.body.data.id]);
  return reply;
}

/** The record of a knowledge base. */
export const record = async (user: Client, id: string): Promise<KnowledgeBase> =>
  (await user.get<{ data: KnowledgeBase }>(`/assistants/knowledge-base/${id}`)).body.data;

/** The record of a knowledge base once it has been read, or has failed. */
export async function read(user: Client, id: string): Promise<KnowledgeBase> {
  const isRead = async () => (await record(user, id)).status !== 'processing';
  await vi.waitUntil(isRead, { timeout: patient(60_000), interval: 100 });
  return record(user, id);
}

/** Uploads a document, and waits until it has been read. */
export async function readUpload(
  user: Client,
  content: string | Uint8Array<ArrayBuffer>,
  name?: string,
): Promise<KnowledgeBase> {
  return read(user, (await upload(user, content, name)).body.data.id);
}

if (deployed)
  afterAll(async () => {
    for (const [user, id] of made) await user.delete(`/assistants/knowledge-base/${id}?force=true`);
  });
