import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { applyUpdate, buildAssistant, type StoredAssistant, toPublicAssistant } from '../../shared/domain/assistant.ts';
import { TooLarge } from '../../shared/errors.ts';
import { AssistantUpdate, defaultSettings, NewAssistant } from '../../shared/schemas/assistant.ts';
import type { User } from '../../shared/user.ts';
import { getSampleSize } from '../support/sample.ts';

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

type Settings = Record<string, unknown>;
type SettingsName = keyof typeof defaultSettings;
const settingsNames = Object.keys(defaultSettings) as SettingsName[];
const defaults: Record<SettingsName, Settings> = defaultSettings;
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

const toPartialRecord = (entries: Record<string, fc.Arbitrary<unknown>>) => fc.record(entries, { requiredKeys: [] });
const toNullable = (entries: Record<string, fc.Arbitrary<unknown>>) =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, fc.option(value)]));

/** Arbitrary stored assistants. */
const stored = fc
  .record(
    {
      name,
      system_instruction: name,
      description: fc.option(text),
      first_message: fc.option(text),
      ...Object.fromEntries(settingsNames.map((key) => [key, toPartialRecord({ ...known[key], ...vendors })])),
    },
    { requiredKeys: ['name', 'system_instruction'] },
  )
  .map((body) => buildAssistant(v.parse(NewAssistant, body)));

/** Arbitrary update bodies that pass the schema. */
const change = toPartialRecord({
  ...toNullable({ name, system_instruction: name, description: text, first_message: text }),
  ...Object.fromEntries(settingsNames.map((key) => [key, toPartialRecord(toNullable({ ...known[key], ...vendors }))])),
}).map((body) => v.parse(AssistantUpdate, body));

/** Splits an update into its single changes, each a path and a value. */
function toLeaves(update: AssistantUpdate): [path: [string, string?], value: unknown][] {
  return Object.entries(update).flatMap(([field, value]): [[string, string?], unknown][] =>
    field in defaults
      ? Object.entries(value as Settings).map(([key, inner]) => [[field, key], inner])
      : [[[field], value]],
  );
}

function buildUpdate(leaves: ReturnType<typeof toLeaves>): AssistantUpdate {
  const update: Record<string, unknown> = {};
  for (const [[field, key], value] of leaves) {
    if (key === undefined) update[field] = value;
    else update[field] = { ...(update[field] as Settings), [key]: value };
  }
  return update as AssistantUpdate;
}

const getContent = ({ revision: _, updated_at: __, ...content }: StoredAssistant) => content;

const getValue = (assistant: StoredAssistant, [field, key]: [string, string?]): unknown => {
  const value = (assistant as unknown as Record<string, unknown>)[field];
  return key === undefined ? value : (value as Settings)[key];
};

const checkProperty = (property: (assistant: StoredAssistant, update: AssistantUpdate) => void) =>
  fc.assert(fc.property(stored, change, property), { numRuns: getSampleSize(200) });

const minimal = buildAssistant(v.parse(NewAssistant, { name: 'Ada', system_instruction: 'Be kind.' }));

