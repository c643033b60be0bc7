import { Box } from '@mantine/core';
import { Problem, sortFaults } from '../api/problem.ts';
import { Failure } from '../ui/failure.tsx';
import { knownSettings, parts } from './draft.ts';
import type { DraftForm } from './use-draft.ts';

/** Where the form can show an error, the narrower place first. */
const shown = [
  'name',
  'description',
  'system_instruction',
  'first_message',
  ...parts.flatMap((part) => knownSettings(part).map((setting) => `${part}.${setting}`)),
  ...parts,
];

/** Brings the faults of a refused draft to their fields, and the focus to the first. */
export function showFaults(form: DraftForm, error: Error): void {
  if (!(error instanceof Problem)) return;
  const { fields } = sortFaults(error.faults, shown);
  form.setErrors(fields);
  const first = shown.find((path) => fields[path] !== undefined);
  document.querySelector<HTMLElement>(`[data-path="${first}"]`)?.focus();
}

/** Why a draft could not be saved, as far as no field says it. */
export function SaveFailure({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) return null;
  const isAllShown =
    error instanceof Problem && error.faults.length > 0 && sortFaults(error.faults, shown).rest.length === 0;
  return (
    <Box mb="md">
      <Failure error={error} {...(!isAllShown && { onRetry })} />
    </Box>
  );
}
