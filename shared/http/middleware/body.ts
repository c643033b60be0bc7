import { checkMaxValues } from '../../domain/estimate-max-values.ts';
import { isStorable, isStorableKey } from '../../domain/storable.ts';
import { type Fault, maxFaults, TooLarge, truncateKey, UnsupportedMediaType } from '../../errors.ts';
import { mayLackBody, type Route } from '../../route.ts';
import { getHeader, type Middleware } from './middleware.ts';

/** Limits of a JSON body, in bytes: in compact form, and as sent. Clients may escape every letter. */
const defaultMaxBytes = 300 * 1024;
const maxSentBytes = 2 * 1024 * 1024;

/** Limit of the values in a large body, and in any other. Each takes up to 350 bytes of memory once parsed. */
const maxValues = 400_000;
const defaultMaxValues = 50_000;

const maxDepth = 32;

/** Limit of the keys of an object. Later steps copy objects, and each copy takes memory and time. */
const maxKeys = 10_000;

/** Limit of the keys of all objects that are numbers of up to four digits. V8 copies an object with the key `1023` into an array of 12 KB. */
const maxArrayKeys = 5_000;
const isArrayKey = (key: string) => /^(?:0|[1-9]\d{0,3})$/.test(key);

/**
 * Returns an upper bound of the bytes that a compact form saves: white space, and all but one byte of each escape. Runs before the text
 * is parsed, because parsing takes many times the memory of the text.
 */
function estimateMaxSavings(json: string): number {
  let bytes = 0;
  for (let i = 0; i < json.length; i++) {
    const character = json.charAt(i);
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t') bytes += 1;
    else if (character === '\\') {
      const more = json.charAt(i + 1) === 'u' ? 5 : 1;
      bytes += more;
      i += more;
    }
  }
  return bytes;
}

/** Throws TooLarge if the body exceeds a limit. Parses nothing. */
function checkSize(sent: string, maxBytes: number): void {
  const size = Buffer.byteLength(sent);
  if (size <= defaultMaxBytes) return;
  const limit = `The body may have at most ${Math.floor(maxBytes / 1024).toLocaleString('en')} KB`;
  const isTooLarge = size > maxBytes && (size > maxSentBytes || size - estimateMaxSavings(sent) > maxBytes);
  if (isTooLarge) throw new TooLarge(['body'], limit);
  checkMaxValues(sent, maxValues, 'The body');
}

/** Matches `application/json` and any type with the suffix `+json` (RFC 6839), with or without parameters. */
const jsonMediaType = /^(?:application\/json|[\w!#$&^.+-]+\/[\w!#$&^.+-]+\+json)\s*(?:;|$)/i;

/**
 * Checks that a body can be stored. Returns its first faults, up to 100, one per location and type; a hostile body could have 400,000.
 * `isSafe` is true if later steps may copy the body and recurse in it.
 */
function checkValues(
  body: unknown,
  { mayBeLossy, maxCount }: { mayBeLossy: boolean; maxCount: number },
): { faults: Fault[]; isSafe: boolean } {
  const faults = new Map<string, Fault>();
  const loc = ['body'];
  let found = 0;
  let count = 1;
  let arrayKeys = 0;
  let isSafe = true;
  const add = (msg: string, type: string, at = loc) => {
    found += 1;
    const shown = at.map(truncateKey);
    faults.set(`${shown.join('/')} ${type}`, { loc: shown, msg, type });
  };
  const check = (value: unknown) => {
    if (typeof value === 'string' && !isStorable(value, mayBeLossy)) {
      add('Input should be UTF-8, without NUL, lone surrogates and U+FFFD', 'string_unicode');
    } else if (typeof value === 'number' && !Number.isFinite(value)) {
      add('Input should be a finite number', 'finite_number');
    } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      add('Whole numbers beyond 2^53 lose digits: send them as strings', 'int_too_large');
    } else if (typeof value === 'object' && value !== null) checkInside(value);
  };
  const checkInside = (value: object) => {
    if (loc.length > maxDepth) {
      add(`Input should be nested at most ${maxDepth} levels deep`, 'nesting_too_deep', ['body']);
      isSafe = false;
      return;
    }
    // `Object.entries` takes twice the time for 400,000 values.
    const keys = Object.keys(value);
    count += keys.length;
    if (count > maxCount) {
      add(`Input should have at most ${maxCount.toLocaleString('en')} values`, 'too_many_values', ['body']);
      isSafe = false;
      return;
    }
    if (!Array.isArray(value)) {
      arrayKeys += keys.filter(isArrayKey).length;
      if (keys.length > maxKeys) add('Input should have at most 10,000 keys', 'too_many_keys');
      if (arrayKeys > maxArrayKeys)
        add('Input should have at most 5,000 keys that are numbers of up to four digits', 'too_many_keys', ['body']);
      if (keys.length > maxKeys || arrayKeys > maxArrayKeys) {
        isSafe = false;
        return;
      }
    }
    for (const key of keys) {
      if (found >= maxFaults) {
        isSafe = false;
        return;
      }
      if (!isStorableKey(key, mayBeLossy)) {
        add('A key of this object cannot be stored', 'invalid_key');
        continue;
      }
      loc.push(key);
      check((value as Record<string, unknown>)[key]);
      loc.pop();
    }
  };
  check(body);
  return { faults: [...faults.values()], isSafe };
}

const missingFault: Fault = { loc: ['body'], msg: 'Field required', type: 'missing' };
const malformedFault: Fault = { loc: ['body'], msg: 'The body is not valid JSON', type: 'json_invalid' };

/**
 * Parses a JSON body. Throws UnsupportedMediaType and TooLarge. Collects all other faults for `validate`, which reports them
 * together. A missing Content-Type counts as JSON, and no body as `{}` if the route allows it.
 */
export const jsonBody = ({
  maxBodyBytes = defaultMaxBytes,
  mayBeLossy = false,
  ...route
}: Partial<Pick<Route, 'method' | 'form' | 'body' | 'maxBodyBytes' | 'mayBeLossy'>> = {}): Middleware => ({
  before({ event, internal }) {
    const contentType = getHeader(event, 'content-type');
    if (contentType && !jsonMediaType.test(contentType))
      throw new UnsupportedMediaType('Send the body as application/json');

    const sent = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : event.body;
    if (!sent?.trim()) {
      if (mayLackBody(route)) internal.body = {};
      else internal.faults.push(missingFault);
      return;
    }
    checkSize(sent, maxBodyBytes);
    event.body = null; // its text would take memory until the request ends
    let body: unknown;
    try {
      body = JSON.parse(sent);
    } catch {
      internal.faults.push(malformedFault);
      return;
    }
    const maxCount = maxBodyBytes > defaultMaxBytes ? maxValues : defaultMaxValues;
    const { faults, isSafe } = checkValues(body, { mayBeLossy, maxCount });
    internal.faults.push(...faults);
    if (isSafe) internal.body = body;
  },
});
