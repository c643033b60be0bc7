import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { readAnswer } from '../outbound/read-answer.ts';
import { userAgents } from '../outbound/user-agents.ts';
import type { ToolRequest } from './tool.ts';

/** The address at which a client reached this API, and the headers that say who the client is. */
export interface OwnApi {
  /** Address without the path of the route, such as `https://api.example.com/dev`. */
  url: string;
  headers: Record<string, string>;
}

/** Answer of an operation, for a model to read. */
export interface OperationAnswer {
  isError: boolean;
  /** The beginning of the body, then what else the model should know. */
  texts: string[];
}

export type Arguments = Record<string, unknown>;

/** Time for one operation, in milliseconds. The gateway ends the request of the client two seconds later (`timeoutSeconds`). */
const timeoutMs = 25_000;

const maxAnswerBytes = 64 * 1024;

/** Maximum length of a path with its query. API Gateway refuses a request line and headers of more than 10 KB together. */
const maxTargetLength = 8 * 1024;

/** Response headers that a model can act on. */
const toldHeaders = ['etag', 'link', 'retry-after', 'x-ignored-fields', 'x-did-you-mean', 'x-template-unknown'];

/** Thrown if no complete answer came. */
class NoAnswer extends Error {}

/** Thrown if no request can be built from the arguments of a call. */
class InvalidArguments extends Error {}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Fills the braces of a path. Throws InvalidArguments on a value that would change which operation is called. */
const fillPath = (path: string, args: Arguments): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = toText(args[name] ?? '');
    if (/^\.{0,2}$/.test(value)) throw new InvalidArguments(`Set "${name}" to an id`);
    return encodeURIComponent(value.toWellFormed());
  });

/** Returns a header's value. Throws InvalidArguments on characters that a header cannot hold. */
function toHeaderValue(name: string, value: unknown): string {
  const text = toText(value);
  if (!/^[\x20-\x7e]{1,400}$/.test(text)) throw new InvalidArguments(`"${name}" should be 1 to 400 ASCII characters`);
  return text;
}

/** Builds the request of a call. Throws InvalidArguments. */
export function buildRequest({ method, path, query, hasBody, dropped, headers }: ToolRequest, args: Arguments) {
  const search = new URLSearchParams();
  const used = new Set([...dropped, ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)]);
  for (const name of query) {
    used.add(name);
    if (args[name] != null) search.set(name, toText(args[name]));
  }
  const sent: Record<string, string> = {};
  for (const [name, header] of Object.entries(headers)) {
    used.add(name);
    if (args[name] != null) sent[header] = toHeaderValue(name, args[name]);
    else if (header === 'idempotency-key') sent[header] = randomUUID();
  }
  const others = Object.entries(args).filter(([name]) => !used.has(name));
  // The operation lists unknown ones in `x-ignored-fields`.
  if (!hasBody) for (const [name, value] of others) search.set(name, toText(value));
  const target = `${fillPath(path, args)}${search.size > 0 ? `?${search}` : ''}`;
  if (target.length > maxTargetLength)
    throw new InvalidArguments('The arguments make an address of more than 8 KB: send shorter ones');
  return {
    method,
    target,
    headers: { ...sent, ...(hasBody && { 'content-type': 'application/json' }) },
    body: hasBody ? JSON.stringify(Object.fromEntries(others)) : undefined,
  };
}

/** Sends a request to this API, by the address that the gateway names. Does not follow redirects. Throws NoAnswer. */
async function sendToApi(api: OwnApi, { method, target, headers, body }: ReturnType<typeof buildRequest>) {
  const { protocol, hostname, port, pathname } = new URL(api.url);
  const open = protocol === 'http:' ? requestHttp : requestHttps;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const request = open({
      hostname,
      port,
      method,
      path: `${pathname.replace(/\/$/, '')}${target}`,
      headers: { 'user-agent': userAgents.mcp, accept: 'application/json', ...api.headers, ...headers },
      signal,
    });
    request.on('error', () => {}); // the response reports those that come after it
    request.end(body);
    const [response] = (await once(request, 'response', { signal })) as [IncomingMessage];
    return { response, ...(await readAnswer(response, maxAnswerBytes)) };
  } catch {
    throw new NoAnswer(signal.aborted ? `No answer came within ${timeoutMs / 1000} seconds` : 'The connection broke');
  }
}

const retryNote = 'Do not send it again: it may have had effects, or will fail again';

const describeStatus = (status: number): string[] => (status >= 300 ? [`HTTP status ${status}`] : []);

const describeHeaders = ({ headers }: IncomingMessage): string[] => [
  ...toldHeaders.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`])),
  ...(headers['x-should-retry'] === 'false' ? [retryNote] : []),
];

const cutNote =
  'This answer was cut after 64 KB. Read less at a time: set a smaller `limit`, continue with `cursor`, or read one item by its id.';

const describeDropped = ({ dropped }: ToolRequest, args: Arguments): string[] => {
  const names = dropped.filter((name) => name in args);
  return names.length > 0 ? [`Not sent, because this tool does not take it: ${names.join(', ')}`] : [];
};

/** Carries out an operation as the client, and returns what it answered, or why it did not. */
export async function callOperation(api: OwnApi, request: ToolRequest, args: Arguments): Promise<OperationAnswer> {
  try {
    const { response, text, isCut } = await sendToApi(api, buildRequest(request, args));
    const { statusCode = 0 } = response;
    const notes = [
      ...describeStatus(statusCode),
      ...describeHeaders(response),
      ...describeDropped(request, args),
      ...(isCut ? [cutNote] : []),
    ];
    // A cut may fall into a character.
    const texts = [isCut ? text.replace(/\ufffd$/, '') : text, notes.join('\n')].filter(Boolean);
    return { isError: statusCode >= 300, texts };
  } catch (error) {
    if (error instanceof InvalidArguments) return { isError: true, texts: [error.message] };
    if (!(error instanceof NoAnswer)) throw error;
    const isRead = request.method === 'GET';
    const advice = isRead ? 'try again' : 'but the operation may have been carried out: look before you try again';
    return { isError: true, texts: [`${error.message}, ${advice}`] };
  }
}
