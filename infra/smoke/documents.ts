import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundPassage, KnowledgeBase } from '../../shared/schemas/knowledge-base.ts';
import type { Client } from './client.ts';
import { type Data, expect, has } from './expect.ts';

/** What the caller asks, and a document that answers it. */
export const question = 'When does the clinic open?';
const document = 'The clinic opens at eight in the morning. It is closed on Sundays.';

/** A form with a document. */
function form(fields: Record<string, string> = {}): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  made.set('file', new Blob([document]), 'smoke.txt');
  return made;
}

/** Uploads documents in every way, waits until they have been read, and searches them. */
export async function knowledge(client: Client, assistantId: string): Promise<void> {
  const assistant = { assistant_id: assistantId };
  /** Has a knowledge base deleted in the end. */
  const keep = ({ id }: KnowledgeBase) => {
    const params = { knowledge_base_id: id };
    client.later('knowledge-bases/delete', { params, query: { force: 'true' } });
    return params;
  };
  const { body: sent } = await client.call<Data<KnowledgeBase>>('knowledge-bases/create', { body: form() });
  const first = keep(sent.data);
  const { body: both } = await client.call<Data<KnowledgeBase>>('knowledge-bases/create-attached', {
    params: assistant,
    body: form(),
  });
  keep(both.data);
  const announced = { file_name: 'smoke.txt', content_type: 'text/plain', size_bytes: document.length };
  const { body: large } = await client.call<
    Data<{ knowledge_base: KnowledgeBase; upload: { url: string; fields: Record<string, string> } }>
  >('knowledge-bases/create-upload', { body: announced });
  const direct = keep(large.data.knowledge_base);
  const { url, fields } = large.data.upload;
  await client.upload(url, form(fields));

  for (const params of [first, direct]) await untilReady(client, params);
  const { body: listed } = await client.call<Data<{ knowledge_bases: KnowledgeBase[] }>>('knowledge-bases/list');
  expect(has(listed.data.knowledge_bases, sent.data.id), 'The list of knowledge bases should have the new one');

  const attachment = { params: { ...assistant, ...first } };
  await client.call('knowledge-bases/attach', attachment);
  client.later('knowledge-bases/detach', attachment);
  const { body: found } = await client.call<Data<{ passages: FoundPassage[] }>>('knowledge-bases/search', {
    params: assistant,
    body: { query: question },
  });
  expect(found.data.passages[0]?.text.includes('opens at eight') === true, 'The search should find the passage');
}

/** Waits until a document has been read. The client's deadline ends it. */
async function untilReady(client: Client, params: { knowledge_base_id: string }): Promise<void> {
  for (;;) {
    const { body } = await client.call<Data<KnowledgeBase>>('knowledge-bases/get', { params });
    const { status, status_reason } = body.data;
    if (status === 'ready') return;
    expect(status === 'processing', `The document should be read: ${status_reason?.msg}`);
    await sleep(500);
  }
}
