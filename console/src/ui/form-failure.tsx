import { Problem, sortFaults } from '../api/problem.ts';
import { Failure } from './failure.tsx';

/** Brings the faults of a refused form to its fields, and the focus to the first of them. */
export function showFaults(
  form: { setErrors(errors: Record<string, string>): void; getInputNode(path: string): HTMLElement | null },
  error: unknown,
  fields: readonly string[],
): void {
  if (!(error instanceof Problem)) return;
  const sorted = sortFaults(error.faults, fields);
  form.setErrors(sorted.fields);
  const first = fields.find((field) => sorted.fields[field] !== undefined);
  if (first !== undefined) form.getInputNode(first)?.focus();
}

/** Whether the fields of a form say all of why it was refused. */
export const isSaidAtFields = (error: unknown, fields: readonly string[]): boolean =>
  error instanceof Problem && error.faults.length > 0 && sortFaults(error.faults, fields).rest.length === 0;

/** Why a form was refused, unless its fields say it all. */
export function FormFailure({ error, fields }: { error: unknown; fields: readonly string[] }) {
  return error && !isSaidAtFields(error, fields) ? <Failure error={error} /> : null;
}
