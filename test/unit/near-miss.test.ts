import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findNearMiss } from '../../shared/domain/near-miss.ts';
import { catalogue, vendorSettings } from '../../shared/openapi/vendors.ts';

const vendors = Object.keys(catalogue.llm);

it.each([
  ['opnai', 'openai'], // one missing
  ['openaii', 'openai'], // one extra
  ['opemai', 'openai'], // one replaced
  ['oepnai', 'openai'], // two swapped
  ['OpnAI ', 'openai'],
  ['antropik', 'anthropic'],
  ['mistral', 'mistralai'],
])('takes %j for a typo of %j', (typed, meant) => {
  expect(findNearMiss(typed, vendors)).toBe(meant);
});

it.each(['openai', 'OpenAI', 'a-vendor-of-tomorrow', 'azure', 'cerebras', 'ollama', 'x', '', 'xy'])(
  'takes %j for no typo',
  (typed) => {
    expect(findNearMiss(typed, vendors)).toBeUndefined();
  },
);

it('prefers the nearest name', () => {
  expect(findNearMiss('spede', vendorSettings.voice)).toBe('speed');
  expect(findNearMiss('keytermss', ['keyterm', 'keyterms'])).toBe('keyterms');
});

it('never takes a known name for a typo of another', () => {
  for (const names of [...Object.values(catalogue).map(Object.keys), ...Object.values(vendorSettings)]) {
    for (const name of names) expect(findNearMiss(name, names)).toBeUndefined();
  }
});

it('finds a long name after any single edit', () => {
  fc.assert(
    fc.property(fc.nat(8), fc.constantFrom('', 'x', '_'), (at, inserted) => {
      const typed = `${'anthropic'.slice(0, at)}${inserted}${'anthropic'.slice(at + 1)}`;
      expect(findNearMiss(typed, vendors)).toBe('anthropic');
    }),
  );
});
