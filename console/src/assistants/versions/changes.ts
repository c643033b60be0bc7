import type { Change } from '../../api/types.ts';
import { assistants as text } from '../../strings/assistants.ts';
import { isPart } from '../draft/draft.ts';

export type ChangeKind = 'added' | 'removed' | 'changed';

const isMissing = (value: unknown) => value === null || value === undefined;

/** Returns what happened to a value. */
export function getChangeKind({ before, after }: Change): ChangeKind {
  if (isMissing(before)) return 'added';
  return isMissing(after) ? 'removed' : 'changed';
}

const isWritten = (value: unknown) => typeof value === 'string' && /\S\s+\S/.test(value);

/** True if a value is text of several words, which is compared word by word. */
export const isTextChange = ({ before, after }: Change): boolean =>
  [before, after].every((value) => isMissing(value) || typeof value === 'string') &&
  (isWritten(before) || isWritten(after));

/** Returns the label of a value, in the words of the form. Tools and settings of vendors keep their own names. */
export function getChangeLabel([field = '', ...names]: Change['path']): string {
  const label = (text.field as Record<string, string>)[field] ?? field;
  const isSetting = isPart(field) && names.length === 1;
  return [
    label,
    ...names.map((name) => (isSetting && Object.hasOwn(text.setting, name) ? text.setting[name] : name)),
  ].join(' › ');
}

/** Formats a value as JSON, or a text of one word as it is. Undefined if there is none. */
export function formatValue(value: unknown): string | undefined {
  if (isMissing(value)) return undefined;
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value, null, 2);
}
