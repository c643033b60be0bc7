import { ApiError } from '../../../../clients/typescript/src/api-error.ts';
import { formatFault } from '../../api/api-error.ts';
import {
  addressFailure,
  chunkFailure,
  consoleFailure,
  failures,
  getWaitAdvice,
  serviceFailure,
} from '../../strings/failures.ts';
import { ChunkLoadError } from '../loading/chunk-load-error.ts';

/** Description of an error for the user. */
export interface ErrorDescription {
  title: string;
  /** Empty if the details suffice. */
  advice: string;
  /** Faults, one sentence each. */
  details: string[];
  /** Id of the request in the API's logs. */
  requestId: string | undefined;
}

/** Describes any error: of the API, of the network or of the console. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof ChunkLoadError) return { ...chunkFailure, details: [], requestId: undefined };
  if (!(error instanceof ApiError)) return { ...consoleFailure, details: [String(error)], requestId: undefined };
  const { status, requestId, retryAfter } = error;
  const { title, advice } = failures[status] ?? serviceFailure;
  const details = error.faults.map(formatFault);
  // The API's message on a conflict, or on a limit of the day, says what is in the way and what to do.
  const isExplained = status === 409 ? details.length > 0 : error.faults[0]?.type === 'quota_exceeded';
  if (isExplained) return { title, advice: '', details, requestId };
  return { title, advice: status === 429 && retryAfter ? getWaitAdvice(retryAfter) : advice, details, requestId };
}

/** Describes the error of a read. A 422 means a malformed URL here, since there is no form with fields to mark. */
export function describeReadError(error: unknown): ErrorDescription {
  const description = describeError(error);
  return error instanceof ApiError && error.status === 422 ? { ...description, ...addressFailure } : description;
}
