import { describe, expect, test } from 'vitest';
import { toLogs } from '../../shared/domain/transcript.ts';
import type { Log } from '../../shared/schemas/log.ts';

const sessionId = '019aa2c4-0000-7000-8000-000000000000';
const toLog = (item: object) => toLogs(sessionId, [item], null)[0];

describe('the role of an item', () => {
  const words: Record<string, string[]> = {
    assistant: ['assistant', 'agent', 'bot', 'ai', 'model', 'Agent', 'BOT', ' ai '],
    user: ['user', 'human', 'caller', 'customer', 'User', 'CALLER'],
    system: ['system', 'developer'],
    other: ['narrator', '', 'toString', 'constructor', '__proto__', '+15550142'],
  };
  const cases = Object.entries(words).flatMap(([role, sent]) => sent.map((word) => [word, role] as const));

  test.each(cases)('for %j is %s, in every field', (word, role) => {
    for (const key of ['role', 'speaker', 'from']) {
      expect(toLog({ [key]: word, text: 'Hi' })).toMatchObject({ type: 'message', role });
    }
  });

  test('comes from the first field with a known speaker', () => {
    expect(toLog({ role: null, speaker: 7, from: 'caller', text: 'Hi' })?.role).toBe('user');
    expect(toLog({ role: 'participant', speaker: 'agent', text: 'Hi' })?.role).toBe('assistant');
  });
});

describe('the content of an item', () => {
  test.each<[unknown, string | null]>([
    ['Hi', 'Hi'],
    ['', ''],
    [null, null],
    [undefined, null],
    [[], null],
    [[''], ''],
    [['one', 'two'], 'one\ntwo'],
    [[{ type: 'text', text: 'one' }, { type: 'image', image: 'x' }, null, 'two'], 'one\ntwo'],
    [[{ type: 'image', image: 'x' }], null],
    [[{ type: 'input_audio', transcript: 'spoken' }], 'spoken'],
    [[{ type: 'text', text: { value: 'nested' } }], 'nested'],
    [{ role: 'user', content: ['in an object'] }, 'in an object'],
    [0, '0'],
    [[1, true, 2.5], '1\ntrue\n2.5'],
    [[[[[[[[[['too deep']]]]]]]]], null],
  ])('from %j is %j, in every field', (sent, content) => {
    for (const key of ['content', 'message', 'text', 'transcript', 'value']) {
      expect(toLog({ role: 'user', [key]: sent })).toMatchObject({ type: 'message', role: 'user', content });
    }
  });

  test('is the first text that is not empty', () => {
    expect(toLog({ content: [], message: null, text: '', transcript: 'Hi', value: 'Ho' })?.content).toBe('Hi');
    expect(toLog({ content: null, text: '' })?.content).toBe('');
  });
});

describe('a function call', () => {
  const call = { type: 'function_call', role: 'assistant', name: 'hours', call_id: 'c1', arguments: '{"day":1}' };
  const nested = { id: 'c1', type: 'function', function: { name: 'hours', arguments: '{"day":1}' } };
  const tool = { tool_name: 'hours', request_id: 'c1', type: 'webhook', params_as_json: '{"day":1}' };

  test.each<[string, object]>([
    ['LiveKit', { type: 'function_call', call_id: 'c1', name: 'hours', arguments: '{"day":1}' }],
    ['LiveKit’s JavaScript', { type: 'function_call', callId: 'c1', name: 'hours', args: '{"day":1}' }],
    ['Retell', { ...call, role: 'tool_call_invocation', type: 'custom', call_id: undefined, tool_call_id: 'c1' }],
    ['Vapi', { role: 'tool_calls', toolCalls: [nested, { id: 'c2' }], message: '' }],
    ['OpenAI', { role: 'assistant', content: null, tool_calls: [nested] }],
    ['ElevenLabs', { role: 'agent', message: null, tool_calls: [tool], tool_results: [] }],
  ])('is parsed from %s', (_, item) => {
    expect(toLog(item)).toMatchObject({ ...call, output: null, is_error: null, raw: item });
  });

  test('is part of a message if the turn says something', () => {
    const results = [{ request_id: 'c1', tool_name: 'hours', result_value: 'closed', is_error: true }];
    expect(toLog({ role: 'agent', message: 'A moment.', tool_calls: [tool], tool_results: results })).toMatchObject({
      ...{ ...call, type: 'message', content: 'A moment.', output: 'closed', is_error: true },
    });
  });

  test.each<[string, object, Partial<Log>]>([
    [
      'LiveKit',
      { type: 'function_call_output', call_id: 'c1', output: '', is_error: true },
      { output: '', is_error: true },
    ],
    [
      'Retell',
      { role: 'tool_call_result', tool_call_id: 'c1', content: 'no', successful: false },
      { output: 'no', is_error: true },
    ],
    ['Vapi', { role: 'tool_call_result', toolCallId: 'c1', result: { open: false } }, { output: { open: false } }],
    ['OpenAI', { role: 'tool', tool_call_id: 'c1', content: 'closed' }, { output: 'closed', content: 'closed' }],
    [
      'ElevenLabs',
      { role: 'agent', tool_results: [{ request_id: 'c1', result_value: 'closed' }] },
      { output: 'closed' },
    ],
  ])('has an output: %s', (_, item, expected) => {
    expect(toLog(item)).toMatchObject({
      type: 'function_call_output',
      role: 'tool',
      call_id: 'c1',
      arguments: null,
      ...expected,
    });
  });

  test('is parsed as far as possible if its fields have the wrong types', () => {
    const odd = { type: 'function_call', name: {}, call_id: 7, arguments: { day: 1 }, interrupted: 'no', is_error: 1 };
    expect(toLog(odd)).toMatchObject({
      ...{ name: null, call_id: '7', arguments: { day: 1 }, interrupted: null, is_error: null },
    });
    expect(toLog({ role: 'tool_calls', toolCalls: 'none' })).toMatchObject({ name: null, arguments: null });
  });
});

describe('an event', () => {
  test.each<[object, string | null]>([
    [{ type: 'agent_handoff', new_agent_id: 'booking' }, 'agent_handoff'],
    [{ type: 'agent_config_update', instructions: 'Be brief.' }, 'agent_config_update'],
    [{ type: 'note', text: 'by nobody' }, 'note'],
    [{ role: 'node_transition', time_sec: 4 }, 'node_transition'],
    [{ role: 'dtmf', digit: '5' }, 'dtmf'],
    [{}, null],
  ])('is an item without a speaker: %j', (item, name) => {
    expect(toLog(item)).toMatchObject({ type: 'event', role: 'other', name });
  });

  test('is not a spoken message with a type that is specific to a vendor', () => {
    const item = { type: 'transcript', role: 'user', transcriptType: 'final', transcript: 'Hi' };
    expect(toLog(item)).toMatchObject({ type: 'message', role: 'user', content: 'Hi', name: null });
  });
});
