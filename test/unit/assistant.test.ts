import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  applyUpdate,
  buildAssistant,
  toAssistantResult,
  toLanguageConfig,
  toPublicAssistant,
} from '../../shared/domain/assistant.ts';
import { TooLarge } from '../../shared/errors.ts';
import { Assistant, NewAssistant } from '../../shared/schemas/assistant.ts';
import type { User } from '../../shared/user.ts';

const user: User = {
  id: 'alice',
  key: 'key',
  sub: 'alice',
  tokenType: 'jwt',
  expiresAt: '',
  scopes: [],
  workspaces: [],
  limits: [],
};
const parseContent = (more: object = {}) =>
  v.parse(NewAssistant, { name: 'Ada', system_instruction: 'Be kind.', ...more });

describe('a new assistant', () => {
  test('has a UUIDv7 as id, revision 1, and equal times of creation and update', () => {
    const assistant = buildAssistant(parseContent());
    expect(assistant.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(assistant.revision).toBe(1);
    expect(assistant.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(assistant.updated_at).toBe(assistant.created_at);
  });

  test('has an id that sorts after all earlier ones', () => {
    const ids = Array.from({ length: 2_000 }, () => buildAssistant(parseContent()).id);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('may have at most 300 KB', () => {
    const createSized = (size: number) => buildAssistant(parseContent({ llm: { note: 'x'.repeat(size) } }));
    const { attachments: _, versions: __, ...counted } = createSized(0); // attachments change concurrently and do not count
    const room = 300 * 1024 - Buffer.byteLength(JSON.stringify(counted));
    expect(createSized(room).revision).toBe(1);
    expect(() => createSized(room + 1)).toThrow(TooLarge);
  });
});

describe('a public assistant', () => {
  const assistant = buildAssistant(parseContent({ voice: { speed: 1.2 }, transport: { sip_config: { secret: 's' } } }));

  test('has exactly the fields of the response schema', () => {
    const publicAssistant = toPublicAssistant(assistant, user, []);
    expect(Object.keys(publicAssistant).toSorted()).toEqual(Object.keys(Assistant.entries).toSorted());
    expect(v.parse(Assistant, publicAssistant)).toEqual(publicAssistant);
    expect(publicAssistant).toMatchObject({
      user_id: 'alice',
      voice: { speed: 1.2, language: 'en' },
      transport: { sip_config: { secret: 's' } },
      attached_knowledge_bases: [],
    });
  });

  test('gets a new ETag only if something changes', () => {
    const { etag } = toAssistantResult(assistant, user, []);
    expect(toAssistantResult(applyUpdate(assistant, { name: 'Ada' }), user, []).etag).toBe(etag);
    expect(toAssistantResult(applyUpdate(assistant, { name: 'Eve' }), user, []).etag).not.toBe(etag);
  });
});

describe('the language configuration', () => {
  const buildConfig = (spoken: string, heard: string) =>
    toLanguageConfig(
      buildAssistant(parseContent({ voice: { language: spoken, speed: 2 }, transcriber: { language: heard } })),
    );

  test('has the languages as sent, the voice and the transcriber, and nothing else', () => {
    expect(buildConfig('en_US', 'de')).toEqual({
      voice: { language: 'en_US', tts_provider: 'cartesia', tts_model: 'default', voice_id: null },
      transcriber: { language: 'de', stt_provider: 'deepgram', stt_model: 'nova-3' },
      is_consistent: false,
    });
  });

  test('is consistent if the voice and the transcriber have the same language', () => {
    expect(buildConfig('en_US', 'en').is_consistent).toBe(true);
  });
});
