import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { newAssistant, type StoredAssistant, shown, updated } from '../../shared/domain/assistant.ts';
import { TooLarge } from '../../shared/errors.ts';
import { AssistantUpdate, NewAssistant, standardSettings } from '../../shared/schemas/assistant.ts';
import type { User } from '../../shared/user.ts';
import { sampleSize } from '../support/sample.ts';

const user: User = { id: 'alice', key: 'key', tokenType: 'jwt', expiresAt: '', scopes: [] };

type Settings = Record<string, unknown>;
type SettingsName = keyof typeof standardSettings;
const settingsNames = Object.keys(standardSettings) as SettingsName[];
const standards: Record<SettingsName, Settings> = standardSettings;
const vendorKeys = ['speed', 'temperature', 'endpointing'];

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const name = text.filter((s) => s.trim() !== '');
const language = fc.constantFrom('en', 'en_US', 'cmn-Hans-CN', 'multi');
const json = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
const vendors = Object.fromEntries(vendorKeys.map((key) => [key, json.filter((value) => value !== null)]));
const sipConfig = fc.dictionary(fc.constantFrom('number', 'trunk', 'a', 'b'), json, { noNullPrototype: true });

const known = {
  voice: { voice_id: text, tts_provider: name, tts_model: name, language },
  llm: { llm_provider: name, model: name },
  transcriber: { stt_provider: name, stt_model: name, language },
  knowledge_base: { vectorstore_index: text, vectorstore_namespace: text },
  transport: { sip_config: sipConfig },
} satisfies Record<SettingsName, object>;

const some = (entries: Record<string, fc.Arbitrary<unknown>>) => fc.record(entries, { requiredKeys: [] });
const orNull = (entries: Record<string, fc.Arbitrary<unknown>>) =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, fc.option(value)]));

/** An assistant as some client created it. */
const stored = fc
  .record(
    {
      name,
      system_instruction: name,
      description: fc.option(text),
      first_message: fc.option(text),
      ...Object.fromEntries(settingsNames.map((key) => [key, some({ ...known[key], ...vendors })])),
    },
    { requiredKeys: ['name', 'system_instruction'] },
  )
  .map((body) => newAssistant(v.parse(NewAssistant, body)));

/** The body of any update, as the schema lets it through. */
const change = some({
  ...orNull({ name, system_instruction: name, description: text, first_message: text }),
  ...Object.fromEntries(settingsNames.map((key) => [key, some(orNull({ ...known[key], ...vendors }))])),
}).map((body) => v.parse(AssistantUpdate, body));

/** The single changes that an update is made of: a path, and what goes there. */
function leavesOf(update: AssistantUpdate): [path: [string, string?], value: unknown][] {
  return Object.entries(update).flatMap(([field, value]): [[string, string?], unknown][] =>
    field in standards
      ? Object.entries(value as Settings).map(([key, inner]) => [[field, key], inner])
      : [[[field], value]],
  );
}

function updateOf(leaves: ReturnType<typeof leavesOf>): AssistantUpdate {
  const update: Record<string, unknown> = {};
  for (const [[field, key], value] of leaves) {
    if (key === undefined) update[field] = value;
    else update[field] = { ...(update[field] as Settings), [key]: value };
  }
  return update as AssistantUpdate;
}

const contentOf = ({ revision: _, updated_at: __, ...content }: StoredAssistant) => content;

const at = (assistant: StoredAssistant, [field, key]: [string, string?]): unknown => {
  const value = (assistant as unknown as Record<string, unknown>)[field];
  return key === undefined ? value : (value as Settings)[key];
};

const holds = (property: (assistant: StoredAssistant, update: AssistantUpdate) => void) =>
  fc.assert(fc.property(stored, change, property), { numRuns: sampleSize(200) });

const minimal = newAssistant(v.parse(NewAssistant, { name: 'Ada', system_instruction: 'Be kind.' }));

