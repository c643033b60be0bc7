import { ApiError } from '../../../../clients/typescript/src/api-error.ts';
import { talk as text } from '../../strings/talk.ts';
import { describeError, type ErrorDescription } from '../../ui/feedback/describe-error.ts';
import { CallError } from './call-error.ts';

/** True if the credential of LiveKit is missing or cannot be used. */
export const isCredentialFailure = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 424 && error.faults[0]?.type !== 'invalid_agent_name';

/** Describes why a call failed. */
export function describeCallFailure(error: unknown): ErrorDescription {
  const described = describeError(error);
  if (error instanceof CallError) return { ...described, ...text.failure[error.failure](error.host), details: [] };
  if (!isCredentialFailure(error)) return described;
  const [fault] = error instanceof ApiError ? error.faults : [];
  return fault?.type === 'missing'
    ? { ...described, ...text.noCredential, details: [] }
    : { ...described, title: text.brokenCredential, advice: '', details: [fault?.msg ?? ''] };
}
