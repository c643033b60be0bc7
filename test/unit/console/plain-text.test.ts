import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Log } from '../../../console/src/api/types.ts';
import { toPlainText } from '../../../console/src/calls/transcript/plain-text.ts';
import { buildTurns } from '../../../console/src/calls/transcript/turns.ts';
import { toLogs } from '../../../shared/domain/transcript.ts';

const toTurns = (transcript: object[]) =>
  buildTurns(toLogs('01a1ffb5-32ba-7528-bc64-139a946a54bb', transcript, null) as Log[]);
const readTranscript = (name: string) =>
  JSON.parse(readFileSync(`test/data/transcripts/${name}.json`, 'utf8')).transcript;

test('formats each turn as a line with its time, speaker and text', () => {
  expect(toPlainText(toTurns(readTranscript('livekit'))).split('\n')).toEqual([
    "0:00 Assistant: Hello! I'm here to help you. How can I assist you today?",
    "0:07 Caller: Hi, uh, I'd like to move my appointment from Tuesday to, um, Thursday afternoon.",
    '0:08 Called find_slots {"day":"thursday","part":"afternoon"} took 0.6 s → ["14:00","15:30"]',
    "0:11 Assistant: I have two o'clock or half past three on Thursday. Which would you prefer?",
    '0:14 Caller: Half past three.',
    '0:14 Event: agent_handoff',
    '1:14 Assistant: Nothing was said',
  ]);
});

test('omits an unknown time, and says when nothing was said', () => {
  const said = [
    { role: 'user', content: 'Hello,\n\nwho is it?' },
    { role: 'assistant', content: ' ' },
  ];
  expect(toPlainText(toTurns(said))).toBe('Caller: Hello, who is it?\nAssistant: Nothing was said');
});

test('has as many lines as there are turns, for any text', () => {
  const item = fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.string({ unit: 'grapheme' }) });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1 }), (items) => {
      const turns = toTurns(items);
      expect(toPlainText(turns).split('\n')).toHaveLength(turns.length);
    }),
  );
});
