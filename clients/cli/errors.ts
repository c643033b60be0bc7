import { ApiError } from '../typescript/src/api-error.ts';

/** Error that the user can fix. Its message says how. */
export class UserError extends Error {}

/** Wrong use of the command line. */
export class UsageError extends Error {}

/** True for the error of a key that lacks a scope. */
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403;

/** Returns the code of the system's error that caused another, such as `ECONNREFUSED`. */
function findCode(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause)
    if ('code' in one && typeof one.code === 'string') return one.code;
  return undefined;
}

const describeUnreachable = ({ cause }: ApiError) => {
  const isTimeout = cause instanceof DOMException && cause.name === 'TimeoutError';
  const reason = isTimeout ? 'it did not answer in time' : (findCode(cause) ?? 'the answer is not one of the API');
  return `No answer from the API (${reason}): check its address, and that it runs`;
};

/** Returns the path of a fault without its first part, such as `body`, or the option that it is about. */
const toLocation = ([, ...loc]: string[]) => (loc[0] === 'x-workspace' ? '--workspace' : loc.join('.'));

const formatFaults = ({ faults, status }: ApiError) =>
  faults
    .map(({ loc, msg }) => (loc.length > 1 ? `${toLocation(loc)}: ${msg}` : msg))
    .join('; ')
    .replace('by the header X-Workspace', 'with --workspace or VA_WORKSPACE') || `status ${status}`;

/** True if the server has no such path, so that it is older than this program. */
const isUnknownPath = ({ status, faults: [first] }: ApiError) =>
  (status === 404 || status === 405) && first?.loc.length === 1 && first.loc[0] === 'path';

/** Returns one sentence for an error of the API. */
export function describeApiError(error: ApiError): string {
  const { status, faults, requestId } = error;
  const details = formatFaults(error);
  if (status === 0) return faults.length > 0 ? details : describeUnreachable(error);
  if (status === 401)
    return `The token was refused. ${faults[0]?.msg ?? 'No reason given'}. Run voice-assistants login, or set VA_TOKEN`;
  if (isUnknownPath(error))
    return 'The server does not know this request: it is of another version than this program, or its address is wrong';
  if (faults.length === 0) return `Status ${status} without an explanation: is this the address of the API?`;
  return status >= 500 ? `${details} (request ${requestId ?? 'without an id'})` : details;
}

/** Returns one sentence for any error. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) return describeApiError(error);
  if (error instanceof UserError || error instanceof UsageError) return error.message;
  return `Unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
