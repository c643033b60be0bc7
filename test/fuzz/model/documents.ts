import fc from 'fast-check';
import { defineCommand, expectSame, isAlwaysPossible, type Model, pickNth, sortNewestFirst } from './model.ts';

interface PublicKnowledgeBase {
  id: string;
  name: string;
  attached_assistant_ids: string[];
}

const pick = fc.nat(20);
const hasDocuments = ({ documents }: Model) => documents.size > 0;
const hasBoth = (model: Model) => hasDocuments(model) && model.assistants.size > 0;

const listAttachedIds = ({ assistants }: Model, id: string) =>
  [...assistants.values()].filter(({ attached }) => attached.has(id)).map((assistant) => assistant.id);

const headers = { 'content-type': 'multipart/form-data; boundary=b' };
const buildForm = (name: string) =>
  Buffer.from(
    `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}.txt"\r\n\r\nHours: 8 to 5.\r\n--b--\r\n`,
  );

const upload = defineCommand(
  'upload a document',
  fc.constantFrom('Menu', 'Hours'),
  isAlwaysPossible,
  async ({ documents }, client, name) => {
    const { json } = await client.call<{ data: PublicKnowledgeBase }>('knowledge-bases/create', {
      headers,
      body: buildForm(name),
    });
    documents.set(json.data.id, json.data.name);
    expectSame('its assistants', json.data.attached_assistant_ids, []);
  },
);

const uploadAttached = defineCommand(
  'upload and attach a document',
  pick,
  ({ assistants }) => assistants.size > 0,
  async (model, client, pick) => {
    const assistant = pickNth(model.assistants, pick);
    const params = { assistant_id: assistant.id };
    const { json } = await client.call<{ data: PublicKnowledgeBase }>('knowledge-bases/create-attached', {
      params,
      headers,
      body: buildForm('Prices'),
    });
    expectSame('its assistants', json.data.attached_assistant_ids, [assistant.id]);
    model.documents.set(json.data.id, json.data.name);
    assistant.attached.add(json.data.id);
    assistant.tag = undefined;
  },
);

const attach = defineCommand(
  'attach a document',
  fc.record({ pick, other: pick }),
  hasBoth,
  async ({ assistants, documents }, client, { pick, other }) => {
    const assistant = pickNth(assistants, pick);
    const id = pickNth(new Set(documents.keys()), other);
    await client.call('knowledge-bases/attach', { params: { assistant_id: assistant.id, knowledge_base_id: id } });
    if (assistant.attached.has(id)) return;
    assistant.attached.add(id);
    assistant.tag = undefined;
  },
);

const detach = defineCommand(
  'detach a document',
  fc.record({ pick, other: pick }),
  hasBoth,
  async ({ assistants, documents }, client, { pick, other }) => {
    const assistant = pickNth(assistants, pick);
    const id = pickNth(new Set(documents.keys()), other);
    const isAttached = assistant.attached.delete(id);
    const params = { assistant_id: assistant.id, knowledge_base_id: id };
    await client.call('knowledge-bases/detach', { params }, isAttached ? 200 : 404);
    if (isAttached) assistant.tag = undefined;
  },
);

const get = defineCommand('read a document', pick, hasDocuments, async (model, client, pick) => {
  const id = pickNth(new Set(model.documents.keys()), pick);
  const { json } = await client.call<{ data: PublicKnowledgeBase }>('knowledge-bases/get', {
    params: { knowledge_base_id: id },
  });
  expectSame('its assistants', json.data.attached_assistant_ids.toSorted(), listAttachedIds(model, id).sort());
});

const list = defineCommand(
  'list the documents',
  fc.integer({ min: 1, max: 3 }),
  isAlwaysPossible,
  async (model, client, limit) => {
    const found: PublicKnowledgeBase[] = [];
    const query = { limit: String(limit) };
    for await (const { data } of client.listPages<{ data: { knowledge_bases: PublicKnowledgeBase[] } }>(
      'knowledge-bases/list',
      {
        query,
      },
    )) {
      found.push(...data.knowledge_bases);
    }
    expectSame(
      'the documents',
      found.map(({ id }) => id),
      sortNewestFirst(model.documents.keys()),
    );
    for (const { id, attached_assistant_ids } of found)
      expectSame('its assistants', attached_assistant_ids.toSorted(), listAttachedIds(model, id).sort());
  },
);

const remove = defineCommand(
  'delete a document',
  fc.record({ pick, force: fc.boolean() }),
  hasDocuments,
  async (model, client, { pick, force }) => {
    const id = pickNth(new Set(model.documents.keys()), pick);
    const isRefused = !force && listAttachedIds(model, id).length > 0;
    const params = { knowledge_base_id: id };
    await client.call(
      'knowledge-bases/delete',
      { params, ...(force && { query: { force: 'true' } }) },
      isRefused ? 409 : 200,
    );
    if (isRefused) return;
    model.documents.delete(id);
    for (const assistant of model.assistants.values()) if (assistant.attached.delete(id)) assistant.tag = undefined;
    await client.call('knowledge-bases/get', { params }, 404);
  },
);

export const documentCommands = [
  upload,
  upload,
  uploadAttached,
  uploadAttached,
  attach,
  attach,
  detach,
  get,
  list,
  remove,
];
