import { hash } from 'node:crypto';
import { type AssistantContent, defaultCallSettings } from '../../schemas/assistant.ts';
import type { Change } from '../../schemas/version.ts';
import { clearDetached } from '../knowledge-base.ts';
import { listChanges, toSortedJson } from './changes.ts';

/** Returns the fields of an assistant that a client may set, which a version keeps. Their order is fixed. */
export const getContent = (assistant: AssistantContent): AssistantContent => ({
  name: assistant.name,
  system_instruction: assistant.system_instruction,
  description: assistant.description,
  first_message: assistant.first_message,
  voice: assistant.voice,
  llm: assistant.llm,
  transcriber: assistant.transcriber,
  knowledge_base: assistant.knowledge_base,
  transport: assistant.transport,
  variables: assistant.variables,
  timezone: assistant.timezone,
  tools: assistant.tools,
  mcp_servers: assistant.mcp_servers,
});

/** Completes the content of a version that an earlier release has published. */
export const completeContent = (stored: AssistantContent): AssistantContent =>
  getContent({ ...defaultCallSettings, ...stored });

/** Returns a list of things with names as an object, so that each is compared with the one of its name, in any order. */
const toNamed = (things: readonly { name: string }[]) => Object.fromEntries(things.map((one) => [one.name, one]));

/** Returns what versions are compared by. Attached documents are no part of it, since calls use those of today. */
const toComparable = (content: AssistantContent) => ({
  ...getContent(content),
  knowledge_base: clearDetached(content.knowledge_base, {}),
  tools: toNamed(content.tools),
  mcp_servers: toNamed(content.mcp_servers),
});

const defaults = { ...defaultCallSettings, tools: {}, mcp_servers: {} };

/**
 * Returns a digest of the fields that an assistant's calls depend on. A field with its default value has no part in it, so that a release with a
 * new field changes no digest.
 */
export function computeDigest(content: AssistantContent): string {
  const fields = toComparable(content) as Record<string, unknown>;
  for (const [name, standard] of Object.entries(defaults))
    if (toSortedJson(fields[name]) === toSortedJson(standard)) delete fields[name];
  return hash('sha256', toSortedJson(fields) ?? '', 'base64url').slice(0, 22);
}

/** Lists what differs between two versions. Tools and MCP servers are compared by their names. */
export const compareContents = (before: AssistantContent, after: AssistantContent): Change[] =>
  listChanges(toComparable(before), toComparable(after));
