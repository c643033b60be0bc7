import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { AssistantUpdate, defaultSettings, NewAssistant, readOnlyFields } from '../../shared/schemas/assistant.ts';

const required = { name: 'Ada', system_instruction: 'Be kind.' };
const settingsNames = ['voice', 'llm', 'transcriber', 'knowledge_base', 'transport'];

/** Returns the path and type of each fault in a body, in the order of the schema. */
function listFaults(schema: v.GenericSchema, body: unknown): string[] {
  const { issues = [] } = v.safeParse(schema, body, { abortPipeEarly: true });
  return issues.map((issue) => `${v.getDotPath(issue) ?? 'body'} ${issue.type}`);
}

const listCreateFaults = (more: object) => listFaults(NewAssistant, { ...required, ...more });
const listUpdateFaults = (body: unknown) => listFaults(AssistantUpdate, body);

describe('an assistant with only the required fields', () => {
  test('gets every default', () => {
    expect(v.parse(NewAssistant, required)).toEqual({
      ...required,
      description: null,
      first_message: "Hello! I'm here to help you. How can I assist you today?",
      voice: { voice_id: null, tts_provider: 'cartesia', tts_model: 'default', language: 'en' },
      llm: { llm_provider: 'openai', model: 'gpt-4.1-mini' },
      transcriber: { stt_provider: 'deepgram', stt_model: 'nova-3', language: 'en' },
      knowledge_base: { vectorstore_index: null, vectorstore_namespace: null },
      transport: { sip_config: {} },
      variables: null,
      timezone: 'UTC',
      tools: [],
      mcp_servers: [],
    });
  });

  test('gets the default settings, like one that sends empty settings', () => {
    const empty = Object.fromEntries(settingsNames.map((name) => [name, {}]));
    expect(v.parse(NewAssistant, { ...required, ...empty })).toEqual(v.parse(NewAssistant, required));
    expect(v.parse(NewAssistant, required)).toMatchObject(defaultSettings);
  });

  test('is rejected for each required field that is missing or null', () => {
    expect(listFaults(NewAssistant, {})).toEqual(['name object', 'system_instruction object']);
    expect(listCreateFaults({ name: null, system_instruction: null })).toEqual([
      'name string',
      'system_instruction string',
    ]);
  });
});

