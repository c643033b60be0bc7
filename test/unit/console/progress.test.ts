import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ApiKey, Assistant, Credential, Session } from '../../../console/src/api/types.ts';
import { neededBy } from '../../../console/src/credentials/needed.ts';
import { type Facts, progressOf, steps } from '../../../console/src/start/progress.ts';

const now = new Date('2026-11-21T12:00:00Z');
const none: Facts = { assistants: [], credentials: [], keys: [], lastCalls: [] };

const assistantWith = (id: string, fields: object = {}) =>
  ({
    id,
    voice: { tts_provider: 'cartesia' },
    llm: { llm_provider: 'OpenAI' },
    transcriber: { stt_provider: 'deepgram' },
    attached_knowledge_bases: [],
    ...fields,
  }) as unknown as Assistant;
const credential = (service_type: string, name = 'default') => ({ service_type, name }) as Credential;
const keyWith = (fields: Partial<ApiKey> = {}) =>
  ({ scopes: ['runtime', 'logs'], expires_at: null, replaced_by: null, ...fields }) as ApiKey;
const document = { attached_knowledge_bases: [{}] };

const doneOf = (facts: Partial<Facts>) => {
  const { done } = progressOf({ ...none, ...facts }, now);
  return steps.filter((step) => done[step]);
};

it('is nothing at first, and everything at last', () => {
  expect(doneOf({})).toEqual([]);
  const credentials = ['cartesia', 'openai', 'deepgram'].map((service) => credential(service));
  const lastCalls = [{} as Session];
  const all = { assistants: [assistantWith('a', document)], credentials, keys: [keyWith()], lastCalls };
  expect(doneOf(all)).toEqual(steps);
});

it('asks for each service once, however it is spelt', () => {
  const assistant = assistantWith('a', {
    voice: { tts_provider: '11labs' },
    transcriber: { stt_provider: 'elevenlabs' },
  });
  expect(neededBy(assistant, [credential('elevenlabs', 'clinic')])).toEqual([
    { service: 'elevenlabs', isThere: true },
    { service: 'openai', isThere: false },
  ]);
});

it('asks for nothing of a provider that can have no credential', () => {
  expect(
    neededBy(assistantWith('a', { voice: { tts_provider: 'our own!' } }), []).map(({ service }) => service),
  ).toEqual(['openai', 'deepgram']);
});

it.each([
  [undefined, ['default'], true],
  [undefined, ['clinic'], true],
  [undefined, ['clinic', 'other'], false],
  [undefined, ['clinic', 'default'], true],
  [undefined, [], false],
  ['clinic', ['clinic', 'other'], true],
  ['clinic', ['default'], false],
])('where an assistant names %s, of %j one is given: %s', (named, names, isThere) => {
  const assistant = assistantWith('a', { voice: { tts_provider: 'cartesia', credential: named } });
  const credentials = names.map((name) => credential('cartesia', name));
  expect(neededBy(assistant, credentials)[0]).toEqual({ service: 'cartesia', isThere });
});

it('is about the assistant that has come furthest, of equal ones the newest', () => {
  const assistants = [assistantWith('newest'), assistantWith('older', document), assistantWith('oldest', document)];
  expect(progressOf({ ...none, assistants }, now).assistant?.id).toBe('older');
  expect(doneOf({ assistants })).toEqual(['assistant', 'document']);
});

it('counts a key that lives and takes calls', () => {
  expect(doneOf({ keys: [keyWith({ scopes: ['read', 'logs'] })] })).toEqual([]);
  expect(doneOf({ keys: [keyWith({ expires_at: '2026-11-21T11:00:00Z' })] })).toEqual([]);
  expect(doneOf({ keys: [keyWith({ expires_at: '2026-11-22T11:00:00Z' })] })).toEqual(['key']);
});

it('never goes back when a credential of another service is added', () => {
  const service = fc.constantFrom('cartesia', 'openai', 'deepgram');
  fc.assert(
    fc.property(fc.array(service), fc.stringMatching(/^[a-z]{1,8}$/), (services, other) => {
      fc.pre(!['cartesia', 'openai', 'deepgram'].includes(other));
      const before = neededBy(
        assistantWith('a'),
        services.map((one) => credential(one)),
      );
      const after = neededBy(
        assistantWith('a'),
        [...services, other].map((one) => credential(one)),
      );
      expect(after).toEqual(before);
    }),
  );
});
