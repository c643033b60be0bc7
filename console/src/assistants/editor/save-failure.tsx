import { Box } from '@mantine/core';
import { ApiError, type Fault } from '../../../../clients/typescript/src/api-error.ts';
import { assistants as text } from '../../strings/assistants.ts';
import { describeError, type ErrorDescription } from '../../ui/feedback/describe-error.ts';
import { Failure } from '../../ui/feedback/failure.tsx';
import { isShownAtFields } from '../../ui/feedback/form-failure.tsx';
import { type Draft, draftFields, emptyDraft, isPart } from '../draft/draft.ts';

/** Lists the paths that the form can mark, in its order: each setting of a part, then the part itself. */
export const listShownFields = (draft: Draft): string[] =>
  draftFields.flatMap((field) =>
    isPart(field)
      ? [...Object.keys({ ...emptyDraft[field], ...draft[field] }).map((key) => `${field}.${key}`), field]
      : field,
  );

/** Returns the form's label for the field of a fault. */
function labelField({ loc: [, field = '', ...settings] }: Fault): string {
  const label = (text.field as Record<string, string>)[field] ?? field;
  return [label, ...settings.map((setting) => text.setting[setting] ?? setting)].join(' › ');
}

/** Describes an error of saving. Faults carry the labels of their fields. */
function describeFailure(error: Error): ErrorDescription {
  const words = describeError(error);
  if (!(error instanceof ApiError) || error.status !== 422) return words;
  return { ...words, details: error.faults.map((fault) => `${labelField(fault)}: ${fault.msg}`) };
}

/** Shows why a draft could not be saved, with all faults: their fields may be far down the page. */
export function SaveFailure({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) return null;
  return (
    <Box mb="md">
      <Failure
        error={error}
        description={describeFailure(error)}
        {...(!isShownAtFields(error, draftFields) && { onRetry })}
      />
    </Box>
  );
}
