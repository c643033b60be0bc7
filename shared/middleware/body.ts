import httpJsonBodyParser from '@middy/http-json-body-parser';
import { clipped, type Fault, TooLarge, UnsupportedMediaType } from '../errors.ts';
import type { Route } from '../route.ts';
import { header, type Layer, type Request } from './onion.ts';

/** Bounds of a JSON body, in bytes: as it is meant (compact), and as it is sent (a client may escape every letter). */
const standardBytes = 300 * 1024;
const maxSent = 2 * 1024 * 1024;

/** Values in a body: parsed, the smallest takes hundreds of bytes of memory. */
const maxValues = 400_000;

const maxDepth = 32;
const maxFaults = 100;
const tooDeep = 'nesting_too_deep';

/**
 * The least that a JSON text can mean in bytes, told before it is parsed, since parsing costs many times the text:
 * no white space, and a byte for each escape.
 */
const leastBytes = (json: string) =>
  Buffer.byteLength(json.replace(/\\u[\da-f]{4}|\\.|\s+/gi, (found) => (found.startsWith('\\') ? '1' : '')));

/** How many values a JSON text can have, commas in its strings counted along. */
function mostValues(json: string): number {
  let values = 1;
  for (let i = 0; i < json.length; i++) if (json[i] === ',' || json[i] === '[' || json[i] === '{') values += 1;
  return values;
}

/** Throws TooLarge, before anything is parsed. */
function weigh(sent: string, maxBytes: number): void {
  const size = Buffer.byteLength(sent);
  if (size <= standardBytes) return;
  const limit = `The body may have at most ${Math.floor(maxBytes / 1024).toLocaleString('en')} KB`;
  if (size > Math.max(maxSent, maxBytes) || leastBytes(sent) > maxBytes) throw new TooLarge(['body'], limit);
  if (mostValues(sent) > maxValues) throw new TooLarge(['body'], 'The body may have at most 400,000 values');
}

/** `application/json`, or any type with the suffix `+json` (RFC 6839), whatever its parameters. */
const mediaType = /^(?:application\/json|[\w!#$&^.+-]+\/[\w!#$&^.+-]+\+json)\s*(?:;|$)/i;

/** Whether text can be stored as it was meant. API Gateway puts U+FFFD in place of bytes that are not UTF-8. */
const isStorable = (text: string, mayBeLossy: boolean) =>
  text.isWellFormed() && !text.includes('\0') && (mayBeLossy || !text.includes('\ufffd'));

/** Keys that JavaScript gives a meaning of its own: objects would drop them, and nothing that is sent is lost in silence. */
const reserved = new Set(['__proto__', 'constructor', 'prototype']);

/** What JSON allows and no later layer can keep: each is a fault at its place. Recursion is bounded by `maxDepth`. */
function* unkeepable(value: unknown, loc: string[], mayBeLossy: boolean): Generator<Fault> {
  if (typeof value === 'string' && !isStorable(value, mayBeLossy)) {
    yield { loc, msg: 'Input should be UTF-8, without NUL, lone surrogates and U+FFFD', type: 'string_unicode' };
  } else if (typeof value === 'number' && !Number.isFinite(value)) {
    yield { loc, msg: 'Input should be a finite number', type: 'finite_number' };
  } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    yield { loc, msg: 'Whole numbers beyond 2^53 lose digits: send them as text', type: 'int_too_large' };
  } else if (typeof value === 'object' && value !== null) {
    if (loc.length > maxDepth) {
      yield { loc: ['body'], msg: `Input should be nested at most ${maxDepth} levels deep`, type: tooDeep };
      return;
    }
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key, mayBeLossy) || reserved.has(key)) {
        yield { loc, msg: 'A key of this object cannot be stored', type: 'invalid_key' };
      } else {
        yield* unkeepable(inner, [...loc, key], mayBeLossy);
      }
    }
  }
}

/** The first faults of a body, deduplicated by place; a hostile one could have a hundred thousand. */
function faultsOf(body: unknown, mayBeLossy: boolean): Fault[] {
  const faults = new Map<string, Fault>();
  for (const fault of unkeepable(body, ['body'], mayBeLossy)) {
    const loc = fault.loc.map(clipped);
    faults.set(`${loc.join('/')} ${fault.type}`, { ...fault, loc });
    if (faults.size === maxFaults) break;
  }
  return [...faults.values()];
}

const missing: Fault = { loc: ['body'], msg: 'Field required', type: 'missing' };
const malformed: Fault = {
  loc: ['body'],
  msg: 'The body is not valid JSON (or has a key "__proto__", which is refused)',
  type: 'json_invalid',
};

const parse = httpJsonBodyParser({ disableContentTypeCheck: true }).before as (request: Request) => void;

/**
 * Reads a JSON body. Throws UnsupportedMediaType and TooLarge; faults inside are left to `validate`,
 * which tells all of them at once. A missing Content-Type counts as JSON.
 */
export const jsonBody = ({
  maxBodyBytes = standardBytes,
  mayBeLossy = false,
}: Pick<Route, 'maxBodyBytes' | 'mayBeLossy'> = {}): Layer => ({
  before(request) {
    const { event, internal } = request;
    const contentType = header(event, 'content-type');
    if (contentType && !mediaType.test(contentType))
      throw new UnsupportedMediaType('Send the body as application/json');

    const sent = event.body;
    if (!sent?.trim()) {
      internal.faults.push(missing);
      return;
    }
    weigh(sent, maxBodyBytes);
    try {
      parse(request);
    } catch {
      internal.faults.push(malformed);
      return;
    }
    const faults = faultsOf(event.body, mayBeLossy);
    internal.faults.push(...faults);
    // Nothing below may recurse into what is too deep, or was not looked at to the end.
    if (faults.length === maxFaults || faults.some(({ type }) => type === tooDeep)) return;
    internal.body = event.body;
  },
});
