import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyDraft } from '../../../console/src/assistants/draft.ts';
import { sameJson } from '../../../console/src/assistants/same-json.ts';
import { differences, firstChoice, merged } from '../../../console/src/assistants/versions.ts';
import { anyDraft } from './drafts.ts';

const { voice } = emptyDraft;

describe('two versions of an assistant', () => {
  it('become either of them, by choice', () => {
    fc.assert(
      fc.property(anyDraft, anyDraft, anyDraft, (base, mine, theirs) => {
        const found = differences(base, mine, theirs);
        const all = (choice: 'mine' | 'theirs') => found.map((difference) => ({ difference, choice }));
        expect(merged(theirs, all('mine'))).toEqual(mine);
        expect(sameJson(merged(theirs, all('mine')), mine)).toBe(true); // no key without a value
        expect(merged(theirs, all('theirs'))).toEqual(theirs);
      }),
    );
  });

  it('lose no change of which only one side knows', () => {
    fc.assert(
      fc.property(anyDraft, anyDraft, (base, changed) => {
        for (const [mine, theirs] of [
          [changed, base],
          [base, changed],
        ] as const) {
          const chosen = differences(base, mine, theirs).map((difference) => ({
            difference,
            choice: firstChoice(difference),
          }));
          expect(merged(theirs, chosen)).toEqual(changed);
        }
      }),
    );
  });

  it('differ by setting, and tell who changed it', () => {
    const mine = { ...emptyDraft, name: 'Mine', voice: { ...voice, language: 'de', speed: 1.1 } };
    const theirs = { ...emptyDraft, name: 'Theirs', voice: { ...voice, voice_id: 'x' } };
    expect(differences(emptyDraft, mine, theirs)).toEqual([
      { path: ['name'], mine: 'Mine', theirs: 'Theirs', changedBy: 'both' },
      { path: ['voice', 'voice_id'], mine: null, theirs: 'x', changedBy: 'them' },
      { path: ['voice', 'language'], mine: 'de', theirs: 'en', changedBy: 'me' },
      { path: ['voice', 'speed'], mine: 1.1, theirs: undefined, changedBy: 'me' },
    ]);
  });

  it('do not differ where both made the same change', () => {
    const same = { ...emptyDraft, name: 'Same' };
    expect(differences(emptyDraft, same, structuredClone(same))).toEqual([]);
  });
});
