import { ApiError, type Fault } from '../../../clients/typescript/src/api-error.ts';

/**
 * Ignores a 404 when deleting: the thing is gone already, for example deleted in another tab. Use as
 * `.catch(ignoreNotFound)`.
 */
export function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

/** True if reading again is pointless: the thing is gone (404) or the id in the URL is malformed (422). */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 422);

/** Returns the form field that a fault belongs to: `['body', 'voice', 'language']` is `voice.language`. */
const toFieldName = ({ loc }: Fault): string | undefined => (loc[0] === 'body' ? loc.slice(1).join('.') : undefined);

/** Faults of a request, split into those that a form can show at a field and the rest. */
export interface SortedFaults {
  /** Message for each field. */
  fields: Record<string, string>;
  /** Faults that belong to no field of the form. */
  rest: Fault[];
}

/**
 * Splits faults into those that a form shows at its fields and the rest. A fault inside a field that is edited as a
 * whole, such as a key of `transport.sip_config`, belongs to that field.
 */
export function sortFaults(faults: Fault[], shown: readonly string[]): SortedFaults {
  const sorted: SortedFaults = { fields: {}, rest: [] };
  for (const fault of faults) {
    const location = toFieldName(fault);
    const field = shown.find((name) => location === name || location?.startsWith(`${name}.`));
    if (field === undefined) sorted.rest.push(fault);
    else sorted.fields[field] = sorted.fields[field] ? `${sorted.fields[field]}. ${fault.msg}` : fault.msg;
  }
  return sorted;
}

/** Returns a fault as a sentence, prefixed with its location if it has one. */
export function formatFault({ loc, msg }: Fault): string {
  const location = loc.slice(1).join(' › ');
  return location === '' ? msg : `${location}: ${msg}`;
}
