import { UserError } from '../errors.ts';
import { readBody } from '../read-body.ts';

/** Limit of a request to an identity provider or a console, in milliseconds. */
const timeoutMs = 10_000;

/** Maximum size of an answer, in bytes. */
const maxBytes = 1_000_000;

/** An address answered with another status than 200, or with no JSON. */
export class AnswerError extends UserError {
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads JSON from an address. Follows no redirect. Throws UserError if there is no answer, and AnswerError if it is not as expected. */
export async function requestJson(url: string, form?: Record<string, string>): Promise<Record<string, unknown>> {
  const init = form ? { method: 'POST', body: new URLSearchParams(form) } : {};
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) }).catch(
    () => {
      throw new UserError(`${new URL(url).origin} does not answer: check the address`);
    },
  );
  const text = (await readBody(response, maxBytes).catch(() => undefined)) ?? '';
  const body = parseJson(text);
  if (response.ok && typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  const { error, error_description: description } = (body ?? {}) as Record<string, unknown>;
  const reason = [error, description].filter(Boolean).join(': ') || `status ${response.status}`;
  throw new AnswerError(`${url} did not answer as expected: ${reason}`, response.status);
}