describe('a create body', () => {
  test('accepts null for description and first_message', () => {
    const body = { ...required, description: null, first_message: null };
    expect(v.parse(NewAssistant, body)).toMatchObject(body);
  });

  test.each(settingsNames)('rejects null for %s', (name) => {
    expect(listCreateFaults({ [name]: null })).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
  });

  test('keeps keys that are specific to a vendor as sent, and fills in defaults', () => {
    const voice = { speed: 1.05, emotion: ['calm', { level: null }], language: 'cmn-Hans-CN' };
    expect(v.parse(NewAssistant, { ...required, voice }).voice).toEqual({
      ...voice,
      voice_id: null,
      tts_provider: 'cartesia',
      tts_model: 'default',
    });
  });

  test('drops unknown keys and read-only fields at the top level', () => {
    const { typo, ...readOnly } = { typo: 1, ...Object.fromEntries(readOnlyFields.map((name) => [name, 'x'])) };
    expect(v.parse(NewAssistant, { ...required, ...readOnly, typo })).toEqual(v.parse(NewAssistant, required));
  });

  test('reports all faults together', () => {
    const body = { name: '', description: 1, voice: { language: 'not a code', tts_model: ' ' }, llm: [] };
    expect(listFaults(NewAssistant, body)).toEqual([
      'name string_blank',
      'system_instruction object',
      'description string',
      'voice.tts_model string_blank',
      'voice.language language_code',
      'llm loose_object',
    ]);
  });

  test('counts characters as code points', () => {
    expect(listCreateFaults({ name: '😀'.repeat(200) })).toEqual([]);
    expect(listCreateFaults({ name: '😀'.repeat(201) })).toEqual(['name string_too_long']);
  });

  test.each([
    ['name', 200],
    ['system_instruction', 100_000],
    ['description', 2_000],
    ['first_message', 10_000],
  ])('bounds %s at %i characters', (field, max) => {
    expect(listCreateFaults({ [field]: 'x'.repeat(max) })).toEqual([]);
    expect(listCreateFaults({ [field]: 'x'.repeat(max + 1) })).toEqual([`${field} string_too_long`]);
  });

  test('bounds system_instruction at 200 KB too, and requires at least one character', () => {
    expect(listCreateFaults({ system_instruction: '語'.repeat(68_266) })).toEqual([]);
    expect(listCreateFaults({ system_instruction: '語'.repeat(68_267) })).toEqual([
      'system_instruction bytes_too_long',
    ]);
    expect(listCreateFaults({ system_instruction: '' })).toEqual(['system_instruction string_too_short']);
  });

  test('accepts any vendor and model of 1 to 128 characters that is not blank', () => {
    for (const [name, key] of [
      ['voice', 'tts_provider'],
      ['voice', 'tts_model'],
      ['llm', 'llm_provider'],
      ['llm', 'model'],
      ['transcriber', 'stt_provider'],
      ['transcriber', 'stt_model'],
    ] as const) {
      expect(listCreateFaults({ [name]: { [key]: 'm'.repeat(128) } })).toEqual([]);
      expect(listCreateFaults({ [name]: { [key]: 'm'.repeat(129) } })).toEqual([`${name}.${key} string_too_long`]);
      for (const blank of ['', ' \t\n']) {
        expect(listCreateFaults({ [name]: { [key]: blank } })).toEqual([`${name}.${key} string_blank`]);
      }
    }
  });

  test('accepts any object of at most 16 KB as sip_config', () => {
    const sip_config = { deep: { list: [1, null, 'x'] }, secret: 's' };
    expect(v.parse(NewAssistant, { ...required, transport: { sip_config } }).transport).toEqual({ sip_config });
    const buildTransport = (size: number) => ({ transport: { sip_config: { a: 'x'.repeat(size - 8) } } });
    expect(listCreateFaults(buildTransport(16_384))).toEqual([]);
    expect(listCreateFaults(buildTransport(16_385))).toEqual(['transport.sip_config bytes_too_long']);
  });
});

describe('an array instead of an object is rejected', () => {
  test('as the body', () => {
    expect(listFaults(NewAssistant, [])).toEqual(['body object']);
    expect(listUpdateFaults([])).toEqual(['body object']);
  });

  test.each(settingsNames)('as %s', (name) => {
    for (const array of [[], [{}]]) {
      expect(listCreateFaults({ [name]: array })).toEqual([`${name} loose_object`]);
      expect(listUpdateFaults({ [name]: array })).toEqual([`${name} loose_object`]);
    }
  });

  test('as sip_config', () => {
    expect(listCreateFaults({ transport: { sip_config: [] } })).toEqual(['transport.sip_config loose_object']);
    expect(listUpdateFaults({ transport: { sip_config: [] } })).toEqual(['transport.sip_config loose_object']);
  });
});

describe('an update body', () => {
  test('may be empty, and gets no defaults', () => {
    expect(v.parse(AssistantUpdate, {})).toEqual({});
    expect(v.parse(AssistantUpdate, { voice: { speed: 1 } })).toEqual({ voice: { speed: 1 } });
  });

  test('accepts null for every text and every setting, and keeps it', () => {
    const body = {
      name: null,
      system_instruction: null,
      description: null,
      first_message: null,
      ...Object.fromEntries(
        Object.entries(defaultSettings).map(([name, standard]) => [
          name,
          { ...Object.fromEntries(Object.keys(standard).map((key) => [key, null])), speed: null },
        ]),
      ),
    };
    expect(v.parse(AssistantUpdate, body)).toEqual(body);
  });

  test.each(settingsNames)('rejects null for %s itself', (name) => {
    expect(listUpdateFaults({ [name]: null })).toHaveLength(1);
  });

  test('has the same limits as a create body', () => {
    expect(
      listUpdateFaults({
        name: ' ',
        description: 'x'.repeat(2_001),
        first_message: 1,
        voice: { language: 'e n' },
        transport: { sip_config: { a: 'x'.repeat(16_384) } },
      }),
    ).toEqual([
      'name string_blank',
      'description string_too_long',
      'first_message string',
      'voice.language language_code',
      'transport.sip_config bytes_too_long',
    ]);
  });
});
