import { ApiError, type Fault } from '../../../../clients/typescript/src/api-error.ts';
import { maxTextLengths } from '../../../../shared/schemas/assistant.ts';
import { assistants } from '../../strings/assistants.ts';
import { common } from '../../strings/common.ts';
import type { Draft } from './draft.ts';

type TextField = keyof typeof maxTextLengths;

const textFields = Object.keys(maxTextLengths) as TextField[];
const required: TextField[] = ['name', 'system_instruction'];

/** Counts code points, as the API does. */
export const countCharacters = (text: string): number => [...text].length;

function findFault(field: TextField, text: string): string | undefined {
  const max = maxTextLengths[field];
  if (required.includes(field) && text.trim() === '') return common.needed;
  const length = countCharacters(text);
  return length > max ? assistants.tooLong(max, length - max) : undefined;
}

/** Throws ApiError, like a response of the API, if a text of the draft is blank or too long. */
export function checkDraft(draft: Draft): void {
  const faults = textFields.flatMap((field): Fault[] => {
    const msg = findFault(field, draft[field] ?? '');
    return msg ? [{ loc: ['body', field], msg, type: 'text' }] : [];
  });
  if (faults.length > 0) throw new ApiError(422, faults);
}
