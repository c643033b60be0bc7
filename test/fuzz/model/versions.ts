import fc from 'fast-check';
import { expectAssistant, markEdited, type PublicAssistant, sortFields, toContent } from './assistant.ts';
import { type Assistant, defineCommand, expectSame, type Model, pickNth } from './model.ts';

interface ShownVersion {
  version: number;
  weight: number;
}

const hasAssistants = ({ assistants }: Model) => assistants.size > 0;
const listPublished = ({ assistants }: Model) => [...assistants.values()].filter(({ versions }) => versions.size > 0);
const hasVersions = (model: Model) => listPublished(model).length > 0;
const pick = fc.nat(20);

/** Picks a version of an assistant that has some. */
function pickVersion(model: Model, n: number): { assistant: Assistant; version: number } {
  const assistant = pickNth(new Set(listPublished(model)), n);
  return { assistant, version: pickNth(new Set(assistant.versions.keys()), n) };
}

const getWeight = ({ live }: Assistant, version: number): number =>
  live.find((share) => share.version === version)?.weight ?? 0;

/** Makes versions live in the model. */
function setLive(assistant: Assistant, live: Assistant['live']): void {
  const sorted = live.toSorted((a, b) => b.version - a.version);
  if (JSON.stringify(sorted) !== JSON.stringify(assistant.live)) assistant.tag = undefined;
  assistant.live = sorted;
}

const publish = defineCommand(
  'publish an assistant',
  fc.record({ pick, live: fc.boolean() }),
  hasAssistants,
  async ({ assistants }, client, { pick, live }) => {
    const assistant = pickNth(assistants, pick);
    const params = { assistant_id: assistant.id };
    const { json } = await client.call<{ data: ShownVersion }>('versions/publish', { params, body: { live } });
    const newest = Math.max(0, ...assistant.versions.keys());
    const isNew = assistant.versions.get(newest) !== toContent(assistant);
    const version = isNew ? assistant.lastVersion + 1 : newest;
    if (isNew) {
      assistant.versions.set(version, toContent(assistant));
      assistant.lastVersion = version;
    }
    if (live) setLive(assistant, [{ version, weight: 100 }]);
    const { data } = json;
    expectSame('the version', [data.version, data.weight], [version, getWeight(assistant, version)]);
  },
);

const change = defineCommand(
  'make versions live',
  fc.record({ pick, second: fc.option(pick), weight: fc.integer({ min: 1, max: 99 }) }),
  hasVersions,
  async (model, client, { pick, second, weight }) => {
    const { assistant, version } = pickVersion(model, pick);
    const other = second === null ? version : pickNth(new Set(assistant.versions.keys()), second);
    const shared = [
      { version, weight },
      { version: other, weight: 100 - weight },
    ];
    const versions = other === version ? [{ version, weight: 100 }] : shared;
    const params = { assistant_id: assistant.id };
    await client.call('versions/live', { params, body: { versions } });
    setLive(assistant, versions);
  },
);

const withdraw = defineCommand('make the draft live', pick, hasVersions, async (model, client, pick) => {
  const { assistant } = pickVersion(model, pick);
  await client.call('versions/live', { params: { assistant_id: assistant.id }, body: { versions: [] } });
  setLive(assistant, []);
});

const restore = defineCommand('restore a version', pick, hasVersions, async (model, client, pick) => {
  const { assistant, version } = pickVersion(model, pick);
  const params = { assistant_id: assistant.id, version: String(version) };
  const { json } = await client.call<PublicAssistant>('versions/restore', { params, body: {} });
  const content = assistant.versions.get(version) ?? '';
  if (content !== toContent(assistant)) markEdited(assistant);
  Object.assign(assistant, JSON.parse(content));
  expectAssistant(json, assistant, model.documents);
});

const remove = defineCommand('delete a version', pick, hasVersions, async (model, client, pick) => {
  const { assistant, version } = pickVersion(model, pick);
  const params = { assistant_id: assistant.id, version: String(version) };
  const isLive = getWeight(assistant, version) > 0;
  await client.call('versions/delete', { params }, isLive ? 409 : 200);
  if (!isLive) assistant.versions.delete(version);
});

const read = defineCommand('read the versions', pick, hasVersions, async (model, client, pick) => {
  const { assistant, version } = pickVersion(model, pick);
  const params = { assistant_id: assistant.id };
  const list = await client.call<{ data: { versions: ShownVersion[] } }>('versions/list', {
    params,
    query: { limit: '100' },
  });
  expectSame(
    'the versions',
    list.json.data.versions.map((one) => [one.version, one.weight]),
    [...assistant.versions.keys()].sort((a, b) => b - a).map((one) => [one, getWeight(assistant, one)]),
  );
  const one = await client.call<{ data: { assistant: PublicAssistant } }>('versions/get', {
    params: { ...params, version: String(version) },
  });
  const { name, description, voice } = one.json.data.assistant;
  expectSame(
    'the version',
    toContent({ name, description, voice: sortFields(voice) }),
    assistant.versions.get(version),
  );
});

export const versionCommands = [publish, publish, publish, change, withdraw, restore, remove, read];
