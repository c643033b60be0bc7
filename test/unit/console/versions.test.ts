import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getDefaultChoice, listDifferences, mergeChoices } from '../../../console/src/assistants/conflict/versions.ts';
import { emptyDraft } from '../../../console/src/assistants/draft/draft.ts';
import { isSameJson } from '../../../console/src/assistants/draft/same-json.ts';
import { anyDraft } from './drafts.ts';

const { voice } = emptyDraft;

describe('two versions of an assistant', () => {
  test('merge into either one, by choice', () => {
    fc.assert(
      fc.property(anyDraft, anyDraft, anyDraft, (base, mine, theirs) => {
        const differences = listDifferences(base, mine, theirs);
        const all = (choice: 'mine' | 'theirs') => differences.map((difference) => ({ difference, choice }));
        expect(mergeChoices(theirs, all('mine'))).toEqual(mine);
        expect(isSameJson(mergeChoices(theirs, all('mine')), mine)).toBe(true); // no keys without a value
        expect(mergeChoices(theirs, all('theirs'))).toEqual(theirs);
      }),
    );
  });

  test('keep every change that only one side made', () => {
    fc.assert(
      fc.property(anyDraft, anyDraft, (base, changed) => {
        for (const [mine, theirs] of [
          [changed, base],
          [base, changed],
        ] as const) {
          const chosen = listDifferences(base, mine, theirs).map((difference) => ({
            difference,
            choice: getDefaultChoice(difference),
          }));
          expect(mergeChoices(theirs, chosen)).toEqual(changed);
        }
      }),
    );
  });

  test('differ by setting, with the side that changed it', () => {
    const mine = { ...emptyDraft, name: 'Mine', voice: { ...voice, language: 'de', speed: 1.1 } };
    const theirs = { ...emptyDraft, name: 'Theirs', voice: { ...voice, voice_id: 'x' } };
    expect(listDifferences(emptyDraft, mine, theirs)).toEqual([
      { path: ['name'], mine: 'Mine', theirs: 'Theirs', changedBy: 'both' },
      { path: ['voice', 'voice_id'], mine: null, theirs: 'x', changedBy: 'them' },
      { path: ['voice', 'language'], mine: 'de', theirs: 'en', changedBy: 'me' },
      { path: ['voice', 'speed'], mine: 1.1, theirs: undefined, changedBy: 'me' },
    ]);
  });

  test('do not differ if both made the same change', () => {
    const same = { ...emptyDraft, name: 'Same' };
    expect(listDifferences(emptyDraft, same, structuredClone(same))).toEqual([]);
  });
});
