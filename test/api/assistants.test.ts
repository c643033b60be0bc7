import { describe, expect, it } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createOtherUser, createUser, deployed, listFaults } from '../support/api.ts';
import { createAssistant, minimal } from '../support/assistants.ts';

const user = await createUser();
const other = await createOtherUser();

/** Every field that a client can set, with settings that only vendors know. */
const full = {
  name: 'Empfang 🦷',
  system_instruction: 'Du nimmst Anrufe einer Zahnarztpraxis entgegen.\nSei kurz.',
  description: 'Nimmt Termine an',
  first_message: 'Praxis Dr. Weiß, guten Tag!',
  voice: { voice_id: 'v-1', tts_provider: 'elevenlabs', tts_model: 'eleven_v3', language: 'de-DE', speed: 1.1 },
  llm: { llm_provider: 'anthropic', model: 'claude-sonnet-4-5', temperature: 0.2, tools: [{ name: 'book' }] },
  transcriber: { stt_provider: 'deepgram', stt_model: 'nova-3', language: 'multi', endpointing: { ms: 300 } },
  knowledge_base: { vectorstore_index: 'clinic', vectorstore_namespace: 'faq' },
  transport: { sip_config: { trunk: { numbers: ['+49301234'] } }, room_prefix: 'call-' },
};

describe('creating an assistant', () => {
  it('stores it, fills in defaults and returns its location', async () => {
    const { status, body, headers } = await createAssistant(user);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...minimal,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      user_id: deployed ? expect.any(String) : user.sub,
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
      live: null,
      has_unpublished_changes: false,
      attached_knowledge_bases: [],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    });
    expect(headers.get('location')).toMatch(new RegExp(`/assistants/${body.id}$`));
    expect((await user.get(`/assistants/${body.id}`)).body).toEqual(body);
  });

  it("stores every field, including vendors' own settings", async () => {
    const { body } = await createAssistant(user, full);
    expect(body).toMatchObject(full);
    expect((await user.get(`/assistants/${body.id}/`)).body).toEqual(body);
  });

  it('accepts null for description and first_message', async () => {
    const { body } = await createAssistant(user, { description: null, first_message: null });
    expect(body).toMatchObject({ description: null, first_message: null });
  });

  it('accepts the response of a GET as a body, and reports no ignored fields', async () => {
    const { body: first } = await createAssistant(user, full);
    const { body: copy, headers } = await createAssistant(user, first);
    expect(copy).toMatchObject(full);
    expect(copy.id).not.toBe(first.id);
    expect(headers.get('x-ignored-fields')).toBeNull();
  });
});

describe('updating an assistant', () => {
  it('changes only the fields in the body', async () => {
    const { body: before } = await createAssistant(user, full);
    const { status, body } = await user.put<Assistant>(`/assistants/${before.id}`, {
      name: 'Reception',
      voice: { language: 'en', speed: null, tts_model: null, pitch: 2 },
      transport: { sip_config: { trunk: 'b' } },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      name: 'Reception',
      voice: { voice_id: 'v-1', tts_provider: 'elevenlabs', tts_model: 'default', language: 'en', pitch: 2 },
      transport: { sip_config: { trunk: 'b' }, room_prefix: 'call-' },
      updated_at: expect.any(String),
    });
    expect((await user.get(`/assistants/${before.id}`)).body).toEqual(body);
  });

  it('clears description and first_message with null, and keeps name and system_instruction', async () => {
    const { body: before } = await createAssistant(user, full);
    const nulls = { name: null, system_instruction: null, description: null, first_message: null };
    const { body } = await user.put<Assistant>(`/assistants/${before.id}`, nulls);
    expect(body).toEqual({ ...before, description: null, first_message: null, updated_at: expect.any(String) });
  });

  it('keeps updated_at and the ETag if nothing changes', async () => {
    const { body: before, headers } = await createAssistant(user, full);
    for (const same of [{}, before, { name: before.name, voice: {} }]) {
      const reply = await user.put(`/assistants/${before.id}`, same);
      expect(reply.body).toEqual(before);
      expect(reply.headers.get('etag')).toBe(headers.get('etag'));
    }
  });

  it('rejects an update that makes the assistant larger than 300 KB', async () => {
    const { body } = await createAssistant(user, { llm: { notes: 'x'.repeat(200_000) } });
    const reply = await user.put(`/assistants/${body.id}`, { voice: { notes: 'x'.repeat(150_000) } });
    expect(reply.status).toBe(413);
    expect(listFaults(reply)).toEqual(['body: too_large']);
    expect((await user.get(`/assistants/${body.id}`)).body).toEqual(body);
  });
});

describe('deleting an assistant', () => {
  it('returns its id, and 404 afterwards', async () => {
    const { body } = await createAssistant(user);
    const gone = await user.delete(`/assistants/${body.id.toUpperCase()}`);
    expect(gone.status).toBe(200);
    expect(gone.body).toEqual({ status: 'success', message: expect.any(String), data: { id: body.id } });
    for (const again of [
      await user.delete(`/assistants/${body.id}`),
      await user.get(`/assistants/${body.id}`),
      await user.get(`/assistants/${body.id}/language-config`),
      await user.put(`/assistants/${body.id}`, { name: 'Back' }),
    ]) {
      expect(again.status).toBe(404);
      expect(listFaults(again)).toEqual(['path.assistant_id: not_found']);
    }
  });
});

describe('the language configuration', () => {
  it.each([
    ['en', 'en-US', true],
    ['cmn-Hans-CN', 'zh_TW', true],
    ['de', 'en', false],
    ['fr', 'multi', true],
    ['auto', 'ja', true],
  ])('of voice %s and transcriber %s has is_consistent %s', async (spoken, heard, consistent) => {
    const { body } = await createAssistant(user, { voice: { language: spoken }, transcriber: { language: heard } });
    const reply = await user.get(`/assistants/${body.id}/language-config`);
    expect(reply.body).toEqual({
      status: 'success',
      message: expect.any(String),
      assistant_id: body.id,
      language_config: {
        voice: { language: spoken, tts_provider: 'cartesia', tts_model: 'default', voice_id: null },
        transcriber: { language: heard, stt_provider: 'deepgram', stt_model: 'nova-3' },
        is_consistent: consistent,
      },
    });
  });
});

describe("another user's assistant", () => {
  it('looks like an unknown one, and cannot be changed', async () => {
    const { body } = await createAssistant(user);
    const unknown = '01980000-0000-7000-8000-000000000000';
    for (const path of ['', '/language-config']) {
      const foreign = await other.get(`/assistants/${body.id}${path}`);
      expect(foreign.status).toBe(404);
      expect(foreign.text).toBe((await other.get(`/assistants/${unknown}${path}`)).text);
    }
    expect((await other.put(`/assistants/${body.id}`, { name: 'Mine' })).status).toBe(404);
    expect((await other.delete(`/assistants/${body.id}`)).status).toBe(404);
    expect((await other.get('/assistants')).text).not.toContain(body.id);
    expect((await user.get(`/assistants/${body.id}`)).body).toEqual(body);
  });
});
