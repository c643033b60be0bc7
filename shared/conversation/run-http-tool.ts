import type { StoredAssistant } from '../domain/assistant.ts';
import { buildHeaders, toToolLease } from '../domain/runtime-config.ts';
import { checkArguments } from '../domain/tools/arguments.ts';
import { renderToolForCall } from '../domain/tools/rendering.ts';
import type { CallValues } from '../domain/tools/scope.ts';
import { sendToolRequest } from '../outbound/call-tool.ts';
import type { ToolAnswer } from '../schemas/runtime-config.ts';
import type { HttpTool } from '../schemas/tool.ts';
import { decryptCredentials, findCredentials } from '../store/credentials/leases.ts';

/** Call of an `http` tool. */
export interface HttpToolCall {
  arguments: Record<string, unknown>;
  /** Becomes the `idempotency-key` of the request. */
  call_id?: string | null | undefined;
}

/** Request of an `http` tool that can be sent: its texts are filled in, and the arguments fit. */
export interface PreparedToolRequest {
  tool: HttpTool;
  call: HttpToolCall;
}

/** Checks the arguments of a call of an `http` tool, and fills in its texts. Throws Invalid for arguments that do not fit. */
export async function prepareHttpTool(
  assistant: StoredAssistant,
  tool: HttpTool,
  call: HttpToolCall & CallValues,
): Promise<PreparedToolRequest> {
  checkArguments(tool.parameters, call.arguments);
  return { tool: await renderToolForCall(assistant, tool, call), call };
}

/** Answer of a tool, and the id of the credential that it used, if any. */
export interface HttpToolRun {
  answer: ToolAnswer;
  credential: string | undefined;
}

/** Sends the request of an `http` tool. Two round trips if it has a credential. */
export async function runHttpTool(owner: string, { tool, call }: PreparedToolRequest): Promise<HttpToolRun> {
  const { name, http } = tool;
  const leases = http.credential ? [toToolLease(name, http.credential)] : [];
  const found = await findCredentials(
    owner,
    leases.map(({ lookup }) => lookup),
  );
  const [opened] = await decryptCredentials(owner, found);
  const { headers, unavailable } = buildHeaders(http.headers, http.credential, opened);
  const secrets = typeof opened === 'object' ? [opened.api_key] : [];
  const answer = headers
    ? await sendToolRequest(http, headers, secrets, call.arguments, call.call_id)
    : { status: null, result: null, error: unavailable.type, truncated: false, duration_ms: 0 };
  return { answer, credential: typeof opened === 'object' ? opened.credential.id : undefined };
}
