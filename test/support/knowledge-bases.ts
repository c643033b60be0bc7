import { afterAll, vi } from 'vitest';
import { fetchWithRetry } from '../../infra/terminal/fetch-with-retry.ts';
import type { KnowledgeBase } from '../../shared/schemas/knowledge-base.ts';
import { type Client, deployed, type Reply } from './api.ts';
import { scaleTimeout } from './timeouts.ts';

type UploadReply = Reply<{ data: KnowledgeBase }>;

const created: [Client, string][] = [];

export async function postForm<T>(user: Client, path: string, form: FormData, headers: Record<string, string> = {}) {
  const response = await fetchWithRetry(user.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, ...user.headers, ...headers },
    body: form,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as T };
}

/** Builds a form with a document. */
export function buildForm(
  content: string | Uint8Array<ArrayBuffer>,
  name = 'notes.txt',
  fields: Record<string, string> = {},
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([content]), name);
  return form;
}

/** Uploads a document. It is deleted after the tests of the file. */
export async function upload(
  user: Client,
  content: string | Uint8Array<ArrayBuffer>,
  name?: string,
  { path = '/assistants/knowledge-base', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<UploadReply> {
  const reply = await postForm<{ data: KnowledgeBase }>(user, path, buildForm(content, name), headers);
  if (reply.status === 200) created.push([user, reply.body.data.id]);
  return reply;
}

export async function getKnowledgeBase(user: Client, id: string): Promise<KnowledgeBase> {
  const { status, body, text } = await user.get<{ data: KnowledgeBase }>(`/assistants/knowledge-base/${id}`);
  if (status !== 200) throw new Error(text);
  return body.data;
}

/** Waits until a knowledge base is ready or has failed, and returns it. */
export const waitUntilParsed = (user: Client, id: string): Promise<KnowledgeBase> =>
  vi.waitFor(
    async () => {
      const knowledgeBase = await getKnowledgeBase(user, id);
      if (knowledgeBase.status === 'processing') throw new Error(`${id} is still processing`);
      return knowledgeBase;
    },
    { timeout: scaleTimeout(60_000), interval: 250 },
  );

/** Uploads a document and waits until it is parsed. */
export async function uploadAndWait(
  user: Client,
  content: string | Uint8Array<ArrayBuffer>,
  name?: string,
): Promise<KnowledgeBase> {
  return waitUntilParsed(user, (await upload(user, content, name)).body.data.id);
}

if (deployed)
  afterAll(async () => {
    for (const [user, id] of created) await user.delete(`/assistants/knowledge-base/${id}?force=true`);
  });
