import type { AssistantUpdate } from '../api/types.ts';
import { type Draft, draftFields, isPart } from './draft.ts';
import { sameJson } from './same-json.ts';

/** The settings that differ; null for one that is gone, by which the service drops it. */
function changedSettings(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const changed = Object.entries(after).filter(
    ([key, value]) => !(Object.hasOwn(before, key) && sameJson(before[key], value)),
  );
  return Object.fromEntries([...changed, ...gone.map((key) => [key, null] as const)]);
}

/** The update that makes `after` of `before`: only what differs, so that nothing else is overwritten. */
export const changesOf = (before: Draft, after: Draft): AssistantUpdate =>
  Object.fromEntries(
    draftFields
      .filter((field) => !sameJson(before[field], after[field]))
      .map((field) => [field, isPart(field) ? changedSettings(before[field], after[field]) : after[field]]),
  );
