import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Log } from '../../../console/src/api/types.ts';
import { plainText } from '../../../console/src/calls/transcript/plain-text.ts';
import { turnsOf } from '../../../console/src/calls/transcript/turns.ts';
import { shownLogs } from '../../../shared/domain/transcript.ts';

const turnsIn = (transcript: object[]) =>
  turnsOf(shownLogs('01a1ffb5-32ba-7528-bc64-139a946a54bb', transcript, null) as Log[]);
const sample = (name: string) => JSON.parse(readFileSync(`test/data/transcripts/${name}.json`, 'utf8')).transcript;

it('writes a line for each turn, with its time, its speaker and what was said', () => {
  expect(plainText(turnsIn(sample('livekit'))).split('\n')).toEqual([
    "0:00 Assistant: Hello! I'm here to help you. How can I assist you today?",
    "0:07 Caller: Hi, uh, I'd like to move my appointment from Tuesday to, um, Thursday afternoon.",
    '0:08 Called find_slots {"day":"thursday","part":"afternoon"} took 0.6 s → ["14:00","15:30"]',
    "0:11 Assistant: I have two o'clock or half past three on Thursday. Which would you prefer?",
    '0:14 Caller: Half past three.',
    '0:14 Event: agent_handoff',
    '1:14 Assistant: Nothing was said',
  ]);
});

it('leaves out a time that nobody knows, and says where nothing was said', () => {
  const said = [
    { role: 'user', content: 'Hello,\n\nwho is it?' },
    { role: 'assistant', content: ' ' },
  ];
  expect(plainText(turnsIn(said))).toBe('Caller: Hello, who is it?\nAssistant: Nothing was said');
});

it('has so many lines as there are turns, whatever was said', () => {
  const item = fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.string({ unit: 'grapheme' }) });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1 }), (items) => {
      const turns = turnsIn(items);
      expect(plainText(turns).split('\n')).toHaveLength(turns.length);
    }),
  );
});
