import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listChanges, toSortedJson } from '../../shared/domain/versions/changes.ts';
import { compareContents, completeContent, computeDigest, getContent } from '../../shared/domain/versions/content.ts';
import { chooseVersion, noVersions, type Versions } from '../../shared/domain/versions/versions.ts';
import type { AssistantContent } from '../../shared/schemas/assistant.ts';
import { defaultCallSettings } from '../../shared/schemas/assistant.ts';
import type { Share } from '../../shared/schemas/live.ts';

const id = '01a1fce7-9d80-7c4e-9b2f-5d8a3e6f1c07';
const toVersions = (...versions: Share[]): Versions => ({
  ...noVersions,
  live: {
    versions: versions.map((share) => ({ ...share, digest: '' })),
    since: '2026-11-21T07:00:00.000Z',
    changed_by: 'user',
  },
});
const rooms = Array.from({ length: 100_000 }, (_, i) => `room-${i}`);
const choose = (versions: Versions, room?: string) => chooseVersion(versions, id, room)?.version ?? null;
const chooseAll = (versions: Versions) => rooms.map((room) => choose(versions, room));

const content = {
  name: 'Receptionist',
  system_instruction: 'You answer the phone.',
  description: null,
  first_message: 'Hello',
  voice: { voice_id: null, tts_provider: 'cartesia', tts_model: 'default', language: 'en' },
  llm: { llm_provider: 'openai', model: 'gpt-4.1-mini' },
  transcriber: { stt_provider: 'deepgram', stt_model: 'nova-3', language: 'en' },
  knowledge_base: { vectorstore_index: null, vectorstore_namespace: null },
  transport: { sip_config: {} },
  ...defaultCallSettings,
} satisfies AssistantContent;

describe('the version of a call', () => {
  it('is shared by weight: 90 and 10 of 100,000 rooms, within one percent', () => {
    const chosen = chooseAll(toVersions({ version: 2, weight: 10 }, { version: 1, weight: 90 }));
    const share = chosen.filter((version) => version === 2).length / rooms.length;
    expect(Math.abs(share - 0.1)).toBeLessThan(0.01);
    expect(new Set(chosen)).toEqual(new Set([1, 2]));
  });

  it('stays the same for a room while the weight of the newest version grows', () => {
    const steps = [1, 10, 20, 50, 99].map((weight) =>
      chooseAll(toVersions({ version: 2, weight }, { version: 1, weight: 100 - weight })),
    );
    for (const [i, step] of steps.entries())
      for (const later of steps.slice(i + 1))
        expect(step.every((version, room) => version === 1 || later[room] === 2)).toBe(true);
  });

  it('is one of up to five that are live, for any room and weights', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 4 });
    fc.assert(
      fc.property(weights, fc.string(), (first, room) => {
        const all = [...first, 100 - first.reduce((sum, weight) => sum + weight, 0)];
        const shares = all.map((weight, i) => ({ version: all.length - i, weight }));
        const chosen = choose(toVersions(...shares), room);
        expect(shares.map(({ version }) => version)).toContain(chosen);
        expect(choose(toVersions(...shares), room)).toBe(chosen);
      }),
    );
  });

  it('is the heaviest without a room, the newest of equals, and none while the draft is live', () => {
    expect(choose(toVersions({ version: 2, weight: 10 }, { version: 1, weight: 90 }))).toBe(1);
    expect(choose(toVersions({ version: 2, weight: 50 }, { version: 1, weight: 50 }))).toBe(2);
    expect(choose(noVersions, 'room')).toBe(null);
  });
});

describe('the digest of a version', () => {
  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (settings) => {
        const reversed = Object.fromEntries(Object.entries(settings).toReversed());
        const toContent = (sip_config: object) => ({ ...content, transport: { sip_config: { ...sip_config } } });
        expect(computeDigest(toContent(settings))).toBe(computeDigest(toContent(reversed)));
      }),
    );
  });

  it('is the same for a version of a release without tools', () => {
    const { tools: _, mcp_servers: __, variables: ___, timezone: ____, ...old } = content;
    expect(computeDigest(completeContent(old as AssistantContent))).toBe(computeDigest(content));
  });

  it('changes with every field', () => {
    const values: Record<string, unknown> = {
      knowledge_base: { vectorstore_index: 'pinecone', vectorstore_namespace: 'clinic' },
      tools: [{ name: 'other' }],
      mcp_servers: [{ name: 'other' }],
    };
    const change = (name: string) => ({ ...content, [name]: values[name] ?? 'other' }) as AssistantContent;
    for (const name of Object.keys(content)) expect(computeDigest(change(name)), name).not.toBe(computeDigest(content));
  });
});

describe('the changes between two versions', () => {
  it('are empty exactly if both are equal, whatever they hold', () => {
    const values = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(values, values, (before, after) => {
        expect(listChanges(before, before)).toEqual([]);
        expect(listChanges(before, after).length === 0).toBe(toSortedJson(before) === toSortedJson(after));
      }),
    );
  });

  it('are whole fields if their paths would have too many keys or characters', () => {
    const nest = (value: object, levels: number, key: string): object =>
      levels === 0 ? value : { [key]: nest(value, levels - 1, key) };
    const numbers = (to: number) => Object.fromEntries(Array.from({ length: 9_900 }, (_, i) => [`n${i}`, to]));
    for (const [levels, key] of [
      [28, 'a'],
      [1, 'a'.repeat(100)],
    ] as const) {
      const [before, after] = [numbers(0), numbers(1)].map((deep) => ({ name: 'Ann', llm: nest(deep, levels, key) }));
      expect(listChanges(before ?? {}, after ?? {})).toEqual([
        { path: ['llm'], before: before?.llm, after: after?.llm },
      ]);
    }
    expect(listChanges({ llm: numbers(0) }, { llm: numbers(1) })).toHaveLength(9_900);
  });

  it('name a tool that was added, and one that was removed', () => {
    const tool = {
      type: 'end_call',
      name: 'end_call',
      description: 'Ends',
      say: { start: null, failure: null },
    } as const;
    const other = { ...content, tools: [tool] };
    expect(compareContents(content, other)).toEqual([{ path: ['tools', 'end_call'], before: null, after: tool }]);
    expect(compareContents(other, content)).toEqual([{ path: ['tools', 'end_call'], before: tool, after: null }]);
    expect(compareContents(other, getContent(other))).toEqual([]);
    const inherited = { ...tool, name: 'toString' };
    const odd = { ...content, tools: [inherited] };
    expect(compareContents(content, odd)).toEqual([{ path: ['tools', 'toString'], before: null, after: inherited }]);
    const [one, two] = [
      { ...content, tools: [tool, inherited] },
      { ...content, tools: [inherited, tool] },
    ];
    expect([compareContents(one, two), computeDigest(one)]).toEqual([[], computeDigest(two)]);
  });
});
