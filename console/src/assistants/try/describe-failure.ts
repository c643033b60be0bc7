import { ApiError } from '../../../../clients/typescript/src/api-error.ts';
import type { LookupFailure } from '../../../../shared/domain/credential-lookup.ts';
import { sortFaults } from '../../api/api-error.ts';
import { trial as text } from '../../strings/try.ts';
import { describeError, type ErrorDescription } from '../../ui/feedback/describe-error.ts';

/** Reasons why the service has no key. Not those of the shared table: its messages would load with the page. */
const keyFailures: Record<LookupFailure, true> = {
  no_service: true,
  invalid_name: true,
  missing: true,
  ambiguous: true,
  undecryptable: true,
};

/** True if the key of the language model is missing or cannot be used. */
export const isKeyFailure = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 424 && Object.hasOwn(keyFailures, error.faults[0]?.type ?? '');

/** Describes why no answer came, or only a part of one. */
export function describeFailure(error: unknown): ErrorDescription {
  const described = describeError(error);
  const [fault] = error instanceof ApiError ? error.faults : [];
  if (!fault) return described;
  const details = [fault.msg];
  if (isKeyFailure(error))
    return fault.type === 'missing'
      ? { ...described, ...text.noKey, details: [] }
      : { ...described, title: text.brokenKey, advice: '', details };
  const title = text.vendorFailure[fault.type];
  return title === undefined ? described : { ...described, title, advice: '', details };
}

const prefix = 'variables.';

/** Returns the message for each variable that the API refused, by name. */
export function listVariableFaults(error: unknown, names: readonly string[]): Record<string, string> {
  const faults = error instanceof ApiError && error.status === 422 ? error.faults : [];
  const { fields } = sortFaults(
    faults,
    names.map((name) => prefix + name),
  );
  return Object.fromEntries(Object.entries(fields).map(([field, message]) => [field.slice(prefix.length), message]));
}
