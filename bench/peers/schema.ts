import * as z from 'zod';

/** Schemas for the stacks without built-in validation. */

const name = (fallback: string) => z.string().min(1).max(128).default(fallback);

export const NewAssistant = z.object({
  name: z.string().min(1).max(200),
  system_instruction: z.string().min(1).max(100_000),
  description: z.string().max(2_000).nullable().default(null),
  first_message: z.string().max(10_000).nullable().default('Hello! How can I help you?'),
  voice: z
    .looseObject({
      voice_id: z.string().max(256).nullable().default(null),
      tts_provider: name('cartesia'),
      tts_model: name('default'),
      language: name('en'),
    })
    .prefault({}),
  llm: z.looseObject({ llm_provider: name('openai'), model: name('gpt-4.1-mini') }).prefault({}),
  transcriber: z
    .looseObject({ stt_provider: name('deepgram'), stt_model: name('nova-3'), language: name('en') })
    .prefault({}),
  transport: z.looseObject({ sip_config: z.record(z.string(), z.unknown()).default({}) }).prefault({}),
});

export const AssistantPath = z.object({ id: z.uuid() });
