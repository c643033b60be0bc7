import { Box } from '@mantine/core';
import { Failure } from '../ui/failure.tsx';
import { isSaidAtFields } from '../ui/form-failure.tsx';
import { knownSettings, parts } from './draft.ts';

/** Where the form can show a fault, the narrower place first. */
export const shownFields = [
  'name',
  'description',
  'system_instruction',
  'first_message',
  ...parts.flatMap((part) => knownSettings(part).map((setting) => `${part}.${setting}`)),
  ...parts,
];

/** Why a draft could not be saved: all of it, since its fields may be far down on the page. */
export function SaveFailure({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) return null;
  return (
    <Box mb="md">
      <Failure error={error} {...(!isSaidAtFields(error, shownFields) && { onRetry })} />
    </Box>
  );
}
