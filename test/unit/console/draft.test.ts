import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { changesOf } from '../../../console/src/assistants/changes.ts';
import { type Draft, draftOf, emptyDraft } from '../../../console/src/assistants/draft.ts';
import { jsonOf, readDraft } from '../../../console/src/assistants/json-draft.ts';
import { newAssistant, updated } from '../../../shared/domain/assistant.ts';
import { AssistantUpdate, NewAssistant, standardSettings } from '../../../shared/schemas/assistant.ts';
import { anyDraft } from './drafts.ts';

const stored = (draft: Draft) => newAssistant({ ...draft } as never);

describe('a new draft', () => {
  it('is what the service takes for what is not sent', () => {
    const { first_message } = v.parse(NewAssistant, { name: 'x', system_instruction: 'y' });
    expect(emptyDraft).toMatchObject({ ...standardSettings, first_message });
  });
});

describe('the changes of a draft', () => {
  it('make of what is stored what was edited, by the rules of the service', () => {
    fc.assert(
      fc.property(anyDraft, anyDraft, (before, after) => {
        expect(draftOf(updated(stored(before), changesOf(before, after) as never))).toEqual(after);
      }),
    );
  });

  it('are none where nothing was changed, whatever the order of the settings', () => {
    const turned = { ...emptyDraft, llm: { model: 'gpt-4.1-mini', llm_provider: 'openai' } };
    expect(changesOf(emptyDraft, turned)).toEqual({});
  });

  it('name what differs and nothing else', () => {
    const before = { ...emptyDraft, voice: { ...emptyDraft.voice, speed: 1, style: 'calm' } };
    const after = { ...emptyDraft, name: 'Ada', voice: { ...emptyDraft.voice, speed: 1.2 } };
    const changes = changesOf(before, after);
    expect(changes).toEqual({ name: 'Ada', voice: { speed: 1.2, style: null } });
    expect(v.safeParse(AssistantUpdate, changes).success).toBe(true);
  });
});

describe('the JSON of a draft', () => {
  it('reads as what it was written from', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        expect(readDraft(jsonOf(draft))).toEqual({ value: draft, faults: [] });
      }),
    );
  });

  it('may be what the service shows, of which it takes what can be edited', () => {
    const shown = {
      id: 'x',
      user_id: 'y',
      ...emptyDraft,
      attached_knowledge_bases: [],
      created_at: '',
      updated_at: '',
    };
    expect(readDraft(jsonOf(shown)).value).toEqual(emptyDraft);
  });

  it('may leave out what has a standard value', () => {
    const text = '{"name": "A", "system_instruction": "B", "voice": {"language": "de"}}';
    const expected = { ...emptyDraft, name: 'A', system_instruction: 'B', first_message: null };
    expect(readDraft(text).value).toEqual({ ...expected, voice: { ...emptyDraft.voice, language: 'de' } });
  });

  it('may have a vendor’s null that was there before', () => {
    const saved = { ...emptyDraft, llm: { ...emptyDraft.llm, temperature: null } };
    expect(readDraft(jsonOf(saved), saved).value).toEqual(saved);
  });

  it.each([
    ['{"name": "A",}', /^Line 1, column 14: a name/],
    ['', /^Line 1, column 1: a value/],
    ['[]', /should be an object/],
    ['null', /should be an object/],
    [jsonOf({ ...emptyDraft, name: 5 }), /^name should be text$/],
    [jsonOf({ ...emptyDraft, description: [] }), /^description should be text or null$/],
    [jsonOf({ ...emptyDraft, voice: [] }), /^voice should be an object$/],
    [jsonOf({ ...emptyDraft, voice: { language: null } }), /^voice\.language should be text$/],
    [jsonOf({ ...emptyDraft, transport: { sip_config: 'x' } }), /^transport\.sip_config should be an object$/],
    [jsonOf({ ...emptyDraft, temperature: 1 }), /^temperature is no field/],
    [jsonOf({ ...emptyDraft, llm: { temperature: null } }), /^llm\.temperature is null, which removes/],
  ])('tells what is wrong with %s', (text, fault) => {
    const { value, faults } = readDraft(text);
    expect(value).toBeUndefined();
    expect(faults).toEqual([expect.stringMatching(fault)]);
  });
});
