import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { Chunk, Completion } from '../domain/chat/completion.ts';
import type { Vendor } from '../domain/chat/vendors.ts';
import { estimateMaxValues } from '../domain/estimate-max-values.ts';
import { hideEscapedSecrets, hideSecretsInCut } from '../domain/hide-secrets.ts';
import { parseJson } from '../domain/parse-json.ts';
import { ApiError, forbidRetry, VendorBusy, VendorRefused, VendorUnavailable } from '../errors.ts';
import { ForbiddenAddress, NoAnswer, toOutboundError } from '../outbound/errors.ts';
import { maxPieces, readAnswer } from '../outbound/read-answer.ts';
import { openRequest, releaseConnection } from '../outbound/send-request.ts';
import { userAgents } from '../outbound/user-agents.ts';
import { signRequest } from '../store/bedrock.ts';

/** A vendor with the key to use it. */
export interface VendorAccess extends Vendor {
  apiKey: string | undefined;
}

/**
 * Maximum size of an answer of a vendor in bytes, and its JSON values. The pieces of a streamed one repeat their names, but are not in
 * memory at once.
 */
const limits = {
  whole: { bytes: 4_000_000, values: 400_000 },
  streamed: { bytes: 10_000_000, values: 1_000_000 },
};

/** Maximum size of one event of a streamed answer, in characters. */
const maxEventCharacters = 1_000_000;

/** Maximum size of the answer of an error in bytes, and of its message in characters. */
const maxErrorBytes = 65_536;
const maxMessageCharacters = 500;

/**
 * Returns what a vendor says of an error, without the key that it may repeat, and without names of AWS resources of the service. `isCut` says
 * that `text` is the beginning of an answer.
 */
