import fc from 'fast-check';
import { defineCommand, expectSame, isAlwaysPossible, type Model } from './model.ts';

interface PublicCredential {
  service_type: string;
  name: string;
  masked_key: string;
}

const service = fc.constantFrom('openai', 'elevenlabs', '11labs', 'Deepgram');
const name = fc.constantFrom('default', 'eu', 'a#b', 'é');
const key = fc.constantFrom('short', 'sk-0123456789', '  sk-abcdefghij\n', 'sk-👋👋👋👋👋👋👋👋👋');

const normalizeService = (service: string) => (service === '11labs' ? 'elevenlabs' : service.toLowerCase());
const getCredentials = ({ credentials }: Model, service: string) =>
  credentials.get(normalizeService(service)) ?? new Map<string, string>();

const mask = (key: string) => {
  const characters = [...key.trim()];
  return `****${characters.length > 8 ? characters.slice(-4).join('') : ''}`;
};

const upsert = defineCommand(
  'save a credential',
  fc.record({ service, key, name: fc.option(name) }),
  isAlwaysPossible,
  async (model, client, { service, key, name }) => {
    const all = getCredentials(model, service);
    const [onlyName] = all.keys();
    const expected = name ?? (all.size === 1 && onlyName !== undefined ? onlyName : 'default');
    const body = { service_type: service, api_key: key, name };
    const { json } = await client.call<{ data: PublicCredential }>('credentials/upsert', { body });
    const { service_type, name: saved, masked_key } = json.data;
    expectSame('the credential', [service_type, saved, masked_key], [normalizeService(service), expected, mask(key)]);
    model.credentials.set(normalizeService(service), all.set(expected, mask(key)));
  },
);

const remove = defineCommand(
  'delete a credential',
  fc.record({ service, name: fc.option(name) }),
  isAlwaysPossible,
  async (model, client, { service, name }) => {
    const all = getCredentials(model, service);
    const [onlyName] = all.keys();
    const found = name === null ? all.size : Number(all.has(name));
    const input = { params: { service_type: service }, ...(name !== null && { query: { name } }) };
    await client.call('credentials/delete', input, found === 0 ? 404 : found === 1 ? 200 : 409);
    if (found === 1) all.delete(name ?? onlyName ?? '');
  },
);

const list = defineCommand(
  'list the credentials',
  fc.integer({ min: 1, max: 3 }),
  isAlwaysPossible,
  async ({ credentials }, client, limit) => {
    const found: PublicCredential[] = [];
    for await (const page of client.listPages<PublicCredential[]>('credentials/list', {
      query: { limit: String(limit) },
    }))
      found.push(...page);
    const expected = [...credentials].flatMap(([service, all]) =>
      [...all].map(([name, masked]) => [service, name, masked]),
    );
    const services = found.map(({ service_type }) => service_type);
    expectSame('the order', services, services.toSorted());
    const actual = found.map(({ service_type, name, masked_key }) => [service_type, name, masked_key]);
    expectSame('the credentials', actual.map(String).sort(), expected.map(String).sort());
  },
);

export const credentialCommands = [upsert, upsert, remove, list];
