import type { Message, ToolResult } from '../../schemas/chat.ts';
import { type Item, parseItem } from '../transcript-item.ts';
import type { FunctionCall, Usage } from './completion.ts';

/** A turn of the assistant: what it answered, and the tools that it called before. */
interface Turn {
  /** First message of the assistant, if it began the conversation with this turn. */
  greeting: string | null;
  /** Spoken text, from `toSpoken`. */
  messages: readonly Item[];
  toolResults: readonly ToolResult[];
  content: string | null;
  calls: readonly FunctionCall[];
  /** Start and end of the turn, RFC 3339. */
  startedAt: string;
  endedAt: string;
}

/** Names under which messages carry files: images, audio and documents. */
const fileKeys = new Set(['url', 'data', 'file_data']);

/** Leaves the data of files out, which would be megabytes. */
const dropData = (key: string, value: unknown) =>
  fileKeys.has(key) && typeof value === 'string' && value.length > 2_000
    ? `${value.slice(0, 30).replace(/,.*/s, ',').toWellFormed()}…`
    : value;

const isSpoken = ({ role }: Item) => role !== 'system' && role !== 'developer';

/** True for items of tools that the service ran: clients do not send them back. */
const isOwnTool = ({ type }: Item) => type === 'function_call' || type === 'function_call_output';

/** Returns what two tellings of a message have in common. */
function toComparable(item: Item): string {
  const { role, content } = parseItem(item);
  return JSON.stringify([role, content || null]);
}

/** Messages that the end of an earlier telling and the beginning of a later one must share, if the later one has no beginning. */
const minShared = 2;

/**
 * Returns how many of the messages an earlier transcript holds: all of it, or its end, since clients drop old messages. Undefined if
 * the messages are another conversation.
 */
export function countKnown(earlier: readonly Item[], messages: readonly Item[]): number | undefined {
  const spoken = earlier.filter((item) => !isOwnTool(item));
  const greets = spoken[0]?.role === 'assistant' && messages[0]?.role !== 'assistant';
  const told = (greets ? spoken.slice(1) : spoken).map(toComparable);
  const sent = messages.map(toComparable);
  for (let start = 0; start === 0 || told.length - start >= minShared; start++) {
    const shared = told.length - start;
    if (shared <= sent.length && told.slice(start).every((one, i) => one === sent[i])) return shared;
  }
  return undefined;
}

/** Returns the messages of a request as a transcript has them: without prompts and the data of files. */
export const toSpoken = (messages: readonly Message[]): Item[] =>
  JSON.parse(JSON.stringify(messages.filter(isSpoken), dropData));

/** Builds the items of the tools that the service ran, as voice workers log them. */
const toToolItems = ({ call_id, name, arguments: given, output, is_error }: ToolResult): Item[] => [
  { type: 'function_call', name, call_id, arguments: given },
  { type: 'function_call_output', name, call_id, output, is_error },
];

/**
 * Builds the transcript of a conversation after a turn. What an earlier turn stored stays, with the tools that ran then, which clients do
 * not know. If the messages are another conversation, they become a new transcript.
 */
export function buildTranscript(earlier: readonly Item[], turn: Turn): Item[] {
  const { greeting, messages, startedAt: created_at } = turn;
  const known = countKnown(earlier, messages);
  const begun = greeting === null ? [] : [{ role: 'assistant', content: greeting, created_at }];
  const before = known === undefined ? begun : [...(earlier.length > 0 ? earlier : begun)];
  const { content, calls } = turn;
  return [
    ...before,
    ...messages.slice(known ?? 0).map((message) => ({ ...message, created_at })),
    ...turn.toolResults.flatMap(toToolItems).map((item) => ({ ...item, created_at })),
    { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }), created_at: turn.endedAt },
  ];
}

/** Returns a number under one of the paths of a vendor's usage. */
const readNumber = (usage: Usage, ...path: string[]): number => {
  let value: unknown = usage;
  for (const name of path) value = (value as Item | undefined)?.[name];
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0;
};

/** Converts the usage of a completion to an entry of a call's usage. */
export const toUsageEntry = (usage: Usage, provider: string, model: string) => ({
  type: 'llm_usage',
  provider,
  model,
  input_tokens: readNumber(usage, 'prompt_tokens'),
  input_cached_tokens: readNumber(usage, 'prompt_tokens_details', 'cached_tokens'),
  output_tokens: readNumber(usage, 'completion_tokens'),
});

type UsageEntry = ReturnType<typeof toUsageEntry>;

/** Adds the usage of a turn to that of the turns before: one entry for each model. */
export function addUsageEntry(earlier: unknown, entry: UsageEntry): UsageEntry[] {
  const entries = (Array.isArray(earlier) ? earlier : []) as UsageEntry[];
  const isSame = ({ provider, model }: UsageEntry) => provider === entry.provider && model === entry.model;
  const before = entries.find(isSame);
  const sum = before && {
    ...entry,
    input_tokens: before.input_tokens + entry.input_tokens,
    input_cached_tokens: before.input_cached_tokens + entry.input_cached_tokens,
    output_tokens: before.output_tokens + entry.output_tokens,
  };
  return [...entries.filter((one) => !isSame(one)), sum ?? entry];
}
