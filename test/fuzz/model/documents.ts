import fc from 'fast-check';
import { changed } from './assistant.ts';
import { always, command, type Model, newestFirst, nth, same } from './model.ts';

interface Shown {
  id: string;
  name: string;
  attached_assistant_ids: string[];
}

const pick = fc.nat(20);
const some = ({ documents }: Model) => documents.size > 0;
const both = (model: Model) => some(model) && model.assistants.size > 0;

const attachedTo = ({ assistants }: Model, id: string) =>
  [...assistants.values()].filter(({ attached }) => attached.has(id)).map((assistant) => assistant.id);

const headers = { 'content-type': 'multipart/form-data; boundary=b' };
const form = (name: string) =>
  Buffer.from(
    `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}.txt"\r\n\r\nHours: 8 to 5.\r\n--b--\r\n`,
  );

const upload = command(
  'upload a document',
  fc.constantFrom('Menu', 'Hours'),
  always,
  async ({ documents }, client, name) => {
    const { json } = await client.call<{ data: Shown }>('knowledge-bases/create', { headers, body: form(name) });
    documents.set(json.data.id, json.data.name);
    same('whom it is attached to', json.data.attached_assistant_ids, []);
  },
);

const uploadAttached = command(
  'upload and attach a document',
  pick,
  ({ assistants }) => assistants.size > 0,
  async (model, client, pick) => {
    const assistant = nth(model.assistants, pick);
    const params = { assistant_id: assistant.id };
    const { json } = await client.call<{ data: Shown }>('knowledge-bases/create-attached', {
      params,
      headers,
      body: form('Prices'),
    });
    same('whom it is attached to', json.data.attached_assistant_ids, [assistant.id]);
    model.documents.set(json.data.id, json.data.name);
    assistant.attached.add(json.data.id);
    changed(assistant);
  },
);

const attach = command(
  'attach',
  fc.record({ pick, other: pick }),
  both,
  async ({ assistants, documents }, client, { pick, other }) => {
    const assistant = nth(assistants, pick);
    const id = nth(new Set(documents.keys()), other);
    await client.call('knowledge-bases/attach', { params: { assistant_id: assistant.id, knowledge_base_id: id } });
    if (assistant.attached.has(id)) return;
    assistant.attached.add(id);
    changed(assistant);
  },
);

const detach = command(
  'detach',
  fc.record({ pick, other: pick }),
  both,
  async ({ assistants, documents }, client, { pick, other }) => {
    const assistant = nth(assistants, pick);
    const id = nth(new Set(documents.keys()), other);
    const isAttached = assistant.attached.delete(id);
    const params = { assistant_id: assistant.id, knowledge_base_id: id };
    await client.call('knowledge-bases/detach', { params }, isAttached ? 200 : 404);
    if (isAttached) changed(assistant);
  },
);

const get = command('read a document', pick, some, async (model, client, pick) => {
  const id = nth(new Set(model.documents.keys()), pick);
  const { json } = await client.call<{ data: Shown }>('knowledge-bases/get', { params: { knowledge_base_id: id } });
  same('whom it is attached to', json.data.attached_assistant_ids.toSorted(), attachedTo(model, id).sort());
});

const list = command('list the documents', fc.integer({ min: 1, max: 3 }), always, async (model, client, limit) => {
  const found: Shown[] = [];
  const query = { limit: String(limit) };
  for await (const { data } of client.pages<{ data: { knowledge_bases: Shown[] } }>('knowledge-bases/list', {
    query,
  })) {
    found.push(...data.knowledge_bases);
  }
  same(
    'the documents',
    found.map(({ id }) => id),
    newestFirst(model.documents.keys()),
  );
  for (const { id, attached_assistant_ids } of found)
    same('whom it is attached to', attached_assistant_ids.toSorted(), attachedTo(model, id).sort());
});

const remove = command(
  'delete a document',
  fc.record({ pick, force: fc.boolean() }),
  some,
  async (model, client, { pick, force }) => {
    const id = nth(new Set(model.documents.keys()), pick);
    const isKept = !force && attachedTo(model, id).length > 0;
    const params = { knowledge_base_id: id };
    await client.call(
      'knowledge-bases/delete',
      { params, ...(force && { query: { force: 'true' } }) },
      isKept ? 409 : 200,
    );
    if (isKept) return;
    model.documents.delete(id);
    for (const assistant of model.assistants.values()) if (assistant.attached.delete(id)) changed(assistant);
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
