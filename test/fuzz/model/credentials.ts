import fc from 'fast-check';
import { always, command, type Model, same } from './model.ts';

interface Shown {
  service_type: string;
  name: string;
  masked_key: string;
}

const service = fc.constantFrom('openai', 'elevenlabs', '11labs', 'Deepgram');
const name = fc.constantFrom('default', 'eu', 'a#b', 'é');
const key = fc.constantFrom('short', 'sk-0123456789', '  sk-abcdefghij\n', 'sk-👋👋👋👋👋👋👋👋👋');

const kept = (service: string) => (service === '11labs' ? 'elevenlabs' : service.toLowerCase());
const named = ({ credentials }: Model, service: string) => credentials.get(kept(service)) ?? new Map<string, string>();

const mask = (key: string) => {
  const characters = [...key.trim()];
  return `****${characters.length > 8 ? characters.slice(-4).join('') : ''}`;
};

const upsert = command(
  'save a credential',
  fc.record({ service, key, name: fc.option(name) }),
  always,
  async (model, client, { service, key, name }) => {
    const all = named(model, service);
    const [only] = all.keys();
    const expected = name ?? (all.size === 1 && only !== undefined ? only : 'default');
    const body = { service_type: service, api_key: key, name };
    const { json } = await client.call<{ data: Shown }>('credentials/upsert', { body });
    const { service_type, name: saved, masked_key } = json.data;
    same('the credential', [service_type, saved, masked_key], [kept(service), expected, mask(key)]);
    model.credentials.set(kept(service), all.set(expected, mask(key)));
  },
);

const remove = command(
  'delete a credential',
  fc.record({ service, name: fc.option(name) }),
  always,
  async (model, client, { service, name }) => {
    const all = named(model, service);
    const [only] = all.keys();
    const found = name === null ? all.size : Number(all.has(name));
    const call = { params: { service_type: service }, ...(name !== null && { query: { name } }) };
    await client.call('credentials/delete', call, found === 0 ? 404 : found === 1 ? 200 : 409);
    if (found === 1) all.delete(name ?? only ?? '');
  },
);

const list = command(
  'list the credentials',
  fc.integer({ min: 1, max: 3 }),
  always,
  async ({ credentials }, client, limit) => {
    const found: Shown[] = [];
    for await (const page of client.pages<Shown[]>('credentials/list', { query: { limit: String(limit) } }))
      found.push(...page);
    const expected = [...credentials].flatMap(([service, all]) =>
      [...all].map(([name, masked]) => [service, name, masked]),
    );
    const services = found.map(({ service_type }) => service_type);
    same('the order', services, services.toSorted());
    const told = found.map(({ service_type, name, masked_key }) => [service_type, name, masked_key]);
    same('the credentials', told.map(String).sort(), expected.map(String).sort());
  },
);

export const credentialCommands = [upsert, upsert, remove, list];
