import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findReplaced, knownServices, listUses, toStoredService } from '../../../console/src/credentials/services.ts';

const credential = (service_type: string, name: string) => ({
  id: '01a1fe51-bf78-71ad-a910-da0072d244bc',
  service_type,
  name,
  masked_key: '****0001',
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
});

test('suggests each service once, sorted', () => {
  expect(knownServices).toEqual([...new Set(knownServices)].toSorted());
  expect(knownServices).toContain('deepgram');
});

test('knows the uses of each service', () => {
  expect(listUses('deepgram')).toEqual(['tts', 'stt']);
  expect(knownServices.every((service) => listUses(service).length > 0)).toBe(true);
  fc.assert(fc.property(fc.string(), (text) => knownServices.includes(text) === listUses(text).length > 0));
  expect(listUses('constructor')).toEqual([]);
});

test('normalizes names like the API', () => {
  expect(toStoredService(' 11Labs ')).toBe('elevenlabs');
  expect(toStoredService('Cartesia')).toBe('cartesia');
});

test('finds the credential that would be replaced', () => {
  const all = [credential('elevenlabs', 'default'), credential('elevenlabs', 'clinic')];
  expect(findReplaced(all, '11labs', ' clinic ')).toBe(all[1]);
  expect(findReplaced(all, 'ElevenLabs', 'default')).toBe(all[0]);
  expect(findReplaced(all, 'elevenlabs', 'Clinic')).toBeUndefined();
  expect(findReplaced(all, 'openai', 'default')).toBeUndefined();
});
