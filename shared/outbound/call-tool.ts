import { hideEscapedSecrets, hideSecrets, hideSecretsInCut } from '../domain/hide-secrets.ts';
import { parseJson } from '../domain/parse-json.ts';
import { checkUrlLength, fillPlaceholders, listPlaceholders, toText } from '../domain/tools/tools.ts';
import { Invalid, truncateKey } from '../errors.ts';
import type { ToolAnswer } from '../schemas/runtime-config.ts';
import type { ToolRequest } from '../schemas/tool.ts';
import { ForbiddenAddress, NoAnswer } from './errors.ts';
import { sendRequest } from './send-request.ts';
import { userAgents } from './user-agents.ts';

/** Maximum size of a tool's answer in bytes. */
const maxAnswerBytes = 65_536;

/** Parses JSON, without secrets. Anything else stays text, also JSON that is nested more than 100 levels deep. */
function parseAnswer(text: string, secrets: readonly string[]): unknown {
  const hideWithin = (value: string) => {
    const fitting = value.includes('\\') ? secrets.filter(({ length }) => length <= value.length) : []; // a text may be JSON, too
    return fitting.length > 0 ? hideEscapedSecrets(value, fitting) : value;
  };
  try {
    const json = JSON.stringify(parseJson(text)); // has one spelling of each character
    return JSON.parse(hideSecrets(json, secrets), (_, value) =>
      typeof value === 'string' ? hideWithin(value) : value,
    );
  } catch {
    return hideEscapedSecrets(text, secrets).toWellFormed();
  }
}

/** Builds the URL of a tool's request. Arguments of a GET or DELETE that it does not name become its query. */
function buildUrl({ method, url, query }: ToolRequest, given: Record<string, unknown>): URL {
  const target = fillPlaceholders(url, given);
  if (!target) {
    const msg = 'An argument of the URL is empty, or would lead to another path of the API';
    throw new Invalid([{ loc: ['body', 'arguments'], msg, type: 'argument' }]);
  }
  const add = (name: string, value: string) => {
    target.searchParams.append(name, value);
    checkUrlLength(target.href.length); // each time, since an addition copies the whole query
  };
  for (const [name, value] of Object.entries(query)) add(name, value.toWellFormed());
  if (method !== 'GET' && method !== 'DELETE') return target;
  const named = new Set(listPlaceholders(url));
  const fixed = new Set(target.searchParams.keys());
  for (const [name, value] of Object.entries(given)) {
    if (named.has(name)) continue;
    if (fixed.has(name)) {
      const msg = 'The tool sets this parameter of the query itself';
      throw new Invalid([{ loc: ['body', 'arguments', truncateKey(name)], msg, type: 'argument' }]);
    }
    add(name.toWellFormed(), toText(value));
  }
  return target;
}

/**
 * Sends the request of an `http` tool with the arguments of a call, and returns the answer of any status, or why none came. GET
 * and DELETE carry the arguments in the URL, others as JSON. One request, never repeated. Throws Invalid for arguments that would lead to
 * another path. `secrets` that the API repeats are hidden.
 */
export async function sendToolRequest(
  request: ToolRequest,
  headers: Record<string, string>,
  secrets: readonly string[],
  given: Record<string, unknown>,
  callId: string | null | undefined,
): Promise<ToolAnswer> {
  const { method, timeout_seconds } = request;
  const url = buildUrl(request, given).href;
  const body = method === 'GET' || method === 'DELETE' ? undefined : JSON.stringify(given);
  const startedAt = Date.now();
  const toAnswer = (answer: Pick<ToolAnswer, 'status' | 'result' | 'error' | 'truncated'>) => ({
    ...answer,
    duration_ms: Date.now() - startedAt,
  });
  try {
    const { status, text, isCut } = await sendRequest({
      method,
      url,
      headers: {
        accept: 'application/json',
        ...headers,
        'accept-encoding': 'identity',
        'user-agent': userAgents.tools,
        ...(callId && { 'idempotency-key': callId }),
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }),
      },
      body,
      timeoutMs: timeout_seconds * 1_000,
      maxAnswerBytes,
    });
    const result = isCut ? hideSecretsInCut(text, secrets).toWellFormed() : parseAnswer(text, secrets);
    return toAnswer({ status, result, error: null, truncated: isCut });
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof ForbiddenAddress)) throw error;
    const reason = error instanceof NoAnswer ? error.code : 'forbidden_address';
    return toAnswer({ status: null, result: null, error: reason, truncated: false });
  }
}
