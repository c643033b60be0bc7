import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keptService, knownServices, replacedBy, usesOf } from '../../../console/src/credentials/services.ts';

const credential = (service_type: string, name: string) => ({
  id: '01a1fe51-bf78-71ad-a910-da0072d244bc',
  service_type,
  name,
  masked_key: '****0001',
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
});

it('suggests each service once, in order', () => {
  expect(knownServices).toEqual([...new Set(knownServices)].toSorted());
  expect(knownServices).toContain('deepgram');
});

it('knows what each is for', () => {
  expect(usesOf('deepgram')).toEqual(['tts', 'stt']);
  expect(knownServices.every((service) => usesOf(service).length > 0)).toBe(true);
  fc.assert(fc.property(fc.string(), (text) => knownServices.includes(text) === usesOf(text).length > 0));
  expect(usesOf('constructor')).toEqual([]);
});

it('calls a service as the API does', () => {
  expect(keptService(' 11Labs ')).toBe('elevenlabs');
  expect(keptService('Cartesia')).toBe('cartesia');
});

it('finds what would be replaced', () => {
  const all = [credential('elevenlabs', 'default'), credential('elevenlabs', 'clinic')];
  expect(replacedBy(all, '11labs', ' clinic ')).toBe(all[1]);
  expect(replacedBy(all, 'ElevenLabs', 'default')).toBe(all[0]);
  expect(replacedBy(all, 'elevenlabs', 'Clinic')).toBeUndefined();
  expect(replacedBy(all, 'openai', 'default')).toBeUndefined();
});
