import type { AssistantUpdate } from '../../api/types.ts';
import { type Draft, draftFields, isPart } from './draft.ts';
import { isSameJson } from './same-json.ts';

/** Returns the settings that differ. A removed one is null, which makes the API drop it. */
function getChangedSettings(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const changed = Object.entries(after).filter(
    ([key, value]) => !(Object.hasOwn(before, key) && isSameJson(before[key], value)),
  );
  return Object.fromEntries([...changed, ...removed.map((key) => [key, null] as const)]);
}

/** Returns the update that turns `before` into `after`. Has only what differs, so that it overwrites nothing else. */
export const getChanges = (before: Draft, after: Draft): AssistantUpdate =>
  Object.fromEntries(
    draftFields
      .filter((field) => !isSameJson(before[field], after[field]))
      .map((field) => [field, isPart(field) ? getChangedSettings(before[field], after[field]) : after[field]]),
  );
