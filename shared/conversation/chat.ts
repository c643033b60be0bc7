import type { StoredAssistant } from '../domain/assistant.ts';
import { buildParameters } from '../domain/chat/vendors.ts';
import { listCallTools } from '../domain/tools/functions.ts';
import { checkVariables, renderForCall } from '../domain/tools/rendering.ts';
import { type ChatRequest, parseModel } from '../schemas/chat.ts';
import type { Tool } from '../schemas/tool.ts';
import { readForCall } from '../store/call-config.ts';
import type { Asker } from './asker.ts';
import { answerTimeoutMs, type Conversation } from './converse.ts';
import { OwnTools, type ToolRun, toModelTool } from './own-tools.ts';
import { findVendorLease, openVendorLease, type VendorLease } from './vendor-lease.ts';

/** A chat with an assistant, before the key of its vendor is decrypted. */
export interface Chat {
  assistant: StoredAssistant;
  /** Version of the assistant, null for the draft. */
  version: number | null;
  tools: Tool[];
  lease: VendorLease;
}

/**
 * Reads the assistant that a request names in `model`, and the credential of its language model. Two round trips, and another for a live
 * version that this function has not read before. Throws NotFound, Unavailable, Invalid, or VendorRefused if the vendor cannot be asked.
 */
export async function readChat(owner: string, { model, session_id, call, variables }: ChatRequest): Promise<Chat> {
  const { assistantId, version: reference } = parseModel(model);
  const choice = { version: reference, room: call.room_name ?? session_id ?? undefined };
  const modelLoc = ['body', 'model'];
  const { stored: assistant, version } = await readForCall(owner, assistantId, choice, {
    version: modelLoc,
    assistant: modelLoc,
  });
  checkVariables(assistant.variables, { call, variables });
  const lease = await findVendorLease(owner, assistant);
  return { assistant, version, tools: listCallTools(assistant), lease };
}

/** Parts of a request that the vendor does not get, or gets in another form. */
const ownParts = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'tools'],
  ...['variables', 'call', 'session_id', 'store', 'execute_tools'],
]);

/** A conversation, and the first message of the assistant, if it begins. */
export interface OpenedChat {
  conversation: Conversation & { tools: OwnTools };
  greeting: string | null;
}

/**
 * Prepares the request to the vendor: the prompt with the values of the call, the messages, all tools and the key. Throws Invalid if a
 * text cannot be rendered, QuotaExceeded, or VendorRefused if the key cannot be decrypted. `ended` ends the request to the vendor.
 * `onToolRun` hears of each request of a tool.
 */
export async function openChat(
  asker: Asker,
  { assistant, tools, lease }: Chat,
  body: ChatRequest,
  ended: AbortSignal,
  onToolRun: (run: ToolRun) => void,
): Promise<OpenedChat> {
  const rendered = await renderForCall(assistant, tools, body);
  await asker.count?.();
  const vendor = await openVendorLease(asker, assistant.id, lease);
  const { system_instruction, first_message } = rendered;
  const greeting = body.messages.some(({ role }) => role === 'assistant') ? null : first_message || null;
  const messages = [
    { role: 'system', content: system_instruction },
    ...(greeting === null ? [] : [{ role: 'assistant', content: greeting }]),
    ...body.messages,
  ];
  const parameters = buildParameters(assistant.llm, {
    ...Object.fromEntries(Object.entries(body).filter(([name]) => !ownParts.has(name))),
    ...toTools(rendered.tools, body),
  });
  const ownTools = new OwnTools(
    asker.owner,
    assistant,
    body.execute_tools ? listUnnamed(rendered.tools, body) : [],
    onToolRun,
  );
  const signal = AbortSignal.any([ended, AbortSignal.timeout(answerTimeoutMs)]);
  return { greeting, conversation: { vendor, parameters, messages, tools: ownTools, signal } };
}

/** Lists the tools of the assistant that the client has no tool of the same name for. */
function listUnnamed(tools: readonly Tool[], { tools: clients }: ChatRequest): Tool[] {
  const names = new Set(clients?.map((one) => (one.function as { name?: unknown } | undefined)?.name));
  return tools.filter(({ name }) => !names.has(name));
}

/** Returns the tools of the assistant and of the client. Without any, returns no list: vendors refuse an empty one. */
function toTools(tools: readonly Tool[], body: ChatRequest): { tools?: object[] } {
  const all = [...listUnnamed(tools, body).map(toModelTool), ...(body.tools ?? [])];
  return all.length > 0 ? { tools: all } : {};
}
