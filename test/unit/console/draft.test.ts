import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { getChanges } from '../../../console/src/assistants/draft/changes.ts';
import { type Draft, emptyDraft, toDraft } from '../../../console/src/assistants/draft/draft.ts';
import { formatJson, parseDraft } from '../../../console/src/assistants/draft/json-draft.ts';
import { applyUpdate, buildAssistant } from '../../../shared/domain/assistant.ts';
import {
  AssistantUpdate,
  defaultCallSettings,
  defaultSettings,
  NewAssistant,
} from '../../../shared/schemas/assistant.ts';
import { anyDraft } from './drafts.ts';

const toStored = (draft: Draft) => buildAssistant({ ...draft } as never);

describe('an empty draft', () => {
  test("has the API's defaults", () => {
    const { first_message } = v.parse(NewAssistant, { name: 'x', system_instruction: 'y' });
    expect(emptyDraft).toMatchObject({ ...defaultSettings, ...defaultCallSettings, first_message });
  });
});

describe('the changes of a draft', () => {
  test("turn the stored assistant into the edited one, by the API's rules", () => {
    fc.assert(
      fc.property(anyDraft, anyDraft, (before, after) => {
        expect(toDraft(applyUpdate(toStored(before), getChanges(before, after) as never) as never)).toEqual(after);
      }),
    );
  });

  test('are empty if nothing changed, in any order of settings', () => {
    const reordered = { ...emptyDraft, llm: { model: 'gpt-4.1-mini', llm_provider: 'openai' } };
    expect(getChanges(emptyDraft, reordered)).toEqual({});
  });

  test('contain only what differs', () => {
    const before = { ...emptyDraft, voice: { ...emptyDraft.voice, speed: 1, style: 'calm' } };
    const after = { ...emptyDraft, name: 'Ada', voice: { ...emptyDraft.voice, speed: 1.2 } };
    const changes = getChanges(before, after);
    expect(changes).toEqual({ name: 'Ada', voice: { speed: 1.2, style: null } });
    expect(v.safeParse(AssistantUpdate, changes).success).toBe(true);
  });
});

describe('the JSON of a draft', () => {
  test('parses to the draft it was formatted from', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        expect(parseDraft(formatJson(draft))).toEqual({ value: draft, faults: [] });
      }),
    );
  });

  test('may be a response of the API, reduced to the editable fields', () => {
    const shown = {
      id: 'x',
      user_id: 'y',
      ...emptyDraft,
      attached_knowledge_bases: [],
      created_at: '',
      updated_at: '',
    };
    expect(parseDraft(formatJson(shown)).value).toEqual(emptyDraft);
  });

  test('may omit settings that have a default', () => {
    const text = '{"name": "A", "system_instruction": "B", "voice": {"language": "de"}}';
    const expected = { ...emptyDraft, name: 'A', system_instruction: 'B', first_message: null };
    expect(parseDraft(text).value).toEqual({ ...expected, voice: { ...emptyDraft.voice, language: 'de' } });
  });

  test("may keep a null that a vendor's setting had before", () => {
    const saved = { ...emptyDraft, llm: { ...emptyDraft.llm, temperature: null } };
    expect(parseDraft(formatJson(saved), saved).value).toEqual(saved);
  });

  test.each([
    ['{"name": "A",}', /^Line 1, column 14: a name/],
    ['', /^Line 1, column 1: a value/],
    ['[]', /should be an object/],
    ['null', /should be an object/],
    [formatJson({ ...emptyDraft, name: 5 }), /^name should be text$/],
    [formatJson({ ...emptyDraft, description: [] }), /^description should be text or null$/],
    [formatJson({ ...emptyDraft, voice: [] }), /^voice should be an object$/],
    [formatJson({ ...emptyDraft, voice: { language: null } }), /^voice\.language should be text$/],
    [formatJson({ ...emptyDraft, transport: { sip_config: 'x' } }), /^transport\.sip_config should be an object$/],
    [formatJson({ ...emptyDraft, temperature: 1 }), /^temperature is not a field/],
    [formatJson({ ...emptyDraft, llm: { temperature: null } }), /^llm\.temperature is null, which removes/],
  ])('reports the fault of %s', (text, fault) => {
    const { value, faults } = parseDraft(text);
    expect(value).toBeUndefined();
    expect(faults).toEqual([expect.stringMatching(fault)]);
  });
});
