import type { UseFormReturnType } from '@mantine/form';
import { Problem, sortFaults } from '../api/problem.ts';
import { Failure } from './failure.tsx';

/** Brings the faults of a refused form to its fields, and the focus to the first of them. */
export function showFaults<T extends object>(
  form: UseFormReturnType<T>,
  error: unknown,
  fields: readonly string[],
): void {
  if (!(error instanceof Problem)) return;
  const sorted = sortFaults(error.faults, fields);
  form.setErrors(sorted.fields);
  const first = fields.find((field) => sorted.fields[field] !== undefined);
  if (first !== undefined) form.getInputNode(first)?.focus();
}

/** Why a form was refused, unless its fields say it all. */
export function FormFailure({ error, fields }: { error: unknown; fields: readonly string[] }) {
  if (!error) return null;
  const isSaid =
    error instanceof Problem && error.faults.length > 0 && sortFaults(error.faults, fields).rest.length === 0;
  return isSaid ? null : <Failure error={error} />;
}
