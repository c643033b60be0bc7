import fc from 'fast-check';
import {
  buildAssistant,
  defaultVoice,
  expectAssistant,
  markEdited,
  type PublicAssistant,
  sortFields,
} from './assistant.ts';
import { type Assistant, defineCommand, isAlwaysPossible, type Model, pickNth } from './model.ts';

const hasAssistants = ({ assistants }: Model) => assistants.size > 0;
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
      .dictionary(fc.constantFrom(...Object.keys(defaultVoice), 'speed', 'style'), fc.constantFrom(null, 'x', 'y'))
      .map(({ voice_id, ...others }) => others),
  },
  { requiredKeys: [] },
);
const pick = fc.nat(20);

const create = defineCommand(
  'create an assistant',
  fc.record({ name, voice }),
  isAlwaysPossible,
  async ({ assistants, documents }, client, { name, voice }) => {
    const body = { name, system_instruction: 'Answer.', voice };
    const { json } = await client.call<PublicAssistant>('assistants/create', { body });
    const assistant = buildAssistant(json.id, name, voice);
    assistants.set(json.id, assistant);
    expectAssistant(json, assistant, documents);
  },
);

/** Merges a change into the model's assistant. Returns true if anything changed. */
function merge(
  assistant: Assistant,
  { voice, ...fields }: { name?: string; description?: string | null; voice?: Record<string, string | null> },
): boolean {
  const before = JSON.stringify([assistant.name, assistant.description, sortFields(assistant.voice)]);
  Object.assign(assistant, fields);
  for (const [key, value] of Object.entries(voice ?? {})) {
    if (value !== null) assistant.voice[key] = value;
    else if (key in defaultVoice) assistant.voice[key] = defaultVoice[key];
    else delete assistant.voice[key];
  }
  return before !== JSON.stringify([assistant.name, assistant.description, sortFields(assistant.voice)]);
}

const update = defineCommand(
  'update an assistant',
  fc.record({ pick, change }),
  hasAssistants,
  async ({ assistants, documents }, client, { pick, change }) => {
    const assistant = pickNth(assistants, pick);
    const params = { assistant_id: assistant.id };
    const { json } = await client.call<PublicAssistant>('assistants/update', { params, body: change });
    if (merge(assistant, change)) markEdited(assistant);
    expectAssistant(json, assistant, documents);
  },
);

const updateIfUnchanged = defineCommand(
  'update an assistant with If-Match',
  fc.record({ pick, change }),
  hasAssistants,
  async ({ assistants }, client, { pick, change }) => {
    const assistant = pickNth(assistants, pick);
    const input = { params: { assistant_id: assistant.id }, body: change };
    if (assistant.staleTag) {
      const headers = { 'if-match': `"none", W/${assistant.staleTag}` };
      await client.call('assistants/update', { ...input, headers }, 412);
    }
    const { headers } = await client.call('assistants/get', { params: input.params });
    await client.call('assistants/update', { ...input, headers: { 'if-match': headers.get('etag') ?? '' } });
    if (merge(assistant, change)) markEdited(assistant);
  },
);

const get = defineCommand('read an assistant', pick, hasAssistants, async ({ assistants, documents }, client, pick) => {
  const assistant = pickNth(assistants, pick);
  const params = { assistant_id: assistant.id };
  const known = { ...(assistant.tag && { 'if-none-match': assistant.tag }) };
  const { headers } = await client.call('assistants/get', { params, headers: known }, assistant.tag ? 304 : 200);
  assistant.tag = headers.get('etag') ?? '';
  const { json } = await client.call<PublicAssistant>('assistants/get', {
    params,
    headers: { 'if-none-match': '"other"' },
  });
  expectAssistant(json, assistant, documents);
});

const remove = defineCommand(
  'delete an assistant',
  pick,
  hasAssistants,
  async ({ assistants, deleted }, client, pick) => {
    const { id } = pickNth(assistants, pick);
    const params = { assistant_id: id };
    await client.call('assistants/delete', { params });
    assistants.delete(id);
    deleted.add(id);
    await client.call('assistants/get', { params }, 404);
  },
);

export const assistantCommands = [create, create, create, create, update, updateIfUnchanged, get, remove];
