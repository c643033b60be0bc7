import httpJsonBodyParser from '@middy/http-json-body-parser';
import { estimateMaxValues } from '../../domain/estimate-max-values.ts';
import { isStorable, isStorableKey } from '../../domain/storable.ts';
import { type Fault, maxFaults, TooLarge, truncateKey, UnsupportedMediaType } from '../../errors.ts';
import { mayLackBody, type Route } from '../../route.ts';
import { getHeader, type Middleware, type MiddlewareRequest } from './middleware.ts';

/** Limits of a JSON body, in bytes: in compact form, and as sent. Clients may escape every letter. */
const defaultMaxBytes = 300 * 1024;
const maxSentBytes = 2 * 1024 * 1024;

/** Limit of the values in a body. Even the smallest takes hundreds of bytes of memory once parsed. */
const maxValues = 400_000;

const maxDepth = 32;
const tooDeepType = 'nesting_too_deep';

/**
 * Returns a lower bound of the compact size in bytes: without white space, with one byte for each escape. Runs before the text is
 * parsed, because parsing takes many times the memory of the text.
 */
const estimateMinBytes = (json: string) =>
  Buffer.byteLength(json.replace(/\\u[\da-f]{4}|\\.|\s+/gi, (found) => (found.startsWith('\\') ? '1' : '')));

/** Throws TooLarge if the body exceeds a limit. Parses nothing. */
function checkSize(sent: string, maxBytes: number): void {
  const size = Buffer.byteLength(sent);
  if (size <= defaultMaxBytes) return;
  const limit = `The body may have at most ${Math.floor(maxBytes / 1024).toLocaleString('en')} KB`;
  if (size > Math.max(maxSentBytes, maxBytes) || estimateMinBytes(sent) > maxBytes) throw new TooLarge(['body'], limit);
  if (estimateMaxValues(sent) > maxValues) throw new TooLarge(['body'], 'The body may have at most 400,000 values');
}

/** Matches `application/json` and any type with the suffix `+json` (RFC 6839), with or without parameters. */
const jsonMediaType = /^(?:application\/json|[\w!#$&^.+-]+\/[\w!#$&^.+-]+\+json)\s*(?:;|$)/i;

/** Yields a fault for each value that is valid JSON but cannot be stored. `maxDepth` bounds the recursion. */
function* findUnstorable(value: unknown, loc: string[], mayBeLossy: boolean): Generator<Fault> {
  if (typeof value === 'string' && !isStorable(value, mayBeLossy)) {
    yield { loc, msg: 'Input should be UTF-8, without NUL, lone surrogates and U+FFFD', type: 'string_unicode' };
  } else if (typeof value === 'number' && !Number.isFinite(value)) {
    yield { loc, msg: 'Input should be a finite number', type: 'finite_number' };
  } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    yield { loc, msg: 'Whole numbers beyond 2^53 lose digits: send them as strings', type: 'int_too_large' };
  } else if (typeof value === 'object' && value !== null) {
    if (loc.length > maxDepth) {
      yield { loc: ['body'], msg: `Input should be nested at most ${maxDepth} levels deep`, type: tooDeepType };
      return;
    }
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorableKey(key, mayBeLossy)) {
        yield { loc, msg: 'A key of this object cannot be stored', type: 'invalid_key' };
      } else {
        yield* findUnstorable(inner, [...loc, key], mayBeLossy);
      }
    }
  }
}

/** Returns the first 100 faults of a body, one per location and type. A hostile body could have 100,000. */
function listFaults(body: unknown, mayBeLossy: boolean): Fault[] {
  const faults = new Map<string, Fault>();
  for (const fault of findUnstorable(body, ['body'], mayBeLossy)) {
    const loc = fault.loc.map(truncateKey);
    faults.set(`${loc.join('/')} ${fault.type}`, { ...fault, loc });
    if (faults.size === maxFaults) break;
  }
  return [...faults.values()];
}

const missingFault: Fault = { loc: ['body'], msg: 'Field required', type: 'missing' };
const malformedFault: Fault = {
  loc: ['body'],
  msg: 'The body is not valid JSON (or has a key "__proto__", which is refused)',
  type: 'json_invalid',
};

const parseJson = httpJsonBodyParser({ disableContentTypeCheck: true }).before as (request: MiddlewareRequest) => void;

/**
 * Parses a JSON body. Throws UnsupportedMediaType and TooLarge. Collects all other faults for `validate`, which reports them
 * together. A missing Content-Type counts as JSON, and no body as `{}` if the route allows it.
 */
export const jsonBody = ({
  maxBodyBytes = defaultMaxBytes,
  mayBeLossy = false,
  ...route
}: Partial<Pick<Route, 'method' | 'form' | 'body' | 'maxBodyBytes' | 'mayBeLossy'>> = {}): Middleware => ({
  before(request) {
    const { event, internal } = request;
    const contentType = getHeader(event, 'content-type');
    if (contentType && !jsonMediaType.test(contentType))
      throw new UnsupportedMediaType('Send the body as application/json');

    const sent = event.body;
    if (!sent?.trim()) {
      if (mayLackBody(route)) internal.body = {};
      else internal.faults.push(missingFault);
      return;
    }
    checkSize(sent, maxBodyBytes);
    try {
      parseJson(request);
    } catch {
      internal.faults.push(malformedFault);
      return;
    }
    const faults = listFaults(event.body, mayBeLossy);
    internal.faults.push(...faults);
    // Later steps recurse, so they must not see a body that is nested too deeply or was not checked to its end.
    if (faults.length === maxFaults || faults.some(({ type }) => type === tooDeepType)) return;
    internal.body = event.body;
  },
});
