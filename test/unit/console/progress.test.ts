import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApiKey, Assistant, Credential, Session } from '../../../console/src/api/types.ts';
import { listNeededServices } from '../../../console/src/credentials/needed-services.ts';
import { getProgress, steps, type UserData } from '../../../console/src/start/progress.ts';

const now = new Date('2026-11-21T12:00:00Z');
const none: UserData = { assistants: [], credentials: [], keys: [], lastCalls: [] };

const buildAssistant = (id: string, fields: object = {}) =>
  ({
    id,
    voice: { tts_provider: 'cartesia' },
    llm: { llm_provider: 'OpenAI' },
    transcriber: { stt_provider: 'deepgram' },
    attached_knowledge_bases: [],
    ...fields,
  }) as unknown as Assistant;
const buildCredential = (service_type: string, name = 'default') => ({ service_type, name }) as Credential;
const buildKey = (fields: Partial<ApiKey> = {}) =>
  ({ scopes: ['runtime', 'logs'], expires_at: null, replaced_by: null, ...fields }) as ApiKey;
const document = { attached_knowledge_bases: [{}] };

const listDoneSteps = (facts: Partial<UserData>) => {
  const { done } = getProgress({ ...none, ...facts }, now);
  return steps.filter((step) => done[step]);
};

test('starts with no step done, and ends with all', () => {
  expect(listDoneSteps({})).toEqual([]);
  const credentials = ['cartesia', 'openai', 'deepgram'].map((service) => buildCredential(service));
  const lastCalls = [{} as Session];
  const all = { assistants: [buildAssistant('a', document)], credentials, keys: [buildKey()], lastCalls };
  expect(listDoneSteps(all)).toEqual(steps);
});

test('lists each service once, in any spelling', () => {
  const assistant = buildAssistant('a', {
    voice: { tts_provider: '11labs' },
    transcriber: { stt_provider: 'elevenlabs' },
  });
  expect(listNeededServices(assistant, [buildCredential('elevenlabs', 'clinic')])).toEqual([
    { service: 'elevenlabs', isSaved: true },
    { service: 'openai', isSaved: false },
  ]);
});

test('lists no service for a provider that needs no credential', () => {
  expect(
    listNeededServices(buildAssistant('a', { voice: { tts_provider: 'our own!' } }), []).map(({ service }) => service),
  ).toEqual(['openai', 'deepgram']);
});

test.each([
  [undefined, ['default'], true],
  [undefined, ['clinic'], true],
  [undefined, ['clinic', 'other'], false],
  [undefined, ['clinic', 'default'], true],
  [undefined, [], false],
  ['clinic', ['clinic', 'other'], true],
  ['clinic', ['default'], false],
])('resolves credential %s among %j: %s', (named, names, isSaved) => {
  const assistant = buildAssistant('a', { voice: { tts_provider: 'cartesia', credential: named } });
  const credentials = names.map((name) => buildCredential('cartesia', name));
  expect(listNeededServices(assistant, credentials)[0]).toEqual({ service: 'cartesia', isSaved });
});

test('follows the assistant with the most progress, or the newest of equals', () => {
  const assistants = [buildAssistant('newest'), buildAssistant('older', document), buildAssistant('oldest', document)];
  expect(getProgress({ ...none, assistants }, now).assistant?.id).toBe('older');
  expect(listDoneSteps({ assistants })).toEqual(['assistant', 'document']);
});

test('counts only unexpired keys that may take calls', () => {
  expect(listDoneSteps({ keys: [buildKey({ scopes: ['read', 'logs'] })] })).toEqual([]);
  expect(listDoneSteps({ keys: [buildKey({ expires_at: '2026-11-21T11:00:00Z' })] })).toEqual([]);
  expect(listDoneSteps({ keys: [buildKey({ expires_at: '2026-11-22T11:00:00Z' })] })).toEqual(['key']);
});

test('does not change when a credential of another service is added', () => {
  const service = fc.constantFrom('cartesia', 'openai', 'deepgram');
  fc.assert(
    fc.property(fc.array(service), fc.stringMatching(/^[a-z]{1,8}$/), (services, other) => {
      fc.pre(!['cartesia', 'openai', 'deepgram'].includes(other));
      const before = listNeededServices(
        buildAssistant('a'),
        services.map((one) => buildCredential(one)),
      );
      const after = listNeededServices(
        buildAssistant('a'),
        [...services, other].map((one) => buildCredential(one)),
      );
      expect(after).toEqual(before);
    }),
  );
});
