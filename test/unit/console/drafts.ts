import * as fc from 'fast-check';
import type { Draft } from '../../../console/src/assistants/draft/draft.ts';

/** Value that the API stores in a vendor's setting: not null, which it would drop, and not -0, which JSON lacks. */
const settingValue = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => value !== null)
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

/** Name of a vendor's setting. The API rejects the names in `reserved` (shared/http/middleware/body.ts). */
const vendorKey = fc
  .oneof(fc.constantFrom('speed', 'temperature', 'tools', 'valueOf', 'toString', '1'), fc.string())
  .filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key));

/** A part with the settings that the API knows, and some of the vendor's own. */
const part = <K extends string>(known: Record<K, fc.Arbitrary<unknown>>) =>
  fc
    .tuple(fc.dictionary(vendorKey, settingValue, { maxKeys: 4 }), fc.record(known))
    .map(([own, named]) => ({ ...own, ...named }));

const text = fc.string();
const textOrNull = fc.option(text);

/** Any draft. Some texts come from a small set, so that versions sometimes agree. */
export const anyDraft = fc.record({
  name: fc.constantFrom('Ada', 'Bob'),
  description: textOrNull,
  system_instruction: text,
  first_message: textOrNull,
  voice: part({ voice_id: textOrNull, tts_provider: text, tts_model: text, language: fc.constantFrom('en', 'de') }),
  llm: part({ llm_provider: text, model: text }),
  transcriber: part({ stt_provider: text, stt_model: text, language: text }),
  knowledge_base: part({ vectorstore_index: textOrNull, vectorstore_namespace: textOrNull }),
  transport: part({ sip_config: fc.dictionary(fc.string(), settingValue, { maxKeys: 3 }) }),
  variables: fc.option(fc.dictionary(vendorKey, fc.constant({ default: 'x', description: null, required: true }))),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
  tools: fc.uniqueArray(fc.constantFrom({ type: 'search', name: 'look_up' }, { type: 'end_call', name: 'end_call' })),
  mcp_servers: fc.constantFrom([], [{ name: 'crm', url: 'https://mcp.example.com' }]),
}) as unknown as fc.Arbitrary<Draft>;
