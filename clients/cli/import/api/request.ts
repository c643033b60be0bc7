import { setTimeout as sleep } from 'node:timers/promises';
import { parseSafeAddress } from '../../parse-safe-address.ts';
import { readBody } from '../../read-body.ts';

/** The API of a platform could not be read. The message says what to do, and never holds the key. */
export class ApiFailure extends Error {
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Key and address of a platform's API. */
export interface ApiAccess {
  vendor: string;
  baseUrl: string;
  headers: Record<string, string>;
}

const timeoutMs = 20_000;
const maxBytes = 10 * 1024 * 1024;
const maxAttempts = 4;
const maxWaitSeconds = 30;

/** Throws ApiFailure unless a key may be sent to an address. */
function parseBaseUrl(text: string): URL {
  const url = parseSafeAddress(text);
  if (!url) throw new ApiFailure('The address of the API should start with https://, or be on this machine');
  if (url.username || url.password) throw new ApiFailure('The address of the API should have no user name');
  return url;
}

/** Returns why a request got no answer, in the words of the network. */
const toReason = (error: unknown): string => {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return name === 'TimeoutError'
    ? `no answer within ${timeoutMs / 1_000} seconds`
    : (cause?.code ?? 'the connection broke');
};

const toAdvice = (status: number, { vendor }: ApiAccess): string => {
  if (status === 401 || status === 403) return `${vendor} refuses the key: check it, and what it may read`;
  if (status === 404) return `${vendor} has no such agent`;
  if (status === 429) return `${vendor} is busy: try again later, or name fewer agents with --id`;
  return `${vendor} answers with status ${status}: try again later`;
};

/**
 * Requests JSON from a platform's API. Follows no redirect, so that the key stays with its host, and waits if the API asks for it.
 * Throws ApiFailure.
 */
export async function requestJson(access: ApiAccess, path: string, body?: object): Promise<unknown> {
  const base = parseBaseUrl(access.baseUrl);
  const url = base.href.replace(/\/$/, '') + path;
  for (let attempt = 1; ; attempt++) {
    const { status, text, retryAfter } = await send(access, url, base.host, body);
    if (status === 429 && attempt < maxAttempts && retryAfter <= maxWaitSeconds) {
      await sleep(retryAfter * 1_000);
      continue;
    }
    if (status >= 300 && status < 400)
      throw new ApiFailure(
        `${base.host} redirects, and a key is sent to no other address: correct --platform-url`,
        status,
      );
    if (status !== 200 && status !== 201) throw new ApiFailure(toAdvice(status, access), status);
    try {
      return JSON.parse(text);
    } catch {
      throw new ApiFailure(
        `${base.host} answers no JSON: is --platform-url the address of the API of ${access.vendor}?`,
      );
    }
  }
}

async function send({ headers }: ApiAccess, url: string, host: string, body: object | undefined) {
  try {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    const retryAfter = Number.isFinite(seconds) ? Math.max(0, seconds) : 1;
    const text = await readBody(response, maxBytes);
    if (text === undefined) throw new ApiFailure(`${host} answers more than 10 MB: name fewer agents with --id`);
    return { status: response.status, text, retryAfter };
  } catch (error) {
    if (error instanceof ApiFailure) throw error;
    throw new ApiFailure(`Cannot reach ${host}: ${toReason(error)}`);
  }
}