describe('an update', () => {
  test('leaves absent fields and keys unchanged', () =>
    checkProperty((assistant, update) => {
      const next = applyUpdate(assistant, update);
      const sent = new Set(toLeaves(update).map(([path]) => path.join('.')));
      for (const field of Object.keys(getContent(assistant))) {
        if (field in defaults) {
          for (const key of Object.keys(getValue(assistant, [field]) as Settings)) {
            if (!sent.has(`${field}.${key}`))
              expect(getValue(next, [field, key])).toEqual(getValue(assistant, [field, key]));
          }
        } else if (!sent.has(field)) expect(getValue(next, [field])).toEqual(getValue(assistant, [field]));
      }
    }));

  test('sets the fields and keys that it names, and adds no others', () =>
    checkProperty((assistant, update) => {
      const next = applyUpdate(assistant, update);
      for (const [path, value] of toLeaves(update)) if (value !== null) expect(getValue(next, path)).toEqual(value);
      for (const field of settingsNames) {
        const possible = new Set([...Object.keys(assistant[field]), ...Object.keys(update[field] ?? {})]);
        for (const key of Object.keys(next[field])) expect(possible).toContain(key);
      }
    }));

  test('clears description and first_message with null, but leaves name and system_instruction', () =>
    fc.assert(
      fc.property(stored, (assistant) => {
        const next = applyUpdate(assistant, {
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

  test('resets a key to its default with null, and removes a key that is specific to a vendor', () =>
    checkProperty((assistant, update) => {
      const next = applyUpdate(assistant, update);
      for (const [[field, key], value] of toLeaves(update)) {
        if (key === undefined || value !== null) continue;
        const standard = defaults[field as SettingsName];
        if (key in standard) expect(getValue(next, [field, key])).toEqual(standard[key]);
        else expect(getValue(next, [field])).not.toHaveProperty(key);
      }
    }));

  test('removes a vendor key even if its name is an inherited property', () => {
    const current = applyUpdate(minimal, { voice: { toString: 'a vendor knows why' } });
    expect(Object.keys(current.voice)).toContain('toString');
    expect(Object.keys(applyUpdate(current, { voice: { toString: null } }).voice)).not.toContain('toString');
  });

  test('removes a vendor key with null even if it was created as null', () => {
    const current = buildAssistant(
      v.parse(NewAssistant, { name: 'Ada', system_instruction: 'Be kind.', voice: { speed: null } }),
    );
    expect(applyUpdate(current, {}).voice).toHaveProperty('speed', null);
    expect(applyUpdate(current, { voice: { speed: null } }).voice).not.toHaveProperty('speed');
  });

  test('preserves every standard key of the settings', () =>
    checkProperty((assistant, update) => {
      const next = applyUpdate(assistant, update);
      for (const field of settingsNames) {
        expect(Object.keys(next[field])).toEqual(expect.arrayContaining(Object.keys(defaults[field])));
      }
    }));

  test('replaces sip_config as a whole', () => {
    const current = applyUpdate(minimal, { transport: { sip_config: { number: '+49', trunk: { id: 1 } } } });
    expect(applyUpdate(current, { transport: { sip_config: { trunk: {} } } }).transport.sip_config).toEqual({
      trunk: {},
    });
    expect(applyUpdate(current, { transport: { sip_config: null } }).transport.sip_config).toEqual({});
  });

  test('has the same outcome for disjoint changes in either order, or together', () =>
    fc.assert(
      fc.property(stored, change, fc.func(fc.boolean()), (assistant, update, mine) => {
        const leaves = toLeaves(update);
        const one = buildUpdate(leaves.filter(([path]) => mine(path.join('.'))));
        const other = buildUpdate(leaves.filter(([path]) => !mine(path.join('.'))));
        const oneFirst = getContent(applyUpdate(applyUpdate(assistant, one), other));
        expect(oneFirst).toEqual(getContent(applyUpdate(applyUpdate(assistant, other), one)));
        expect(oneFirst).toEqual(getContent(applyUpdate(assistant, update)));
      }),
      { numRuns: getSampleSize(200) },
    ));

  test('returns the same object if it changes nothing', () =>
    checkProperty((assistant, update) => {
      expect(applyUpdate(assistant, {})).toBe(assistant);
      const next = applyUpdate(assistant, update);
      expect(applyUpdate(next, update)).toBe(next);
    }));

  test('changes nothing if it repeats the result of a read', () =>
    fc.assert(
      fc.property(stored, (assistant) => {
        const read = JSON.parse(JSON.stringify(toPublicAssistant(assistant, user, [])));
        expect(applyUpdate(assistant, v.parse(AssistantUpdate, read))).toBe(assistant);
      }),
    ));

  test('increments the revision only if it changes something, and keeps id and created_at', () =>
    checkProperty((assistant, update) => {
      const next = applyUpdate(assistant, update);
      const changed = JSON.stringify(getContent(next)) !== JSON.stringify(getContent(assistant));
      expect(next.revision).toBe(assistant.revision + (changed ? 1 : 0));
      expect(next).toMatchObject({ id: assistant.id, created_at: assistant.created_at });
      expect(next.updated_at >= assistant.updated_at).toBe(true);
    }));

  test('never mutates its input or the defaults', () =>
    checkProperty((assistant, update) => {
      const before = JSON.stringify([assistant, defaults]);
      applyUpdate(assistant, update);
      expect(JSON.stringify([assistant, defaults])).toBe(before);
    }));

  test('throws TooLarge if the assistant would exceed 300 KB as UTF-8', () => {
    const addNote = (characters: string) => applyUpdate(minimal, { llm: { note: characters } });
    const { attachments: _, versions: __, ...counted } = addNote('');
    const room = 300 * 1024 - Buffer.byteLength(JSON.stringify(counted));
    expect(addNote('x'.repeat(room)).revision).toBe(2);
    expect(() => addNote('x'.repeat(room + 1))).toThrow(TooLarge);
    expect(() => addNote('é'.repeat(room / 2 + 1))).toThrow(TooLarge);
  });
});