describe('an update', () => {
  test('leaves what is absent as it was', () =>
    holds((assistant, update) => {
      const next = updated(assistant, update);
      const sent = new Set(leavesOf(update).map(([path]) => path.join('.')));
      for (const field of Object.keys(contentOf(assistant))) {
        if (field in standards) {
          for (const key of Object.keys(at(assistant, [field]) as Settings)) {
            if (!sent.has(`${field}.${key}`)) expect(at(next, [field, key])).toEqual(at(assistant, [field, key]));
          }
        } else if (!sent.has(field)) expect(at(next, [field])).toEqual(at(assistant, [field]));
      }
    }));

  test('sets what it names, key by key, and adds nothing else', () =>
    holds((assistant, update) => {
      const next = updated(assistant, update);
      for (const [path, value] of leavesOf(update)) if (value !== null) expect(at(next, path)).toEqual(value);
      for (const field of settingsNames) {
        const possible = new Set([...Object.keys(assistant[field]), ...Object.keys(update[field] ?? {})]);
        for (const key of Object.keys(next[field])) expect(possible).toContain(key);
      }
    }));

  test('with null clears description and first_message, and leaves name and system_instruction', () =>
    fc.assert(
      fc.property(stored, (assistant) => {
        const next = updated(assistant, {
          name: null,
          system_instruction: null,
          description: null,
          first_message: null,
        });
        expect(next).toMatchObject({
          name: assistant.name,
          system_instruction: assistant.system_instruction,
          description: null,
          first_message: null,
        });
      }),
    ));

  test('with null sets a key back to its standard value, and drops a key that only a vendor knows', () =>
    holds((assistant, update) => {
      const next = updated(assistant, update);
      for (const [[field, key], value] of leavesOf(update)) {
        if (key === undefined || value !== null) continue;
        const standard = standards[field as SettingsName];
        if (key in standard) expect(at(next, [field, key])).toEqual(standard[key]);
        else expect(at(next, [field])).not.toHaveProperty(key);
      }
    }));

  test('drops a key of a vendor even where objects inherit one of that name', () => {
    const current = updated(minimal, { voice: { toString: 'a vendor knows why' } });
    expect(Object.keys(current.voice)).toContain('toString');
    expect(Object.keys(updated(current, { voice: { toString: null } }).voice)).not.toContain('toString');
  });

  test('with null drops even a null that a vendor’s key was created with', () => {
    const current = newAssistant(
      v.parse(NewAssistant, { name: 'Ada', system_instruction: 'Be kind.', voice: { speed: null } }),
    );
    expect(updated(current, {}).voice).toHaveProperty('speed', null);
    expect(updated(current, { voice: { speed: null } }).voice).not.toHaveProperty('speed');
  });

  test('always shows every standard key of every sub-object', () =>
    holds((assistant, update) => {
      const next = updated(assistant, update);
      for (const field of settingsNames) {
        expect(Object.keys(next[field])).toEqual(expect.arrayContaining(Object.keys(standards[field])));
      }
    }));

  test('replaces sip_config whole', () => {
    const current = updated(minimal, { transport: { sip_config: { number: '+49', trunk: { id: 1 } } } });
    expect(updated(current, { transport: { sip_config: { trunk: {} } } }).transport.sip_config).toEqual({ trunk: {} });
    expect(updated(current, { transport: { sip_config: null } }).transport.sip_config).toEqual({});
  });

  test('gives the same content when disjoint changes come in either order, or at once', () =>
    fc.assert(
      fc.property(stored, change, fc.func(fc.boolean()), (assistant, update, mine) => {
        const leaves = leavesOf(update);
        const one = updateOf(leaves.filter(([path]) => mine(path.join('.'))));
        const other = updateOf(leaves.filter(([path]) => !mine(path.join('.'))));
        const oneFirst = contentOf(updated(updated(assistant, one), other));
        expect(oneFirst).toEqual(contentOf(updated(updated(assistant, other), one)));
        expect(oneFirst).toEqual(contentOf(updated(assistant, update)));
      }),
      { numRuns: sampleSize(200) },
    ));

  test('that changes nothing gives the very same object back', () =>
    holds((assistant, update) => {
      expect(updated(assistant, {})).toBe(assistant);
      const next = updated(assistant, update);
      expect(updated(next, update)).toBe(next);
    }));

  test('with what a read gave changes nothing', () =>
    fc.assert(
      fc.property(stored, (assistant) => {
        const read = JSON.parse(JSON.stringify(shown(assistant, user, [])));
        expect(updated(assistant, v.parse(AssistantUpdate, read))).toBe(assistant);
      }),
    ));

  test('that changes something raises the revision by exactly one, and keeps id and time of creation', () =>
    holds((assistant, update) => {
      const next = updated(assistant, update);
      const changed = JSON.stringify(contentOf(next)) !== JSON.stringify(contentOf(assistant));
      expect(next.revision).toBe(assistant.revision + (changed ? 1 : 0));
      expect(next).toMatchObject({ id: assistant.id, created_at: assistant.created_at });
      expect(next.updated_at >= assistant.updated_at).toBe(true);
    }));

  test('never touches the assistant that it was given, nor the standard values', () =>
    holds((assistant, update) => {
      const before = JSON.stringify([assistant, standards]);
      updated(assistant, update);
      expect(JSON.stringify([assistant, standards])).toBe(before);
    }));

  test('is too large beyond 300 KB in all, counted in bytes', () => {
    const noteOf = (characters: string) => updated(minimal, { llm: { note: characters } });
    const { attachments: _, ...counted } = noteOf('');
    const room = 300 * 1024 - Buffer.byteLength(JSON.stringify(counted));
    expect(noteOf('x'.repeat(room)).revision).toBe(2);
    expect(() => noteOf('x'.repeat(room + 1))).toThrow(TooLarge);
    expect(() => noteOf('é'.repeat(room / 2 + 1))).toThrow(TooLarge);
  });
});
