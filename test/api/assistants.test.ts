import { describe, expect, it } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { newUser, otherUser } from '../support/api.ts';
import { createAssistant, minimal } from '../support/assistants.ts';

const user = await newUser();

describe('POST /assistants', () => {
  it('stores the assistant, fills in what was not sent, and says where it is', async () => {
    const { status, body, headers } = await createAssistant(user);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...minimal,
      description: null,
      first_message: "Hello! I'm here to help you. How can I assist you today?",
      voice: { voice_id: null, tts_provider: 'cartesia', tts_model: 'default', language: 'en' },
      llm: { llm_provider: 'openai', model: 'gpt-4.1-mini' },
      transcriber: { stt_provider: 'deepgram', stt_model: 'nova-3', language: 'en' },
      knowledge_base: { vectorstore_index: null, vectorstore_namespace: null },
      transport: { sip_config: {} },
      attached_knowledge_bases: [],
    });
    expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(headers.get('location')).toBe(`/assistants/${body.id}`);
    expect((await user.get(`/assistants/${body.id}`)).body).toEqual(body);
  });
});
