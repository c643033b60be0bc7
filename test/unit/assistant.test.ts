import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { answerWith, languageConfig, newAssistant, shown, updated } from '../../shared/domain/assistant.ts';
import { TooLarge } from '../../shared/errors.ts';
import { Assistant, NewAssistant } from '../../shared/schemas/assistant.ts';
import type { User } from '../../shared/user.ts';

const user: User = { id: 'alice', key: 'key', tokenType: 'jwt', expiresAt: '', scopes: [] };
const content = (more: object = {}) => v.parse(NewAssistant, { name: 'Ada', system_instruction: 'Be kind.', ...more });

describe('a new assistant', () => {
  test('has an id of ours, a UUIDv7, revision 1, and was last updated when it was created', () => {
    const assistant = newAssistant(content());
    expect(assistant.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(assistant.revision).toBe(1);
    expect(assistant.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(assistant.updated_at).toBe(assistant.created_at);
  });

  test('sorts behind all that were made before it', () => {
    const ids = Array.from({ length: 2_000 }, () => newAssistant(content()).id);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is too large beyond 300 KB in all', () => {
    const of = (size: number) => newAssistant(content({ llm: { note: 'x'.repeat(size) } }));
    const { attachments: _, ...counted } = of(0); // others attach meanwhile: they are no part of it
    const room = 300 * 1024 - Buffer.byteLength(JSON.stringify(counted));
    expect(of(room).revision).toBe(1);
    expect(() => of(room + 1)).toThrow(TooLarge);
  });
});

describe('an assistant as shown', () => {
  const assistant = newAssistant(content({ voice: { speed: 1.2 }, transport: { sip_config: { secret: 's' } } }));

  test('has exactly the fields of the interface, and is what the schema of the response says', () => {
    const read = shown(assistant, user, []);
    expect(Object.keys(read).toSorted()).toEqual(Object.keys(Assistant.entries).toSorted());
    expect(v.parse(Assistant, read)).toEqual(read);
    expect(read).toMatchObject({
      user_id: 'alice',
      voice: { speed: 1.2, language: 'en' },
      transport: { sip_config: { secret: 's' } },
      attached_knowledge_bases: [],
    });
  });

  test('gets another entity tag by an edit, and the same one without', () => {
    const { etag } = answerWith(assistant, user, []);
    expect(answerWith(updated(assistant, { name: 'Ada' }), user, []).etag).toBe(etag);
    expect(answerWith(updated(assistant, { name: 'Eve' }), user, []).etag).not.toBe(etag);
  });
});

describe('the language configuration', () => {
  const of = (spoken: string, heard: string) =>
    languageConfig(newAssistant(content({ voice: { language: spoken, speed: 2 }, transcriber: { language: heard } })));

  test('names the languages as sent and what speaks and hears them, and nothing else', () => {
    expect(of('en_US', 'de')).toEqual({
      voice: { language: 'en_US', tts_provider: 'cartesia', tts_model: 'default', voice_id: null },
      transcriber: { language: 'de', stt_provider: 'deepgram', stt_model: 'nova-3' },
      is_consistent: false,
    });
  });

  test('is consistent when the assistant hears what it speaks', () => {
    expect(of('en_US', 'en').is_consistent).toBe(true);
  });
});
