import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { ApiError } from '../../../clients/typescript/src/api-error.ts';
import { checkDraft } from '../../../console/src/assistants/draft/check-draft.ts';
import { type Draft, emptyDraft } from '../../../console/src/assistants/draft/draft.ts';
import { maxTextLengths, NewAssistant } from '../../../shared/schemas/assistant.ts';

const whole: Draft = { ...emptyDraft, name: 'Ada', system_instruction: 'Answer' };

/** Returns the faults of a draft, by field. */
function check(changes: Partial<Draft>): Record<string, string> {
  try {
    checkDraft({ ...whole, ...changes });
    return {};
  } catch (error) {
    return Object.fromEntries((error as ApiError).faults.map(({ loc, msg }) => [loc[1], msg]));
  }
}

test('reports all missing and too long texts together, and by how much they are too long', () => {
  expect(check({ name: ' ', system_instruction: '', description: 'x'.repeat(2_003) })).toEqual({
    name: 'Required',
    system_instruction: 'Required',
    description: 'At most 2,000 characters: remove 3',
  });
});

test.each(Object.entries(maxTextLengths))('limits %s like the API, which counts code points', (field, max) => {
  for (const length of [max, max + 1]) {
    const changes = { [field]: `😀${'x'.repeat(length - 1)}` };
    expect(check(changes)).toEqual(length > max ? { [field]: expect.any(String) } : {});
    expect(v.is(NewAssistant, { ...whole, ...changes })).toBe(length <= max);
  }
});