function findMessage(text: string, { apiKey = '', usesRole }: VendorAccess, isCut = false): string {
  const hide = (said: string) => {
    const message = usesRole ? said.replaceAll(/arn:[^\s"',]+/g, 'arn:…') : said;
    const hideKey = isCut || message.length > maxErrorBytes ? hideSecretsInCut : hideEscapedSecrets;
    return hideKey(message.slice(0, maxErrorBytes), [apiKey]).slice(0, maxMessageCharacters).toWellFormed();
  };
  try {
    const found = [JSON.parse(text)].flat()[0]; // Google answers with a list
    const { error, message, detail } = found;
    const said = error?.message ?? error ?? message ?? detail;
    return hide(typeof said === 'string' ? said : JSON.stringify(said ?? found));
  } catch {
    return hide(text.trim()) || 'no reason';
  }
}

/** Returns the time to wait that a vendor names, if it is one that a client understands: seconds, or a date. */
function findRetryAfter({ headers }: IncomingMessage): string {
  const { 'retry-after': text = '' } = headers;
  return /^\d{1,6}$/.test(text) || /^\w{3}, [\w :]{10,30} GMT$/.test(text) ? text : '1';
}

/** Converts the failure of a request to a vendor. */
function toVendorError(error: unknown, vendor: VendorAccess, signal: AbortSignal): Error {
  const cause = error instanceof NoAnswer ? error : toOutboundError(error, signal);
  if (cause instanceof ForbiddenAddress)
    return new VendorRefused('llm.base_url should be a public https address', 'forbidden_address');
  return new VendorUnavailable(`${vendor.name} gave no answer (${(cause as NoAnswer).code}): try again`);
}

/** Throws the error that a vendor answers with. */
async function throwAnswer(response: IncomingMessage, vendor: VendorAccess): Promise<never> {
  const { text, isCut } = await readAnswer(response, maxErrorBytes);
  const said = `${vendor.name} answered ${response.statusCode}: ${findMessage(text, vendor, isCut)}`;
  if (response.statusCode === 429) throw new VendorBusy(said, findRetryAfter(response));
  if (Number(response.statusCode) >= 500) throw new VendorUnavailable(said);
  throw new VendorRefused(said);
}

/** Returns the headers of a request, with the key of the vendor or a signature. */
async function authorize({ url, apiKey, usesRole }: VendorAccess, body: string): Promise<Record<string, string>> {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'accept-encoding': 'identity',
    'user-agent': userAgents.completions,
  };
  if (apiKey) return { authorization: `Bearer ${apiKey}`, ...headers };
  return usesRole ? signRequest(url, headers, body) : headers;
}

/**
 * Asks a vendor for a completion. Returns its answer when it begins. Throws VendorRefused, VendorBusy or VendorUnavailable. `signal` ends
 * the request.
 */
export async function requestCompletion(
  vendor: VendorAccess,
  payload: object,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { url } = vendor;
  const body = JSON.stringify(payload);
  const headers = await authorize(vendor, body);
  try {
    const response = await openRequest({ method: 'POST', url, headers, body, keepAlive: true }, signal);
    return response.statusCode === 200 ? response : await throwAnswer(response, vendor);
  } catch (error) {
    throw error instanceof ApiError ? error : toVendorError(error, vendor, signal);
  }
}

/** Builds the error of an answer that is too large for memory. The next one would be, too. */
const toTooLarge = ({ name }: VendorAccess, { bytes, values }: { bytes: number; values: number }) =>
  forbidRetry(
    new VendorUnavailable(
      `${name} answered more than ${bytes / 1_000_000} MB, ${values.toLocaleString('en')} values or ${maxPieces.toLocaleString('en')} pieces`,
    ),
  );

/** Reads an answer that is not streamed. Throws VendorUnavailable. */
export async function readCompletion(
  response: IncomingMessage,
  vendor: VendorAccess,
  signal: AbortSignal,
): Promise<Completion> {
  let answer: { text: string; isCut: boolean };
  try {
    answer = await readAnswer(response, limits.whole.bytes);
  } catch (error) {
    throw toVendorError(error, vendor, signal);
  }
  if (answer.isCut || estimateMaxValues(answer.text) > limits.whole.values) throw toTooLarge(vendor, limits.whole);
  const completion = parseObject<Completion>(answer.text);
  if (!completion) throw new VendorUnavailable(`${vendor.name} answered no JSON object`);
  return completion;
}

/** Returns the error of an answer that is no completion: what it says of an error, if anything. */
export function toNoCompletion(read: Completion, vendor: VendorAccess): VendorUnavailable {
  const said = read.error ? findMessage(JSON.stringify(read), vendor) : 'no completion';
  return new VendorUnavailable(`${vendor.name} answered ${said}`);
}

/** Parses a JSON object. Undefined for anything else, and if it is nested more than 100 levels deep. */
function parseObject<T extends object>(text: string): T | undefined {
  try {
    const parsed = parseJson(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as T) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a streamed answer, up to its `[DONE]` or end. Skips events that are not JSON. Throws VendorUnavailable if it breaks off, is too long,
 * or contains an error.
 */
export async function* readChunks(
  response: IncomingMessage,
  vendor: VendorAccess,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  const events: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: ({ data }) => events.push(data),
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  const decoder = new TextDecoder();
  let [bytes, pieces, values] = [0, 0, 0];
  let isDone = false;
  try {
    for await (const piece of response.iterator({ destroyOnReturn: false })) {
      bytes += piece.length;
      pieces += 1;
      parser.feed(decoder.decode(piece, { stream: true }));
      for (const data of events.splice(0)) {
        isDone = data.trim() === '[DONE]';
        if (isDone) return;
        values += estimateMaxValues(data);
        if (values > limits.streamed.values) throw toTooLarge(vendor, limits.streamed);
        const chunk = parseObject<Chunk>(data);
        if (chunk?.error) throw new VendorUnavailable(`${vendor.name} broke off: ${findMessage(data, vendor)}`);
        if (chunk) yield chunk;
      }
      if (isTooLong || bytes > limits.streamed.bytes || pieces > maxPieces) throw toTooLarge(vendor, limits.streamed);
    }
  } catch (error) {
    throw error instanceof ApiError ? error : toVendorError(error, vendor, signal);
  } finally {
    if (isDone) releaseConnection(response);
    else response.destroy();
  }
}
