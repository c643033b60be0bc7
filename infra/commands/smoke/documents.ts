import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundPassage, KnowledgeBase } from '../../../shared/schemas/knowledge-base.ts';
import type { Client } from './client.ts';
import { type Envelope, expect, hasId } from './expect.ts';

/** Question of the caller, which the document answers. */
export const question = 'When does the clinic open?';
const document = 'The clinic opens at eight in the morning. It is closed on Sundays.';

interface Found {
  passages: FoundPassage[];
  searched: number;
}

function buildForm(fields: Record<string, string> = {}): FormData {
  const newForm = new FormData();
  for (const [name, value] of Object.entries(fields)) newForm.set(name, value);
  newForm.set('file', new Blob([document]), 'smoke.txt');
  return newForm;
}

/** Uploads a document in each way, waits until they are parsed, and searches them. */
export async function walkKnowledgeBases(client: Client, assistantId: string): Promise<void> {
  const assistant = { assistant_id: assistantId };
  const toParams = ({ id }: KnowledgeBase) => ({ knowledge_base_id: id });
  const { body: created } = await client.call<Envelope<KnowledgeBase>>('knowledge-bases/create', { body: buildForm() });
  const createdParams = toParams(created.data);
  await client.call('knowledge-bases/create-attached', {
    params: assistant,
    body: buildForm(),
  });
  const announcement = { file_name: 'smoke.txt', content_type: 'text/plain', size_bytes: document.length };
  const { body: announced } = await client.call<
    Envelope<{ knowledge_base: KnowledgeBase; upload: { url: string; fields: Record<string, string> } }>
  >('knowledge-bases/create-upload', { body: announcement });
  const uploadedParams = toParams(announced.data.knowledge_base);
  const { url, fields } = announced.data.upload;
  await client.upload(url, buildForm(fields));

  for (const params of [createdParams, uploadedParams]) await waitUntilReady(client, params);
  const { body: listed } = await client.call<Envelope<{ knowledge_bases: KnowledgeBase[] }>>('knowledge-bases/list');
  expect(hasId(listed.data.knowledge_bases, created.data.id), 'The list of knowledge bases should have the new one');

  const attachment = { params: { ...assistant, ...createdParams } };
  await client.call('knowledge-bases/attach', attachment);
  client.callLater('knowledge-bases/detach', attachment);
  const { body: found } = await client.call<Envelope<{ passages: FoundPassage[] }>>('knowledge-bases/search', {
    params: assistant,
    body: { query: question },
  });
  expectAnswer(found.data.passages);
  const search = { body: { query: question, knowledge_base_ids: [created.data.id] } };
  const { body: named } = await client.call<Envelope<Found>>('search/passages', search);
  expectAnswer(named.data.passages);
  expect(named.data.searched === 1, 'A search in one knowledge base should search one');
}

const expectAnswer = ([best]: FoundPassage[]) =>
  expect(best?.text.includes('opens at eight') === true, 'The search should find the passage');

/** Waits until a document is parsed. Throws UserError if parsing fails; the client's deadline is the timeout. */
async function waitUntilReady(client: Client, params: { knowledge_base_id: string }): Promise<void> {
  for (;;) {
    const { body } = await client.call<Envelope<KnowledgeBase>>('knowledge-bases/get', { params });
    const { status, status_reason } = body.data;
    if (status === 'ready') return;
    expect(status === 'processing', `The document should be parsed: ${status_reason?.msg}`);
    await sleep(500);
  }
}
