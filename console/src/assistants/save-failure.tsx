import { Box } from '@mantine/core';
import { Failure } from '../ui/failure.tsx';
import { isSaidAtFields } from '../ui/form-failure.tsx';
import { type Draft, draftFields, emptyDraft, isPart } from './draft.ts';

/** Where the form of a draft can show a fault, in its order: each setting of a part, then the part as a whole. */
export const shownFields = (draft: Draft): string[] =>
  draftFields.flatMap((field) =>
    isPart(field)
      ? [...Object.keys({ ...emptyDraft[field], ...draft[field] }).map((key) => `${field}.${key}`), field]
      : field,
  );

/** Why a draft could not be saved: all of it, since its fields may be far down on the page. */
export function SaveFailure({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) return null;
  return (
    <Box mb="md">
      <Failure error={error} {...(!isSaidAtFields(error, draftFields) && { onRetry })} />
    </Box>
  );
}
