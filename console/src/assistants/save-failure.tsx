import { Box } from '@mantine/core';
import { type Fault, Problem } from '../api/problem.ts';
import { assistants as text } from '../strings/assistants.ts';
import { Failure } from '../ui/failure.tsx';
import { isSaidAtFields } from '../ui/form-failure.tsx';
import { type Told, told } from '../ui/told.ts';
import { type Draft, draftFields, emptyDraft, isPart } from './draft.ts';

/** Where the form of a draft can show a fault, in its order: each setting of a part, then the part as a whole. */
export const shownFields = (draft: Draft): string[] =>
  draftFields.flatMap((field) =>
    isPart(field)
      ? [...Object.keys({ ...emptyDraft[field], ...draft[field] }).map((key) => `${field}.${key}`), field]
      : field,
  );

/** Returns the label that a fault's field has in the form. */
function labelField({ loc: [, field = '', ...settings] }: Fault): string {
  const label = (text.field as Record<string, string>)[field] ?? field;
  return [label, ...settings.map((setting) => text.setting[setting] ?? setting)].join(' › ');
}

/** Returns the words of a failure, in which each fault of a field has the field's label. */
function describeFailure(error: Error): Told {
  const words = told(error);
  if (!(error instanceof Problem) || error.status !== 422) return words;
  return { ...words, details: error.faults.map((fault) => `${labelField(fault)}: ${fault.msg}`) };
}

/** Why a draft could not be saved: all of it, since its fields may be far down on the page. */
export function SaveFailure({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) return null;
  return (
    <Box mb="md">
      <Failure error={error} words={describeFailure(error)} {...(!isSaidAtFields(error, draftFields) && { onRetry })} />
    </Box>
  );
}
