import fc from 'fast-check';
import { changed, expectShown, type Shown, sorted, standard } from './assistant.ts';
import { type Assistant, always, command, type Model, nth } from './model.ts';

const some = ({ assistants }: Model) => assistants.size > 0;
const name = fc.constantFrom('Reception', 'reception desk', 'Sales', 'Ünï', '#');
const voice = fc.record(
  {
    voice_id: fc.constantFrom(null, 'v1', 'v2'),
    tts_provider: fc.constantFrom('openai', 'rime'),
    language: fc.constantFrom('de', 'fr'),
    speed: fc.constantFrom(1, 1.5),
  },
  { requiredKeys: [] },
);
const change = fc.record(
  {
    name,
    description: fc.constantFrom(null, 'Day', 'Night'),
    voice: fc
      .dictionary(fc.constantFrom(...Object.keys(standard), 'speed', 'style'), fc.constantFrom(null, 'x', 'y'))
      .map(({ voice_id, ...others }) => others),
  },
  { requiredKeys: [] },
);
const pick = fc.nat(20);

const create = command(
  'create an assistant',
  fc.record({ name, voice }),
  always,
  async ({ assistants, documents }, client, { name, voice }) => {
    const body = { name, system_instruction: 'Answer.', voice };
    const { json } = await client.call<Shown>('assistants/create', { body });
    const assistant = {
      id: json.id,
      name,
      description: null,
      voice: { ...standard, ...voice },
      attached: new Set<string>(),
      old: [],
    };
    assistants.set(json.id, assistant);
    expectShown(json, assistant, documents);
  },
);

/** Merges a change into the model's assistant. Says whether anything is other than before. */
function merge(
  assistant: Assistant,
  { voice, ...fields }: { name?: string; description?: string | null; voice?: Record<string, string | null> },
): boolean {
  const before = JSON.stringify([assistant.name, assistant.description, sorted(assistant.voice)]);
  Object.assign(assistant, fields);
  for (const [key, value] of Object.entries(voice ?? {})) {
    if (value !== null) assistant.voice[key] = value;
    else if (key in standard) assistant.voice[key] = standard[key];
    else delete assistant.voice[key];
  }
  return before !== JSON.stringify([assistant.name, assistant.description, sorted(assistant.voice)]);
}

const update = command(
  'change one',
  fc.record({ pick, change }),
  some,
  async ({ assistants, documents }, client, { pick, change }) => {
    const assistant = nth(assistants, pick);
    const params = { assistant_id: assistant.id };
    const { json } = await client.call<Shown>('assistants/update', { params, body: change });
    if (merge(assistant, change)) changed(assistant);
    expectShown(json, assistant, documents);
  },
);

const updateIfUnchanged = command(
  'change one as it was read',
  fc.record({ pick, change }),
  some,
  async ({ assistants }, client, { pick, change }) => {
    const assistant = nth(assistants, pick);
    const call = { params: { assistant_id: assistant.id }, body: change };
    const stale = assistant.old.at(-1);
    // Attaching changes what is shown, and is no edit: only a tag of other fields is refused.
    if (stale && !assistant.attached.size)
      await client.call('assistants/update', { ...call, headers: { 'if-match': `"none", W/${stale}` } }, 412);
    const { headers } = await client.call('assistants/get', { params: call.params });
    await client.call('assistants/update', { ...call, headers: { 'if-match': headers.get('etag') ?? '' } });
    if (merge(assistant, change)) changed(assistant);
  },
);

const get = command('read one', pick, some, async ({ assistants, documents }, client, pick) => {
  const assistant = nth(assistants, pick);
  const params = { assistant_id: assistant.id };
  const known = { ...(assistant.tag && { 'if-none-match': assistant.tag }) };
  const { headers } = await client.call('assistants/get', { params, headers: known }, assistant.tag ? 304 : 200);
  assistant.tag = headers.get('etag') ?? '';
  const { json } = await client.call<Shown>('assistants/get', { params, headers: { 'if-none-match': '"other"' } });
  expectShown(json, assistant, documents);
});

const remove = command('delete one', pick, some, async ({ assistants, gone }, client, pick) => {
  const { id } = nth(assistants, pick);
  const params = { assistant_id: id };
  await client.call('assistants/delete', { params });
  assistants.delete(id);
  gone.add(id);
  await client.call('assistants/get', { params }, 404);
});

export const assistantCommands = [create, create, create, create, update, updateIfUnchanged, get, remove];
