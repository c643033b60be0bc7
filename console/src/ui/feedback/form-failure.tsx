import { ApiError } from '../../../../clients/typescript/src/api-error.ts';
import { sortFaults } from '../../api/api-error.ts';
import { Failure } from './failure.tsx';

/** Shows the API's faults at their form fields, and focuses the first. */
export function showFaults(
  form: { setErrors(errors: Record<string, string>): void; getInputNode(path: string): HTMLElement | null },
  error: unknown,
  fields: readonly string[],
): void {
  if (!(error instanceof ApiError)) return;
  const sorted = sortFaults(error.faults, fields);
  form.setErrors(sorted.fields);
  const first = fields.find((field) => sorted.fields[field] !== undefined);
  if (first !== undefined) form.getInputNode(first)?.focus();
}

/** True if the form's fields show every fault. */
export const isShownAtFields = (error: unknown, fields: readonly string[]): boolean =>
  error instanceof ApiError && error.faults.length > 0 && sortFaults(error.faults, fields).rest.length === 0;

/** Shows why the API rejected a form, unless its fields show every fault. */
export function FormFailure({ error, fields }: { error: unknown; fields: readonly string[] }) {
  return error && !isShownAtFields(error, fields) ? <Failure error={error} /> : null;
}
