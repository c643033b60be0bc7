import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { v5 as uuidv5 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { buildPreview, toLogs } from '../../shared/domain/transcript.ts';
import type { Log } from '../../shared/schemas/log.ts';

const sessionId = '019aa2c4-0000-7000-8000-000000000000';

const readItems = (vendor: string): object[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../data/transcripts', `${vendor}.json`), 'utf8')).transcript;

/** Returns a vendor's transcript as logs, without id, index and raw item. */
const readLogs = (vendor: string, startedAt: string | null = null) =>
  toLogs(sessionId, readItems(vendor), startedAt).map(({ id, index, raw, ...log }) => log);

/** Builds an expected log. Fields that are not given are null. */
const buildMessage = (role: Log['role'], content: string | null, rest: Partial<Log> = {}) => ({
  ...{ type: 'message', role, content, timestamp: null, offset_seconds: null, interrupted: null },
  ...{ name: null, call_id: null, arguments: null, output: null, is_error: null },
  ...rest,
});

describe('the transcript of', () => {
  test('LiveKit Agents has parts, function calls, interruptions, handoffs and Unix seconds', () => {
    const toTime = (time: string, seconds: number) => ({
      timestamp: `2025-11-21T07:${time}Z`,
      offset_seconds: seconds,
    });
    const day = { name: 'find_slots', call_id: 'call_Qm2xT9' };
    expect(readLogs('livekit', '2025-11-21T07:00:00Z')).toEqual([
      buildMessage('assistant', "Hello! I'm here to help you. How can I assist you today?", {
        ...toTime('00:02.113', 2.113),
        interrupted: false,
      }),
      buildMessage('user', "Hi, uh, I'd like to move my appointment from Tuesday to, um, Thursday afternoon.", {
        ...toTime('00:09.870', 9.87),
        interrupted: false,
      }),
      buildMessage('assistant', null, {
        ...{ ...day, ...toTime('00:11.020', 11.02), type: 'function_call' },
        arguments: '{"day":"thursday","part":"afternoon"}',
      }),
      buildMessage('tool', null, {
        ...{ ...day, ...toTime('00:11.640', 11.64), type: 'function_call_output' },
        ...{ output: '["14:00","15:30"]', is_error: false },
      }),
      buildMessage('assistant', "I have two o'clock or half past three on Thursday. Which\nwould you prefer?", {
        ...toTime('00:13.400', 13.4),
        interrupted: true,
      }),
      buildMessage('user', 'Half past three.', { ...toTime('00:16.902', 16.902), interrupted: false }),
      buildMessage('other', null, { ...toTime('00:17.000', 17), type: 'event', name: 'agent_handoff' }),
      buildMessage('assistant', '', { ...toTime('01:16.400', 76.4), interrupted: true }),
    ]);
  });

  test('Retell has seconds from the start in the first word of an utterance', () => {
    expect(readLogs('retell', '2026-11-21T07:00:00.000Z')).toEqual([
      buildMessage('assistant', 'Thanks for calling Harbor Dental, this is June.', {
        ...{ timestamp: '2026-11-21T07:00:00.720Z', offset_seconds: 0.72 },
      }),
      buildMessage('user', '¿Habla español?', { timestamp: '2026-11-21T07:00:03.400Z', offset_seconds: 3.4 }),
      buildMessage('assistant', 'Sí, claro. ¿En qué puedo ayudarle?'),
    ]);
  });

  test('Vapi has roles for function calls, Unix milliseconds and seconds from the start', () => {
    const toTime = (time: string, seconds: number) => ({
      timestamp: `2025-11-21T07:00:${time}Z`,
      offset_seconds: seconds,
    });
    const hours = { name: 'opening_hours', call_id: 'call_1' };
    expect(readLogs('vapi')).toEqual([
      buildMessage('system', 'You are a concise scheduling assistant.', toTime('02.113', 0)),
      buildMessage('assistant', 'Good morning, how may I help?', toTime('03.113', 1)),
      buildMessage('user', 'Is the clinic open on Sunday?', toTime('07.400', 5.3)),
      buildMessage('assistant', '', {
        ...{ ...hours, ...toTime('09.100', 7), type: 'function_call', arguments: '{"day":"sunday"}' },
      }),
      buildMessage('tool', null, {
        ...hours,
        ...toTime('09.600', 7.5),
        type: 'function_call_output',
        output: 'closed',
      }),
      buildMessage('assistant', 'We are closed on Sundays.', toTime('10.200', 8.1)),
    ]);
  });

  test('ElevenLabs has seconds from the start, and turns that only call a tool', () => {
    expect(readLogs('elevenlabs')).toEqual([
      buildMessage('assistant', 'Hallo, hier ist die Buchhaltung.', { offset_seconds: 0 }),
      buildMessage('user', 'Guten Tag, ich habe eine Frage zu meiner Rechnung Nr. 4711.', { offset_seconds: 3 }),
      buildMessage('assistant', null, {
        ...{ type: 'function_call', name: 'lookup_invoice', call_id: 'r1', arguments: '{"number":4711}' },
        offset_seconds: 6,
      }),
      buildMessage('assistant', 'Die Rechnung ist bezahlt.', { offset_seconds: 9 }),
    ]);
  });

  test('a custom worker may have capitals, time zones and incomplete items', () => {
    expect(readLogs('plain')).toEqual([
      buildMessage('assistant', 'Hello', { timestamp: '2026-11-21T07:00:02.000Z' }),
      buildMessage('user', 'こんにちは、予約をお願いします。', { timestamp: '2026-11-20T22:00:05.250Z' }),
      buildMessage('other', 'no speaker at all'),
      buildMessage('assistant', 'かしこまりました 👍🏽'),
    ]);
  });
});

describe('a log', () => {
  test('has its raw item as sent, and the same id on every read', () => {
    const items = readItems('livekit');
    const logs = toLogs(sessionId, items, null);
    expect(logs.map(({ raw }) => raw)).toEqual(items);
    expect(logs.map(({ id, index }) => [id, index])).toEqual(items.map((_, i) => [uuidv5(String(i), sessionId), i]));
    expect(toLogs(sessionId, items, '2026-11-21T07:00:00Z').map(({ id }) => id)).toEqual(logs.map(({ id }) => id));
    expect(toLogs(sessionId.replace('a', 'b'), items, null)[0]?.id).not.toBe(logs[0]?.id);
  });
});

describe('a preview', () => {
  const logs = (...items: object[]) => toLogs(sessionId, items, null);

  test('is the first message with text, in one line', () => {
    const silent = [
      { role: 'system', text: 'Be brief.' },
      { role: 'agent', text: ' ' },
      { type: 'note', text: 'x' },
    ];
    expect(buildPreview(logs(...silent, { role: 'tool', content: '{}' }, { text: '\n Hello,\t\n you ' }))).toBe(
      'Hello, you',
    );
    expect(buildPreview(logs(...silent))).toBeNull();
    expect(buildPreview([])).toBeNull();
  });

  test("prefers the caller's first words to an earlier greeting", () => {
    const greeting = { role: 'assistant', content: 'Hello, how can I help you?' };
    expect(
      buildPreview(logs(greeting, { role: 'user', content: ' ' }, { role: 'user', content: 'A table for two' })),
    ).toBe('A table for two');
    expect(buildPreview(logs(greeting, { role: 'other', content: 'Beep' }))).toBe('Hello, how can I help you?');
  });

  test('is well-formed, as the table refuses other text', () => {
    expect(buildPreview(logs({ text: '\ud800 hello' }))).toBe('\ufffd hello');
  });

  test('has at most 140 characters, and splits none', () => {
    expect(buildPreview(logs({ text: '👍'.repeat(200) }))).toBe('👍'.repeat(140));
    expect(buildPreview(logs({ text: `a${'👍'.repeat(139)}` }))).toBe(`a${'👍'.repeat(139)}`);
    expect(buildPreview(logs({ text: `${'a'.repeat(139)} b` }))).toBe('a'.repeat(139));
  });
});
